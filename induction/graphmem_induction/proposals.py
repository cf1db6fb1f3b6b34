"""Nodes of one site that may be the same: what a person is asked about before anything is merged.

Equal things are one already, by their keys. Near ones are proposed, never merged by themselves:

    actions     the same operation on elements of the same class (a link and a button are both pressed), whose names have
                the same head: one name's words are all in the other's, or nearly all. Words that name the role say nothing,
                so "Approved option" and "Pending option" have nothing in common; different numbers, rows or columns are
                different things
    subtasks    two routines of a kind most of whose steps are the same or near, in the same order
    tasks       two templates with nearly the same words

Two that a routine does both of in one go are less likely to be one. A proposal is a function of the site's graph alone.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import Any

from graphmem.model.graph import Graph, Node, Relationship

#: Scores below this are not shown. 1 is the same in all that is compared.
LEAST = 0.65
#: Share of steps that two routines have in common, at least.
_STEPS = 0.75
#: What is left of a score where one routine does both, and where the two stand in different places.
_BOTH, _ELSEWHERE = 0.6, 0.85
#: A word that more nodes have says nothing.
_COMMON = 60
_COMMON_ACROSS = 400

_CLASSES: Mapping[str, str] = {
    **dict.fromkeys(("button", "link", "menuitem", "tab", "img", "svg", "span", "div", "a", "generic"), "pressed"),
    **dict.fromkeys(("textbox", "searchbox", "combobox", "spinbutton", "input"), "filled"),
    **dict.fromkeys(("option", "radio", "listitem", "menuitemradio", "cell", "gridcell", "treeitem", "li"), "chosen"),
    **dict.fromkeys(("checkbox", "switch", "menuitemcheckbox"), "ticked"),
}
_NO_ELEMENT = frozenset({"navigate", "answer", "wait", "press", "scroll"})
#: Words of a control's name that only say what kind of control it is, and words that hold others together.
_EMPTY = frozenset(
    {"button", "link", "option", "field", "box", "textbox", "icon", "menu", "tab", "item", "input"}
    | {"the", "a", "an", "to", "of", "for", "in", "on", "and", "or", "your", "my", "this"}
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Proposal:
    """Two nodes that may be one. ``alike``: for subtasks, the actions that would have to be one for that."""

    label: str
    keys: tuple[str, str]
    score: float
    why: str
    alike: tuple[tuple[str, str], ...] = ()


def proposals(
    graph: Graph, refused: Iterable[frozenset[str]] = (), general: Mapping[str, str] | None = None
) -> list[Proposal]:
    """What may be the same on a site, the likeliest first. ``refused``: pairs of keys that nobody is asked about again.

    With ``general`` (node -> the general node that it is a special case of) ``graph`` is that of all sites together, and the
    pairs are of two sites each: actions and subtasks that may have something in common and are not known to."""
    gone = set(refused)
    site = _Site(graph, gone, general)
    found = [*site.actions(), *site.subtasks(), *(site.tasks() if general is None else [])]
    kept = [p for p in found if p.score >= LEAST and frozenset(p.keys) not in gone]
    return sorted(kept, key=lambda p: (-p.score, p.label, p.keys))


def alike(graph: Graph, one: str, other: str) -> tuple[tuple[str, str], ...]:
    """For two subtasks, whoever names them: the pairs of actions in the same place that are not the same yet."""
    site = _Site(graph)
    return tuple(pair for pair in site.aligned(one, other, near=site.same_act)[1] if pair[0] != pair[1])


class _Site:
    def __init__(
        self, graph: Graph, refused: Iterable[frozenset[str]] = (), general: Mapping[str, str] | None = None
    ) -> None:
        self.nodes = {node.key: node for node in graph.nodes}
        self.general = general
        special: dict[str, set[str]] = defaultdict(set)
        for key, above in (general or {}).items():
            special[above].add(self.nodes[key].properties["site"])
        #: Node -> the sites that have a special case of the same general node.
        self.has: dict[str, set[str]] = defaultdict(
            set, {key: special[above] for key, above in (general or {}).items()}
        )
        self.calls: dict[str, list[Relationship]] = defaultdict(list)
        self.ways: dict[str, set[str]] = defaultdict(set)
        for link in graph.relationships:
            if link.kind[1] in ("HAS_ACTION", "HAS_SUBTASK"):
                self.calls[link.start].append(link)
            elif link.kind[1] == "HAS_WAY":
                self.ways[link.start].add(link.end)
        for calls in self.calls.values():
            calls.sort(key=lambda link: link.properties["index"])
        self._flat: dict[str, list[str]] = {}
        self._near: dict[frozenset[str], float] = dict.fromkeys(refused, 0.0)
        self._roots: dict[str, set[str]] = defaultdict(set)
        called = {link.end for calls in self.calls.values() for link in calls}
        #: What tasks come down to: a subtask that is only a draft is asked about by nobody.
        self.wanted = called | {way for ways in self.ways.values() for way in ways}
        for key in self.of("Subtask"):
            if key not in called:
                for below in (*self.flat(key), *self.below(key)):
                    self._roots[below].add(key)

    def of(self, label: str) -> list[str]:
        return sorted(key for key, node in self.nodes.items() if node.label == label)

    def flat(self, key: str) -> list[str]:
        """The actions that a subtask comes down to, control steps once through."""
        if key not in self._flat:
            self._flat[key] = [
                action
                for link in self.calls[key]
                for action in ([link.end] if link.kind[1] == "HAS_ACTION" else self.flat(link.end))
            ]
        return self._flat[key]

    def below(self, key: str) -> set[str]:
        found: set[str] = set()
        for link in self.calls[key]:
            if link.kind[1] == "HAS_SUBTASK":
                found |= {link.end} | self.below(link.end)
        return found

    def both_in(self, one: str, other: str) -> bool:
        """Whether one routine does both."""
        return bool(self._roots[one] & self._roots[other])

    def pairs(self, groups: Mapping[Any, Sequence[str]]) -> list[tuple[str, str]]:
        """Every two that share a group which is not too common, once; of two sites where sites are compared."""
        most = _COMMON if self.general is None else _COMMON_ACROSS
        held = (sorted(set(keys)) for keys in groups.values())
        return sorted({p for keys in held if len(keys) <= most for p in combinations(keys, 2) if self.may_be(*p)})

    def may_be(self, one: str, other: str) -> bool:
        """Not where a site has its own special case already of what the other one's node is a special case of."""
        if self.general is None:
            return True
        sites = (self.nodes[one].properties["site"], self.nodes[other].properties["site"])
        return sites[0] != sites[1] and sites[1] not in self.has[one] and sites[0] not in self.has[other]

    # -- actions -------------------------------------------------------------------------------------------------------

    def actions(self) -> Iterator[Proposal]:
        by_word: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        for key in self.of("Action"):
            p = self.nodes[key].properties
            for word in sorted(_words(_called(self.nodes[key]))) or [""]:
                by_word[p["op"], _CLASSES.get(p["role"], p["role"]), word].append(key)
        for one, other in self.pairs(by_word):
            score = self.near(one, other)
            if score >= LEAST:
                yield Proposal("Action", (one, other), round(score, 3), self._why(one, other))

    def near(self, one: str, other: str) -> float:
        """How alike two actions are, 0 to 1."""
        pair = frozenset((one, other))
        if pair not in self._near:
            score = _near(self.nodes[one], self.nodes[other])
            self._near[pair] = score * (_BOTH if score and self.both_in(one, other) else 1.0)
        return self._near[pair]

    def same_act(self, one: str, other: str) -> bool:
        """Whether two actions could be one at all: the same operation on the same class of element."""
        p, q = self.nodes[one].properties, self.nodes[other].properties
        classes = [_CLASSES.get(r["role"], r["role"]) for r in (p, q)]
        return bool(p["op"] == q["op"] and classes[0] == classes[1])

    def _why(self, one: str, other: str) -> str:
        a, b = self.nodes[one], self.nodes[other]
        names = sorted((_called(a), _called(b)), key=len)
        said = "the same name" if names[0] == names[1] else f'"{names[0]}" is in "{names[1]}"'
        if names[0] != names[1] and not _words(names[0]) <= _words(names[1]):
            said = f'"{names[0]}" and "{names[1]}" have most words in common'
        roles = sorted({a.properties["role"], b.properties["role"]})
        acted = f"{a.properties['op']} on a {' and a '.join(roles)}"
        return f"{acted}: {said}" + ("; one routine does both" if self.both_in(one, other) else "")

    # -- subtasks ------------------------------------------------------------------------------------------------------

    def subtasks(self) -> Iterator[Proposal]:
        by_action: dict[str, list[str]] = defaultdict(list)
        near = {pair: score for pair, score in self._near.items() if score >= LEAST}
        stands_for: dict[str, set[str]] = defaultdict(set)
        for pair in near:
            for key in pair:
                stands_for[key] |= pair
        for key in self.of("Subtask"):
            plain = self.nodes[key].properties["kind"] in ("sequence", "any_order")
            if plain and key in self.wanted and len(self.flat(key)) > 1:
                for action in {a for step in self.flat(key) for a in (stands_for[step] or {step})}:
                    by_action[action].append(key)
        for one, other in self.pairs(by_action):
            if self.nodes[one].properties["kind"] != self.nodes[other].properties["kind"]:
                continue
            if one in self.below(other) or other in self.below(one):
                continue
            share, aligned = self.aligned(one, other, near=lambda a, b: self.near(a, b) >= LEAST)
            if share >= _STEPS:
                score = share * (_BOTH if self.both_in(one, other) else 1.0)
                pairs = tuple(pair for pair in aligned if pair[0] != pair[1])
                if share == 1.0 and pairs:
                    continue  # they are one as soon as their actions are, which are proposed themselves
                same, of = len(aligned), max(len(self.flat(one)), len(self.flat(other)))
                why = f"{same} of {of} steps are the same" + (f", {len(pairs)} of them nearly" if pairs else "")
                yield Proposal("Subtask", (one, other), round(score, 3), why, pairs)

    def aligned(self, one: str, other: str, *, near: Callable[[str, str], bool]) -> tuple[float, list[tuple[str, str]]]:
        """The share of steps that two routines have in common, in order, and which steps these are."""
        a, b = self.flat(one), self.flat(other)
        best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
        fits = [[x == y or near(x, y) for y in b] for x in a]
        for i in reversed(range(len(a))):
            for j in reversed(range(len(b))):
                best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + 1 if fits[i][j] else 0)
        pairs, i, j = [], 0, 0
        while i < len(a) and j < len(b):
            if fits[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
                pairs.append((a[i], b[j]))
                i, j = i + 1, j + 1
            elif best[i + 1][j] >= best[i][j + 1]:
                i += 1
            else:
                j += 1
        return (2 * len(pairs) / (len(a) + len(b)) if a or b else 0.0), pairs

    # -- tasks ---------------------------------------------------------------------------------------------------------

    def tasks(self) -> Iterator[Proposal]:
        by_word: dict[str, list[str]] = defaultdict(list)
        for key in self.of("Task"):
            for word in _template(self.nodes[key]):
                by_word[word].append(key)
        for one, other in self.pairs(by_word):
            if _goes_on(_said(self.nodes[one]), _said(self.nodes[other])):
                continue
            a, b = (_template(self.nodes[key]) for key in (one, other))
            share = len(a & b) / len(a | b)
            order = SequenceMatcher(None, _said(self.nodes[one]), _said(self.nodes[other]), autojunk=False).ratio()
            shared = bool(self.ways[one] & self.ways[other])
            score = min(1.0, (share + order) / 2 + (0.15 if shared else 0.0))
            if score >= LEAST and a != b | {""}:
                why = f"{round(100 * share)} % of the words are the same" + (
                    "; both are done one way" if shared else ""
                )
                yield Proposal("Task", (one, other), round(score, 3), why)


def _near(one: Node, other: Node) -> float:
    p, q = one.properties, other.properties
    if p["op"] in _NO_ELEMENT or sorted(p["slots"]) != sorted(q["slots"]) or p["value"] != q["value"]:
        return 0.0
    places = [json.loads(r["target"]).get("near", {}) for r in (p, q)]
    if any(places[0].get(part, "") != places[1].get(part, "") for part in ("row", "column")):
        return 0.0
    elsewhere = any(
        places[0].get(part) and places[1].get(part) and places[0][part] != places[1][part]
        for part in ("form", "section")
    )
    return _names(_called(one), _called(other)) * (_ELSEWHERE if elsewhere else 1.0)


def _names(one: str, other: str) -> float:
    """How alike two names are, 0 to 1: the share of common words, more where one name is a part of the other."""
    a, b = _words(one), _words(other)
    if one.casefold() == other.casefold():
        return 1.0
    if not a or not b or _numbers(a) != _numbers(b):
        return 0.0
    share = len(a & b) / len(a | b)
    return max(share, 0.7 + 0.3 * share) if a <= b or b <= a else share


def _numbers(words: Iterable[str]) -> set[str]:
    return {word for word in words if any(c.isdigit() for c in word)}


def _words(name: str) -> set[str]:
    return {word for word in _WORD.findall(name.casefold()) if word not in _EMPTY}


def _called(node: Node) -> str:
    target = json.loads(node.properties["target"])
    found = (target.get(part) for part in ("name", "label", "placeholder", "text"))
    return next((str(text) for text in found if text), "")


def _said(task: Node) -> list[str]:
    """The words of a template in order, its slots as one word each."""
    return _WORD.findall(re.sub(r"\{[^}]*\}", " _ ", task.properties["text"].casefold()))


def _goes_on(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one instruction is the other with a further thing to do, which makes two tasks of them."""
    short, long = sorted((one, other), key=len)
    return list(long[: len(short)]) == list(short) and long[len(short) : len(short) + 1] in (["and"], ["then"])


def _template(task: Node) -> set[str]:
    return {word for word in _said(task) if word != "_" and word not in _EMPTY}
