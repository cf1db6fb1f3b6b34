"""A value that a program or script wrote down as it is, read from its syntax tree and never run."""

from __future__ import annotations

import ast
import warnings
from typing import Any

MOST_CHARACTERS = 20_000


def literal(text: str) -> Any:
    """Text, number, truth value, list or dict (tuples as lists) of a Python or JavaScript literal; None for anything else."""
    if len(text) > MOST_CHARACTERS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return value_of(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def value_of(node: ast.expr) -> Any:
    """The value of a node. ValueError when it has to be worked out."""
    match node:
        case ast.Constant(value=str() | int() | float() | bool() | None):
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [value_of(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            # JavaScript writes keys bare: ``{kw: 'x'}``.
            names = [key.id if isinstance(key, ast.Name) else value_of(key) if key else None for key in keys]
            return {str(name): value_of(value) for name, value in zip(names, values, strict=True)}
    raise ValueError("not a literal")
