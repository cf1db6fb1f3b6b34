"""What usually comes next: given an instruction and the steps taken so far, the actions that a memory expects, with shares.

Four readings of the graph, each a distribution over the actions of a site:

- **ways**: every way of a task, unfolded, is laid against the steps taken; the action after the place where it fits counts,
  the more of the last steps agree and the more the task's words are the instruction's. This is what an agent does with
  AWM's workflows (Agent Workflow Memory, section 2.3), and finds the place in a routine that another one calls.
- **following**: NEXT of the action that the last step was; before the first step, the first actions of the ways.
- **task**: the actions of ways whose task is worded like the instruction, but for those already done, wherever they stand.
- **uses**: how often an action was done at all.

``shares`` mixes them, the surer first (interpolation by Witten and Bell: a distribution from n observations of k kinds gets
n / (n + k) of what is left). A site that is not known is read from all sites of its domain, else from all: actions of one
operation, role and name are one there, and count by sites.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum, log
from typing import TypeVar

from graphmem.model.graph import Graph
from graphmem.model.trajectory import Step
from graphmem.model.workflow import Action
from graphmem.model.workflow_json import action_from_properties
from graphmem.store.derived import read_parts
from graphmem.store.protocol import Store
from graphmem_agents.words import tokens
from graphmem_induction.describe import role_of, tidy
from graphmem_induction.slots import occurs

#: How many of the last steps decide where in a way one is.
LOOK_BACK = 4
#: A way of a task that shares no word with the instruction counts this much beside one that shares all.
_ANY_TASK = 0.02

Weights = dict[int, float]
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Way:
    """A way, unfolded to indexes of actions, with the words of its task."""

    words: frozenset[str]
    actions: tuple[int, ...]
    uses: int = 1


@dataclass(frozen=True)
class Habits:
    """What one site (or several, joined) usually does. ``following``: counts of the action after each action."""

    actions: tuple[Action, ...]
    uses: tuple[int, ...]
    following: Mapping[int, Mapping[int, int]]
    ways: tuple[Way, ...]

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """How much a word of an instruction says: log of one over the share of ways whose task has it."""
        counts: dict[str, int] = defaultdict(int)
        for way in self.ways:
            for word in way.words:
                counts[word] += 1
        return {word: log((len(self.ways) + 1) / count) for word, count in counts.items()}

    @cached_property
    def rarest(self) -> float:
        return max(self.rarity.values(), default=1.0)

    @cached_property
    def places(self) -> Mapping[int, Sequence[tuple[Way, int]]]:
        """For each action the ways that do something after it, and where that stands."""
        found: dict[int, list[tuple[Way, int]]] = defaultdict(list)
        for way in self.ways:
            for at in range(1, len(way.actions)):
                found[way.actions[at - 1]].append((way, at))
        return found

    @cached_property
    def named(self) -> Mapping[tuple[str, str, str], Sequence[int]]:
        """Actions by operation, role and constant name, case folded."""
        return self._grouped(lambda a: None if "name" in a.slots else (a.op, a.role, a.name.casefold()))

    @cached_property
    def opened(self) -> Mapping[tuple[str, str], Sequence[int]]:
        """Actions whose name is a slot, by operation and role."""
        return self._grouped(lambda a: (a.op, a.role) if "name" in a.slots else None)

    def _grouped(self, kind: Callable[[Action], K | None]) -> Mapping[K, Sequence[int]]:
        found: dict[K, list[int]] = defaultdict(list)
        for n, action in enumerate(self.actions):
            group = kind(action)
            if group is not None:
                found[group].append(n)
        return dict(found)


@dataclass(frozen=True)
class Expected:
    """The four distributions by index of action, each summing to 1 or empty, and ``shares``, their mixture."""

    ways: Weights
    following: Weights
    task: Weights
    uses: Weights
    shares: Weights


def read(store: Store, site: str) -> Habits:
    """The habits of one site, as the store has them."""
    labels = ["Task", "Subtask", "Action"]
    return habits(read_parts(store, site, labels, ["HAS_WAY", "HAS_SUBTASK", "HAS_ACTION", "NEXT"]))


def habits(graph: Graph) -> Habits:
    """The habits that the derived graph of a site tells of. What failed too often and never worked is left out."""
    nodes = {node.key: node for node in graph.nodes if node.properties.get("status") != "quarantined"}
    keys = sorted(key for key, node in nodes.items() if node.label == "Action")
    index = {key: n for n, key in enumerate(keys)}
    calls: dict[str, list[tuple[int, str]]] = defaultdict(list)
    following: dict[int, dict[int, int]] = defaultdict(dict)
    for link in graph.relationships:
        if link.kind[1] in ("HAS_ACTION", "HAS_SUBTASK"):
            calls[link.start].append((link.properties["index"], link.end))
        elif link.kind[1] == "NEXT" and link.start in index and link.end in index:
            following[index[link.start]][index[link.end]] = link.properties["count"]
    ways = [
        Way(words(nodes[link.start].properties["text"]), steps, link.properties["uses"])
        for link in sorted((r for r in graph.relationships if r.kind[1] == "HAS_WAY"), key=lambda r: (r.start, r.end))
        if link.start in nodes and (steps := tuple(_unfolded(link.end, calls, index)))
    ]
    return Habits(
        tuple(action_from_properties(nodes[key].properties) for key in keys),
        tuple(nodes[key].properties["uses"] for key in keys),
        following,
        tuple(ways),
    )


def _unfolded(key: str, calls: Mapping[str, Sequence[tuple[int, str]]], index: Mapping[str, int]) -> Iterator[int]:
    for _, called in sorted(calls.get(key, ())):
        if called in index:
            yield index[called]
        else:
            yield from _unfolded(called, calls, index)


def joined(several: Iterable[Habits]) -> Habits:
    """The habits of several sites as those of one that is none of them: actions of one operation, role, name and slots are
    one, and each site counts once."""
    places: dict[tuple[object, ...], int] = {}
    actions: list[Action] = []
    uses: list[int] = []
    following: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    ways: list[Way] = []
    for site in several:
        here = []
        for action in site.actions:
            kind = (action.op, action.role, action.name.casefold(), action.slots)
            if kind not in places:
                places[kind] = len(actions)
                actions.append(action)
                uses.append(0)
            here.append(places[kind])
        for place in set(here):
            uses[place] += 1
        for before, after in {(here[a], here[b]) for a, counts in site.following.items() for b in counts}:
            following[before][after] += 1
        ways += [Way(way.words, tuple(here[n] for n in way.actions), way.uses) for way in site.ways]
    return Habits(tuple(actions), tuple(uses), {a: dict(counts) for a, counts in following.items()}, tuple(ways))


def expected(memory: Habits, instruction: str, history: Sequence[Step]) -> Expected:
    """What comes after ``history`` (the steps taken so far, all on the site)."""
    done = [known_as(memory, instruction, step) for step in history]
    taken = done[-LOOK_BACK:]
    said = words(instruction)
    by_way = _normal(_by_way(memory, said, taken, first=not history))
    by_task = _normal(_by_task(memory, said, frozenset().union(*done)))
    following: Weights = defaultdict(float)
    if history:
        for before in taken[-1]:
            for after, count in memory.following.get(before, {}).items():
                following[after] += count
    else:
        for way in memory.ways:
            following[way.actions[0]] += way.uses
    uses = {n: float(count) for n, count in enumerate(memory.uses) if count}
    mixed = _mixed([following, uses], _halved(by_way, by_task))
    return Expected(by_way, _normal(following), by_task, _normal(uses), mixed)


def known_as(memory: Habits, instruction: str, step: Step) -> frozenset[int]:
    """The actions that a step may have been: of its operation and role, with its name, or with an open name that the
    instruction says."""
    target = step.target
    role = role_of(target) if target else ""
    name = tidy(target.called()).casefold() if target else ""
    found = memory.named.get((step.op, role, name), ())
    if not found and name and occurs(name, instruction):
        found = memory.opened.get((step.op, role), ())
    return frozenset(found)


def _by_way(memory: Habits, said: frozenset[str], taken: Sequence[frozenset[int]], *, first: bool) -> Weights:
    """For each action the ways that would do it now, each weighed by its task and by how many of the last steps agree."""
    found: Weights = defaultdict(float)
    places = (
        [(way, 0) for way in memory.ways] if first else [p for done in taken[-1] for p in memory.places.get(done, ())]
    )
    for way, at in places:
        like = _ANY_TASK + alike(memory, said, way.words) ** 2
        found[way.actions[at]] += like * way.uses * float(3 ** _agreeing(way.actions[:at], taken))
    return found


def _by_task(memory: Habits, said: frozenset[str], done: frozenset[int]) -> Weights:
    """For each action not done yet the ways that do it, each weighed by how its task is worded."""
    found: Weights = defaultdict(float)
    for way in memory.ways:
        if like := alike(memory, said, way.words) ** 2:
            for n in set(way.actions) - done:
                found[n] += like
    return found


def _agreeing(before: Sequence[int], taken: Sequence[frozenset[int]]) -> int:
    """How many of the last steps, in a row, are the last of the way up to here."""
    count = 0
    for done, step in zip(reversed(before), reversed(taken), strict=False):
        if done not in step:
            break
        count += 1
    return count


def alike(memory: Habits, said: frozenset[str], known: frozenset[str]) -> float:
    """Share of the words of two tasks that they have in common, 0-1, rare words counting more."""
    rarity, most = memory.rarity, memory.rarest
    # Exact sums, as sets come in another order in each process.
    total = fsum(rarity.get(word, most) for word in said | known)
    return fsum(rarity.get(word, most) for word in said & known) / total if total else 0.0


def words(text: str) -> frozenset[str]:
    """The words of a task that say something: no marks, slots or small words."""
    return frozenset(t.norm for t in tokens(text) if t.kind not in ("mark", "slot") and t.weight > 0.3)


def _normal(weights: Weights) -> Weights:
    total = sum(weights.values())
    return {n: weight / total for n, weight in weights.items()} if total else {}


def _halved(one: Weights, other: Weights) -> Weights:
    """Half of each; all of one where the other is empty."""
    return _normal({n: one.get(n, 0.0) + other.get(n, 0.0) for n in {*one, *other}})


def _mixed(counted: Sequence[Weights], surest: Weights) -> Weights:
    """``surest`` with a half, then each of ``counted`` with the share of what is left that its evidence earns."""
    left = 0.5 if surest else 1.0
    mixed: Weights = defaultdict(float)
    for n, share in surest.items():
        mixed[n] += 0.5 * share
    for counts in counted:
        total = sum(counts.values())
        earned = left * total / (total + len(counts)) if counts else 0.0
        for n, share in _normal(counts).items():
            mixed[n] += earned * share
        left -= earned
    return _normal(mixed)


def texts_of(action: Action) -> str:
    """All that is known of the action's element, as words: name, label, placeholder, text and attributes."""
    target = action.target
    if target is None:
        return ""
    near = [target.near.form, target.near.section]
    said = [
        target.name,
        target.label,
        target.placeholder,
        target.text,
        *(value for _, value in target.attributes),
        *near,
    ]
    return " ".join(dict.fromkeys(part for part in said if part))
