"""The read-only console: what a user's statement may say, before the engine's own read mode has the last word.

Writes are refused by the engines themselves (access mode on Neo4j, the query call on ArcadeDB). This module refuses what
a read still lets through there: LOAD CSV, SHOW, TERMINATE, USE, and procedures and functions that are not on a short
list, such as those that change a setting or reach outside. It looks at tokens, never at text: comments and strings are
taken out first, the way both engines read them. Comments are not sent on, and ``\\u`` escapes, which Neo4j resolves
before it looks for words and quotes, are refused, so what is checked is what runs.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from graphmem.errors import ReadOnlyRefused, UsageError
from graphmem.store.protocol import Row, Table


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STARTS = _words("MATCH OPTIONAL UNWIND WITH RETURN CALL")
_BANNED = _words("LOAD SHOW TERMINATE USE TRANSACTIONS")
#: Words that may stand before a parenthesis without being a function. The writing ones are left to the engine.
_WORDS = _words(
    """MATCH WHERE AND OR XOR NOT IN RETURN WITH BY THEN ELSE WHEN CASE UNWIND CALL UNION DISTINCT EXISTS COUNT COLLECT ALL
    ANY NONE SINGLE SHORTEST LIMIT SKIP OFFSET CONTAINS ON GROUP GROUPS ACYCLIC TRAIL WALK PATH PATHS CREATE MERGE SET
    DELETE REMOVE FOREACH"""
)
PROCEDURES = _words(
    "db.labels db.relationshiptypes db.propertykeys db.index.fulltext.querynodes db.index.vector.querynodes"
)
FUNCTIONS = _words(
    """all any exists isempty none single char_length character_length coalesce elementid endnode head id last length nullif
    properties randomuuid size startnode timestamp toboolean tobooleanornull tofloat tofloatornull tointeger
    tointegerornull type valuetype avg collect count max min percentilecont percentiledisc stdev stdevp sum keys labels
    nodes range reduce relationships reverse tail tobooleanlist tofloatlist tointegerlist tostringlist abs ceil floor
    isnan rand round sign e exp log log10 sqrt acos asin atan atan2 cos cot degrees haversin pi radians sin tan btrim left
    lower ltrim normalize replace right rtrim split substring tolower tostring tostringornull toupper trim upper date
    datetime localdatetime localtime time duration date.truncate datetime.truncate datetime.fromepoch
    datetime.fromepochmillis localdatetime.truncate duration.between duration.inmonths duration.indays duration.inseconds
    point point.distance point.withinbbox vector.similarity.cosine vector.similarity.euclidean shortestpath
    allshortestpaths"""
)
_TOKEN = re.compile(
    r"""(?P<comment>//[^\r\n]*|/\*.*?\*/)
      | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<quoted>`(?:[^`]|``)*`)
      | (?P<number>\d[\w]*(?:\.\d\w*)?)
      | (?P<word>\w+)
      | (?P<space>\s+)
      | (?P<sign>.)""",
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The keyword that an engine may read here: letters that only look or fold like others count as those."""
        return unicodedata.normalize("NFKC", self.text).upper() if self.kind == "word" else ""


@dataclass(frozen=True)
class Statement:
    """A statement that may run: ``text`` without comments, and the ``columns`` it names (None: it does not say)."""

    text: str
    columns: tuple[str, ...] | None
    aliases: frozenset[str]

    def table(self, rows: Iterable[Mapping[str, Any]], limit: int, graph: Callable[[Any], Any]) -> Table:
        """The first ``limit`` rows (0: all) with values as JSON has them; ``graph`` turns an engine's nodes,
        relationships and paths into maps, and gives other values back."""
        kept = list(rows) if limit <= 0 else list(islice(rows, limit + 1))
        truncated = 0 < limit < len(kept)
        shown = [{name: plain(value, graph) for name, value in row.items()} for row in kept[: limit or None]]
        columns = self._in_order(tuple(shown[0])) if shown else self.columns or ()
        return Table(columns, tuple({name: row[name] for name in columns} for row in shown), truncated)

    def _in_order(self, found: tuple[str, ...]) -> tuple[str, ...]:
        lost = sorted(self.aliases - set(found))
        if lost:
            raise UsageError(
                f"The column {lost[0]!r} has no value: the embedded engine drops an aggregate inside a map.",
                hint="Aggregate in a WITH before it.",
            )
        return self.columns if self.columns and set(self.columns) == set(found) else found


def check(statement: str, parameters: Mapping[str, Any]) -> Statement:
    """The statement, when it only reads. ReadOnlyRefused when it asks for more; UsageError when a parameter is missing
    or a quote is left open."""
    if re.search(r"\\[uU]", statement):
        raise _refused("an escape such as \\u0041", "Write the character itself, or give it as a parameter.")
    every = [_Token(match.lastgroup or "", match[0], *match.span()) for match in _TOKEN.finditer(statement)]
    text = "".join(" " if token.kind == "comment" else token.text for token in every)
    tokens = [token for token in every if token.kind not in ("comment", "space", "string")]
    while tokens and tokens[-1].text == ";":
        tokens.pop()
        text = text.rstrip().removesuffix(";")
    _check_shape(tokens)
    for index in range(len(tokens)):
        _check_word(tokens, index)
        _check_call(tokens, index)
        _check_parameter(tokens, index, parameters)
    columns, aliases = _columns(statement, [token for token in every if token.kind not in ("comment", "space")])
    return Statement(text.strip(), columns, aliases)


def plain(value: Any, graph: Callable[[Any], Any]) -> Any:
    """A value as JSON has it: times and the like become text, and so do numbers that JSON cannot write."""
    value = graph(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(name): plain(item, graph) for name, item in value.items()}
    for method in ("iso_format", "isoformat"):  # before tuples: Neo4j's durations and points are some
        if hasattr(value, method):
            return getattr(value, method)()
    return [plain(item, graph) for item in value] if type(value) in (list, tuple) else str(value)


def node(labels: Iterable[str], properties: Mapping[str, Any]) -> Row:
    """How a node is shown."""
    return {"labels": sorted(labels), "properties": dict(sorted(properties.items()))}


def relationship(kind: str, properties: Mapping[str, Any]) -> Row:
    """How a relationship is shown."""
    return {"type": kind, "properties": dict(sorted(properties.items()))}


def path(nodes: Iterable[Row], relationships: Iterable[Row]) -> Row:
    """How a path is shown: its nodes and relationships in the order in which it was walked."""
    return {"nodes": list(nodes), "relationships": list(relationships)}


def _check_shape(tokens: list[_Token]) -> None:
    if not tokens:
        raise UsageError("The statement is empty.", hint="For example: MATCH (t:Task) RETURN t.name")
    if tokens[0].word not in _STARTS:
        raise _refused(tokens[0].text, "Begin with MATCH, OPTIONAL MATCH, UNWIND, WITH, CALL or RETURN.")
    for before, token in pairwise(tokens):
        if token.text == ";":
            raise _refused("more than one statement", "Give one at a time.")
        if token.kind == "sign" and token.text in "'\"`":
            raise UsageError(f"A {token.text} is left open in the statement.")
        if before.text + token.text == "/*" and before.end == token.start:
            raise UsageError("A comment is left open in the statement.")


def _check_word(tokens: list[_Token], index: int) -> None:
    word = tokens[index].word
    before = tokens[index - 1].text if index else ""
    after = tokens[index + 1].word if index + 1 < len(tokens) else ""
    # After a dot, a colon or a dollar it is a property, a label or a parameter.
    if word in _BANNED and (before not in (".", ":", "$") or after == "CSV"):
        raise _refused(f"{word} {after}".strip(), f"A property or variable of this name goes in backticks: `{word}`.")


def _check_call(tokens: list[_Token], index: int) -> None:
    token = tokens[index]
    if token.word == "CALL" and (not index or tokens[index - 1].text not in (".", ":", "$")):
        name = _dotted(tokens, index + 1)
        if name and name.lower() not in PROCEDURES:
            raise _refused(f"the procedure {name}", f"Allowed are: {', '.join(sorted(PROCEDURES))}.")
    elif token.text == "(" and index and tokens[index - 1].kind in ("word", "quoted"):
        first = index - 1
        while first >= 2 and tokens[first - 1].text == "." and tokens[first - 2].kind in ("word", "quoted"):
            first -= 2
        name = _dotted(tokens, first)
        alone = first == index - 1 and tokens[first].word in _WORDS
        called = first and tokens[first - 1].word == "CALL" and name.lower() in PROCEDURES
        if not (alone or called or name.lower() in FUNCTIONS):
            raise _refused(f"the function {name}", "It is not among the functions of Cypher itself.")


def _dotted(tokens: list[_Token], index: int) -> str:
    """The dotted name that begins at ``index``; empty where none does."""
    parts: list[str] = []
    while index < len(tokens) and tokens[index].kind in ("word", "quoted"):
        text = tokens[index].text
        parts.append(text[1:-1].replace("``", "`") if tokens[index].kind == "quoted" else text)
        if index + 1 >= len(tokens) or tokens[index + 1].text != ".":
            break
        index += 2
    return ".".join(parts)


def _check_parameter(tokens: list[_Token], index: int, parameters: Mapping[str, Any]) -> None:
    if tokens[index].text != "$" or index + 1 >= len(tokens):
        return
    following = tokens[index + 1]
    name = following.text.strip("`")
    if following.kind in ("word", "quoted", "number") and name not in parameters:
        raise UsageError(f"The parameter ${name} has no value.", hint=f"Give one: --param {name}=VALUE")


def _columns(statement: str, tokens: list[_Token]) -> tuple[tuple[str, ...] | None, frozenset[str]]:
    """The columns of the last RETURN, as the engines name them, and those of them that an AS names."""
    depth, begin, depths = 0, None, []
    for index, token in enumerate(tokens):
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        depths.append(depth)
        if depth == 0 and token.word == "RETURN":
            begin = index + 1
    if begin is None:
        return None, frozenset()
    items: list[list[_Token]] = [[]]
    for token, level in zip(tokens[begin:], depths[begin:], strict=True):
        if level == 0 and (token.word in ("ORDER", "SKIP", "OFFSET", "LIMIT", "UNION") or token.text == ";"):
            break
        if level == 0 and token.text == ",":
            items.append([])
        elif not (token.word == "DISTINCT" and items == [[]]):
            items[-1].append(token)
    if any(not item or item[0].text == "*" for item in items):
        return None, frozenset()
    named = [_column(statement, item) for item in items]
    return tuple(name for name, _ in named), frozenset(name for name, alias in named if alias)


def _column(statement: str, item: list[_Token]) -> tuple[str, bool]:
    if len(item) > 2 and item[-2].word == "AS" and item[-1].kind in ("word", "quoted"):
        return _dotted(item, len(item) - 1), True
    return _dotted(item, 0) if len(item) == 1 else statement[item[0].start : item[-1].end], False


def _refused(what: str, hint: str) -> ReadOnlyRefused:
    return ReadOnlyRefused(f"The console only reads: {what} is refused.", hint=hint)
