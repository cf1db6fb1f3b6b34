"""A walk through the statements of a Playwright script, in the order in which they would run, that gathers what is done.

Nothing is run: expressions become the values of ``codegen_values``, calls on pages and locators become steps by the table that
traces use too (``playwright_actions``). What the walk cannot follow it refuses, with the line.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.importers.codegen_values import (
    ON_PAGE,
    Device,
    Info,
    Locator,
    Page,
    Pattern,
    Thing,
    Unknown,
    build,
    narrowed,
    text_of,
)
from graphmem.importers.making import MOST_STEPS, WrongStep
from graphmem.importers.playwright_actions import step_of
from graphmem.importers.records import Wrong

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
MOST_ROUNDS = 200
MOST_DEPTH = 20
_NEW_PAGE = frozenset({"new_page", "expect_popup", "expect_page"})
#: Where a method has its first arguments, by the names that traces use.
_POSITIONS: Mapping[str, tuple[str, ...]] = {
    "goto": ("url",), "fill": ("value",), "type": ("text",), "press_sequentially": ("text",), "press": ("key",),
    "select_option": ("options",), "set_input_files": ("payloads",), "evaluate": ("expression",), "dispatch_event": ("type",),
    "evaluate_handle": ("expression",), "evaluate_all": ("expression",), "insert_text": ("text",), "down": ("key",),
    "set_checked": ("checked",), "eval_on_selector": ("selector", "expression"),
    "eval_on_selector_all": ("selector", "expression"), "wait_for_selector": ("selector",),
    "drag_and_drop": ("source", "target"),
}  # fmt: skip
#: Methods of a page whose first argument is a selector.
_BY_SELECTOR = frozenset(
    {
        "click", "dblclick", "tap", "fill", "type", "press", "check", "uncheck", "set_checked", "hover", "select_option",
        "set_input_files", "dispatch_event",
    }
)  # fmt: skip
#: Calls that may be handed an element and do nothing with it.
_HARMLESS = frozenset(
    {
        "print", "expect", "sleep", "str", "int", "float", "len", "range", "repr", "list", "sorted", "enumerate", "zip",
        "isinstance",
    }
)  # fmt: skip
_OTHER_THINGS = frozenset({"playwright", "browser", "context", "p", "browser_context", "pw"})


class _Returned(Exception):
    """The function came to its end."""


class Walk:
    """One recording. ``local``: functions of the same file, which may be handed a page."""

    def __init__(self, local: Mapping[str, FunctionNode]) -> None:
        self._local = local
        self._steps: list[dict[str, Any]] = []
        self._pages: dict[str, str] = {}
        self._tabs = 0
        self._depth = 0
        self._names: dict[str, Any] = {}

    def function(self, node: FunctionNode) -> list[dict[str, Any]]:
        """The steps of a function. WrongStep with its line for what is not understood."""
        arguments = node.args
        for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
            self._names[argument.arg] = self._parameter(argument)
        self._body(node.body)
        return self._steps

    def module(self, node: ast.Module) -> list[dict[str, Any]]:
        """The steps of the code that stands in no function; what it calls are recordings of their own."""
        self._local = {}
        self._body([statement for statement in node.body if not isinstance(statement, ast.ClassDef)])
        return self._steps

    def _parameter(self, argument: ast.arg) -> Any:
        kind = ast.unparse(argument.annotation).rpartition(".")[2].strip("'\"") if argument.annotation else ""
        if kind == "Page" or argument.arg == "page":
            return self._new_page()
        if kind in ("Playwright", "Browser", "BrowserContext") or argument.arg in _OTHER_THINGS:
            return Thing(argument.arg)
        return Unknown(argument.arg)

    def _new_page(self) -> Page:
        self._tabs += 1
        return Page(f"page{self._tabs - 1}" if self._tabs > 1 else "")

    # -- statements

    def _body(self, statements: Sequence[ast.stmt]) -> None:
        try:
            for statement in statements:
                self._statement(statement)
        except _Returned:
            return

    def _each(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=value):
                self._value(value)
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, self._value(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign([target], self._value(value))
            case ast.AugAssign(target=target, value=value):
                self._value(value)
                self._assign([target], Unknown(_name_of(target)))
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                self._with(items, body)
            case ast.For(target=target, iter=items, body=body) | ast.AsyncFor(target=target, iter=items, body=body):
                self._loop(node, target, self._value(items), body)
            case ast.If(test=test, body=body, orelse=orelse):
                self._branch(node, test, body, orelse)
            case ast.While(body=body):
                self._only_if_inert(node, body)
            case ast.Try(body=body, orelse=orelse, finalbody=finalbody):
                # What stands under ``except`` is done when something went wrong, which no recording is for.
                self._each([*body, *orelse, *finalbody])
            case ast.Return(value=value):
                if value:
                    self._value(value)
                raise _Returned
            case ast.Assert(test=test):
                self._value(test)

    def _assign(self, targets: Sequence[ast.expr], value: Any) -> None:
        for target in targets:
            if isinstance(target, ast.Tuple | ast.List):
                values = (
                    value if isinstance(value, list) and len(value) == len(target.elts) else [None] * len(target.elts)
                )
                for part, item in zip(target.elts, values, strict=True):
                    self._assign([part], Unknown(_name_of(part)) if item is None else item)
            elif isinstance(target, ast.Name):
                # What has to be worked out goes by the name that it is given.
                self._names[target.id] = Unknown(target.id) if isinstance(value, Unknown) else value

    def _with(self, items: Sequence[ast.withitem], body: Sequence[ast.stmt]) -> None:
        for item in items:
            value = self._value(item.context_expr)
            if item.optional_vars is not None:
                self._assign([item.optional_vars], value)
        self._each(body)

    def _loop(self, node: ast.stmt, target: ast.expr, items: Any, body: Sequence[ast.stmt]) -> None:
        if not isinstance(items, list):
            self._assign([target], Unknown(_name_of(target)))
            self._only_if_inert(node, body)
            return
        if len(items) > MOST_ROUNDS:
            raise WrongStep(f"line {node.lineno}", f"is a loop of more than {MOST_ROUNDS} rounds.")
        for item in items:
            self._assign([target], item)
            self._each(body)

    def _branch(self, node: ast.stmt, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        known = self._value(test)
        if isinstance(known, bool):
            self._each(body if known else orelse)
        elif isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__":
            self._each(body)
        else:
            self._only_if_inert(node, [*body, *orelse])

    def _only_if_inert(self, node: ast.stmt, body: Sequence[ast.stmt]) -> None:
        """Pass a body that nobody knows to have run: right where it does nothing on a page, refused where it does."""
        steps, self._steps = self._steps, []
        names = dict(self._names)
        try:
            self._each(body)
            acts = bool(self._steps)
        except _Returned:
            acts = bool(self._steps)
        except WrongStep:
            acts = True
        finally:
            self._steps = steps
        changed = {name for name, value in self._names.items() if names.get(name) != value}
        self._names = names | {name: Unknown(name) for name in changed}
        if acts:
            reason = "does steps that hang on what the page says: a recording is what was done, in a line."
            raise WrongStep(f"line {node.lineno}", reason)

    # -- expressions

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self._names.get(name, Unknown(name))
            case ast.Await(value=inner) | ast.NamedExpr(value=inner):
                return self._value(inner)
            case ast.JoinedStr(values=values):
                return "".join(text_of(self._value(value)) for value in values)
            case ast.FormattedValue(value=inner):
                return self._value(inner)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self._value(item) for item in items]
            case ast.Dict(keys=keys, values=values):
                names = [self._value(key) if key else "" for key in keys]
                return {text_of(name): self._value(value) for name, value in zip(names, values, strict=True)}
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                one, other = self._value(left), self._value(right)
                return text_of(one) + text_of(other) if str in (type(one), type(other)) else Unknown()
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._item(node)
            case ast.Call():
                return self._call(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._value(child)
        return Unknown()

    def _attribute(self, node: ast.Attribute) -> Any:
        owner = self._value(node.value)
        match owner, node.attr:
            case Page(tab=tab), "keyboard" | "mouse" | "touchscreen" as kind:
                return Device(kind, tab)
            case Page() | Locator(), "context" | "page" | "main_frame":
                return Thing("context") if node.attr == "context" else owner
            case Locator(), "first" | "last":
                return narrowed(owner, "nth=0" if node.attr == "first" else "nth=-1")
            case Locator(tab=tab, chain=chain), "content_frame":
                return Locator(tab, chain, is_frame=True)
            case Info(page=page), "value":
                return page or Unknown("download")
            case Thing(), _:
                return Thing(node.attr)
        return Unknown(node.attr)

    def _item(self, node: ast.Subscript) -> Any:
        owner, key = self._value(node.value), self._value(node.slice)
        if isinstance(owner, Thing) and owner.kind == "pages":
            return self._new_page() if not self._tabs else Page("" if key == 0 else f"page{self._tabs - 1}")
        if isinstance(owner, dict | list):
            try:
                return owner[key]
            except (KeyError, IndexError, TypeError):
                return Unknown(text_of(key).strip("{}"))
        return Unknown(key if isinstance(key, str) else _name_of(node.value))

    def _call(self, node: ast.Call) -> Any:
        args = [self._value(arg.value if isinstance(arg, ast.Starred) else arg) for arg in node.args]
        named = {keyword.arg or "": self._value(keyword.value) for keyword in node.keywords}
        try:
            if isinstance(node.func, ast.Attribute):
                return self._method(node, node.func, args, named)
            return self._called(node, self._value(node.func), _name_of(node.func), args, named)
        except Wrong as error:
            raise WrongStep(f"line {node.lineno}", str(error)) from None

    def _method(self, node: ast.Call, func: ast.Attribute, args: list[Any], named: dict[str, Any]) -> Any:
        owner = self._value(func.value)
        match owner:
            case Page() | Locator():
                found = build(owner, func.attr, args, named)
                return self._act(owner, func.attr, args, named) if found is None else found
            case Device():
                return self._device(owner, func.attr, args, named)
            case Thing():
                return self._new_page() if func.attr == "new_page" else self._thing(func.attr)
            case Pattern() | Info():
                return Unknown()
            case str() if func.attr == "format":
                return (
                    owner.format(*map(text_of, args))
                    if owner.count("{") == owner.count("{}") == len(args)
                    else Unknown()
                )
        if func.attr == "compile" and args and isinstance(args[0], str):
            return Pattern(args[0], "IGNORECASE" in ast.dump(node) or "attr='I'" in ast.dump(node))
        if func.attr in ("getenv", "get") and args and isinstance(args[0], str):
            return Unknown(args[0])
        return self._called(node, owner, func.attr, args, named)

    def _thing(self, method: str) -> Any:
        return Info(self._new_page()) if method in _NEW_PAGE else Thing(method)

    def _called(self, node: ast.Call, owner: Any, name: str, args: list[Any], named: dict[str, Any]) -> Any:
        """A call of something that is no part of Playwright."""
        if name == "sleep":
            self._add({"op": "wait", "target": None, "value": ""}, "")
        if name == "range" and args and all(isinstance(arg, int) for arg in args):
            return list(range(*args))[: MOST_ROUNDS + 1]
        if name in ("expect", "sync_playwright", "async_playwright") or isinstance(owner, Thing):
            return Thing(name)
        hands_page = any(isinstance(value, ON_PAGE) for value in [*args, *named.values()])
        if not hands_page or name in _HARMLESS:
            return Unknown(name)
        if name in self._local and isinstance(node.func, ast.Name):
            return self._inlined(self._local[name], args, named)
        raise Wrong("hands the page to code that is not in this recording.")

    def _inlined(self, function: FunctionNode, args: list[Any], named: dict[str, Any]) -> Any:
        if self._depth >= MOST_DEPTH:
            raise Wrong("calls functions that call each other without end.")
        parameters = [argument.arg for argument in [*function.args.posonlyargs, *function.args.args]]
        defaults = dict(zip(reversed(parameters), map(self._value, reversed(function.args.defaults)), strict=False))
        given = dict(zip(parameters, args, strict=False)) | {key: value for key, value in named.items() if key}
        names, self._names = self._names, {name: Unknown(name) for name in parameters} | defaults | given
        self._depth += 1
        self._body(function.body)
        self._depth -= 1
        self._names = names
        return Unknown(function.name)

    # -- what is done

    def _device(self, owner: Device, method: str, args: list[Any], named: dict[str, Any]) -> Any:
        params = {"key" if method in ("press", "down") else "text": text_of(args[0])} if args else {}
        self._do(f"{owner.kind}{_camel(method)[:1].upper()}{_camel(method)[1:]}", params, owner.tab)
        return Unknown()

    def _act(self, owner: Page | Locator, method: str, args: list[Any], named: dict[str, Any]) -> Any:
        if method in _NEW_PAGE or method.startswith("expect_"):
            return Info(self._new_page() if method in _NEW_PAGE else None)
        params: dict[str, Any] = {}
        positions = _POSITIONS.get(method, ())
        if isinstance(owner, Locator):
            params["selector"] = owner.chain
        elif method in _BY_SELECTOR:
            positions = ("selector", *positions)
        given = dict(zip(positions, args, strict=False)) | named
        params |= {_camel(key): _plain(value) for key, value in given.items()}
        if method == "drag_to" and args and isinstance(args[0], Locator):
            method, params["target"] = "drag_and_drop", args[0].chain
        if method == "select_option":
            params["options"] = _options(given)
        self._do(_camel(method), params, owner.tab)
        return Unknown(method)

    def _do(self, method: str, params: dict[str, Any], tab: str) -> None:
        step = step_of(method, params)
        if step is not None:
            self._add(step, tab)

    def _add(self, step: dict[str, Any], tab: str) -> None:
        if len(self._steps) >= MOST_STEPS:
            raise Wrong(f"does more than {MOST_STEPS:,} steps.")
        step["tab"] = tab
        if tab in self._pages:
            step["page"] = {"url": self._pages[tab]}
        if step["op"] == "navigate":
            self._pages[tab] = step["value"]
            step["after"] = {"url": step["value"]}
        self._steps.append(step)


def _options(given: Mapping[str, Any]) -> list[Any]:
    found: list[Any] = []
    for key in ("options", "label", "value", "index"):
        values = given.get(key)
        for value in values if isinstance(values, list) else [] if values is None else [values]:
            found.append({"index" if key == "index" else "label": _plain(value)})
    return found


def _plain(value: Any) -> Any:
    """A value as a parameter: text that has to be worked out is its slot, a locator its chain."""
    if isinstance(value, Unknown):
        return text_of(value)
    if isinstance(value, Locator):
        return value.chain
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else "value"
