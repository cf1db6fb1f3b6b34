"""Memory: the table of calls. Each is a line or two over the layer that does the work.

A call imports its layer when it is made: counting nodes must not wait for a tokenizer, and an agent that only recalls must
not load what reads files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from graphmem.memory import asking, deciding, finding, hierarchy, learning, showing
from graphmem.memory.deciding import Act, Decided
from graphmem.memory.files import existing, write_whole
from graphmem.memory.finding import Found
from graphmem.memory.learning import LearnReport, Progress, Recordings
from graphmem.memory.run import Run, recording
from graphmem.model.decision import LABELS
from graphmem.store import recordings
from graphmem.store.open import open_store
from graphmem.store.protocol import Store, Table

if TYPE_CHECKING:
    import networkx as nx

    from graphmem.memory.comparing import Comparison
    from graphmem.memory.merging import Suggestion
    from graphmem.memory.versions import Version
    from graphmem.model.plan import Plan
    from graphmem.store.dump import Loaded
    from graphmem_agents.recall import Hit
    from graphmem_induction.learn import Induced


class Memory:
    """What is known of web tasks, in one store. Use it as a context manager, or ``close`` it."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @classmethod
    def open(cls, url: str | None = None, *, wait: float = 30.0) -> Self:
        """A folder, ``memory:``, or ``neo4j://``; without ``url`` as the environment says, else the folder ``.graphmem``.
        ``wait``: seconds to wait for a folder that another process holds. StoreUnavailable, StoreHeld, StoreMismatch."""
        return cls(open_store(url, wait=wait))

    def close(self) -> None:
        """Let go of the store. A ``memory:`` store is gone then."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- recordings in -------------------------------------------------------------------------------------------------

    def learn(
        self,
        given: Recordings,
        *,
        format: str | None = None,
        site: str | None = None,
        inducer: str | None = None,
        workers: int | None = None,
        progress: Progress = learning.ignore,
    ) -> LearnReport:
        """Read recordings (paths, or Trajectory values), store them, and induce the sites that they touch. What cannot be
        read is in the report, not raised. ``workers``: as for ``induce``."""
        return learning.learn(
            self.store, given, format=format, site=site, inducer=inducer, workers=workers, progress=progress
        )

    def import_(
        self,
        given: Recordings,
        *,
        format: str | None = None,
        site: str | None = None,
        progress: Progress = learning.ignore,
    ) -> LearnReport:
        """The first half of ``learn``: read and store."""
        return learning.store_recordings(self.store, given, format=format, site=site, progress=progress)

    def induce(
        self,
        *,
        inducer: str | None = None,
        everything: bool = False,
        workers: int | None = None,
        progress: Progress = learning.ignore,
    ) -> Induced:
        """The second half of ``learn``: derive the graph of every site whose recordings changed, or of ``everything``.
        ``workers``: processes to spread the sites over; None is GRAPHMEM_WORKERS, else one a core where there is much to
        do. However many there are, the graph is the same."""
        return learning.induce(self.store, inducer=inducer, everything=everything, workers=workers, progress=progress)

    def record(
        self, task: str, *, site: str = "", domain: str = "", run_id: str = "", template: str = ""
    ) -> AbstractContextManager[Run]:
        """A recording from one's own loop, stored at the end of the block; ``induce`` then learns from it."""
        said = {"site": site, "domain": domain, "run_id": run_id, "template": template}
        return recording(self.store, task, {name: value for name, value in said.items() if value})

    def judge(self, key: str, verdict: str, *, by: str = "person", reward: float | None = None) -> str:
        """Say how a recording went (success, failure, unknown), and induce again. The verdict that now holds."""
        found = self.find(key, labels=("Trajectory",))
        verdict = recordings.judge(self.store, found.key, verdict, by=by, at=learning.stamp(), reward=reward)
        self.induce()
        return verdict

    def forget(self, key: str) -> Found:
        """Remove a recording, and induce again: the graph is then one that never saw it. What was removed."""
        found = self.find(key, labels=("Trajectory",))
        recordings.forget(self.store, found.key)
        self.induce()
        return found

    # -- what a person decides ---------------------------------------------------------------------------------------

    def rename(self, key: str, name: str, *, by: str = "person", note: str = "") -> Decided:
        """Call a task, subtask or action ``name``, whatever it becomes; and induce again."""
        return deciding.rename(self.store, self.find(key, labels=LABELS), name, by=by, note=note)

    def quarantine(self, key: str, *, lift: bool = False, by: str = "person", note: str = "") -> Decided:
        """Keep a task, subtask or action out of plans, or, with ``lift``, let it back in; and induce again."""
        return deciding.quarantine(self.store, self.find(key, labels=LABELS), lift=lift, by=by, note=note)

    def edit(
        self,
        key: str,
        *,
        step: int | None = None,
        action: Mapping[str, str] | None = None,
        slot: str = "",
        name: str = "",
        type: str = "",
        by: str = "person",
        note: str = "",
    ) -> Decided:
        """Change an action (``action``: op, role, name, value, row, column) by its key or as ``step`` 1, 2 ... of a task or
        subtask; or the ``name`` or ``type`` of a ``slot`` of a task or subtask. And induce again."""
        from graphmem.memory import editing

        found = self.find(key, labels=LABELS)
        what = editing.Edit(step, dict(action or {}), slot, name, type)
        return editing.edit(self.store, found, what, by=by, note=note)

    def merges(self, site: str | None = None, *, across: bool = False, k: int = 10) -> list[Suggestion]:
        """Pairs of nodes that may be one, the likeliest first, with what merging each would change; or, ``across`` sites,
        that may have something in common. Nothing is written."""
        from graphmem.memory import merging

        return merging.suggestions(self.store, site, across=across, k=k)

    def merge_preview(self, a: str, b: str) -> Suggestion:
        """What merging two tasks, subtasks or actions of a site would change. Nothing is written."""
        from graphmem.memory import merging

        return merging.previewed(self.store, [self.find(key, labels=LABELS) for key in (a, b)])

    def merge(self, a: str, b: str, *, by: str = "person", note: str = "") -> Decided:
        """Make two tasks, subtasks or actions of a site one, now and whenever more is learnt; or say what two sites' subtasks
        or actions have in common. And induce again."""
        from graphmem.memory import merging

        pair = [self.find(key, labels=LABELS) for key in (a, b)]
        return merging.apply(self.store, pair, by=by, note=note)

    def not_a_duplicate(self, a: str, b: str, *, by: str = "person", note: str = "") -> Decided:
        """Keep two nodes apart, and never be asked again; or two recordings, which are then of two tasks."""
        from graphmem.memory import merging

        pair = [self.find(key, labels=(*LABELS, "Trajectory")) for key in (a, b)]
        return merging.refuse(self.store, pair, by=by, note=note)

    def versions(self, key: str) -> list[Version]:
        """The versions of a task, subtask or action, the newest first: what changed, when, and what it came from."""
        from graphmem.memory import versions

        return versions.versions(self.store, self.find(key, labels=LABELS))

    def diff(self, a: str, b: str) -> Comparison:
        """How two nodes differ, or two versions of one: keys, names, or ``KEY@VERSION``."""
        from graphmem.memory import comparing, versions

        (_, one, before), (_, other, after) = versions.named(self.store, a), versions.named(self.store, b)
        return comparing.compare(one, before, other, after)

    def rollback(self, key: str, *, to: str | None = None, by: str = "person", note: str = "") -> Decided:
        """Let an earlier version of a subtask or action stand again, the one before or ``to`` (its number or key), as long
        as nothing more is learnt of it. And induce again."""
        from graphmem.memory import versions

        return versions.roll_back(self.store, self.find(key, labels=LABELS), to, by=by, note=note)

    def last_act(self) -> Act:
        """What ``undo`` would take back. NotFound where nothing was done."""
        return deciding.last(self.store)

    def undo(self) -> Act:
        """Take back the last learn, merge, judgement or decision, and induce again: the graph is then the one from
        before. What was taken back; NotFound where nothing was done."""
        return deciding.undo(self.store)

    # -- out of memory -------------------------------------------------------------------------------------------------

    def plan(
        self,
        task: str,
        *,
        site: str | None = None,
        domain: str | None = None,
        values: Mapping[str, str] | None = None,
    ) -> Plan:
        """A plan for ``task``; ``values`` are by slot. ``fits`` is false where nothing known bears on it."""
        from graphmem_agents.compose import plan

        return plan(self.store, task, site=site, domain=domain, values=values or {})

    def recall(self, task: str, *, site: str | None = None, k: int = 5) -> list[Hit]:
        """The ``k`` tasks and subtasks that bear most on ``task``, best first."""
        from graphmem_agents.recall import recall

        return recall(self.store, task, site=site, k=k)

    def text(self, task: str, *, site: str | None = None, budget: int = 2000) -> str:
        """What bears on ``task`` as AWM's memory text, in at most ``budget`` tokens: for an agent's prompt."""
        from graphmem_agents.memory_text import memory_text

        return memory_text(self.store, task, site=site, budget=budget)

    def tools(self, task: str, *, site: str | None = None) -> list[dict[str, Any]]:
        """What bears on ``task`` as callable tools, in the form of OpenAI's function calling."""
        from graphmem_agents.tools import tools

        return tools(self.store, task, site=site)

    # -- looking around ------------------------------------------------------------------------------------------------

    def query(self, name: str, /, **parameters: Any) -> Table:
        """The rows of a named query of the library."""
        return asking.ask(self.store, name, parameters)

    def cypher(
        self, statement: str, parameters: Mapping[str, Any] | None = None, *, limit: int = 1000, seconds: float = 30.0
    ) -> Table:
        """The rows of a Cypher statement, read-only; ``limit`` 0 is all. ReadOnlyRefused, StoreError."""
        return self.store.console(statement, parameters or {}, limit=limit, seconds=seconds)

    def find(self, key: str, *, labels: tuple[str, ...] = finding.LABELS) -> Found:
        """The node with this key, beginning of a key, or name. NotFound; UsageError when several are meant."""
        return finding.find(self.store, key, labels=labels)

    def workflows(self, site: str | None = None) -> list[dict[str, Any]]:
        """Tasks, and the subtasks that are called by name, most used first: their properties with ``label`` and ``key``."""
        return showing.workflows(self.store, site)

    def show(self, key: str) -> dict[str, Any]:
        """One node: its properties, what it is made of (``text``), who uses it, and the recordings that it came from."""
        return showing.show(self.store, self.find(key))

    def graph(self, root: str | None = None, *, evidence: bool = False) -> nx.MultiDiGraph:
        """The hierarchy (Domain, Site, Task, Subtask, Action), or what lies under ``root`` (a key or name): nodes with
        ``label`` and properties, edges with ``type`` and properties. ``evidence`` adds recordings, steps and pages."""
        key = None if root is None else self.find(root, labels=finding.LABELS[:5]).key
        return hierarchy.hierarchy(self.store, key, evidence=evidence)

    def stats(self) -> dict[str, Any]:
        """Counts, as ``graphmem stats --json`` gives them."""
        from graphmem.store.stats import stats

        return stats(self.store)

    def verify(self) -> dict[str, Any]:
        """Re-derive every key and law: ``{"ok", "checked", "faults", "stale"}``. A graph that another version of its inducer
        made is no fault, but ``stale``: induce, and verify again."""
        from graphmem.store.verify import verify
        from graphmem_induction.learn import outdated

        return verify(self.store, outdated=outdated(self.store))

    # -- out to files --------------------------------------------------------------------------------------------------

    def export(self, format: str, *, site: str | None = None, out: str | Path | None = None) -> str:
        """Recordings or workflows in another form: the text, or, with ``out``, the file that it was written to, whole or
        not at all. NotFound for a format that is not known."""
        parts = self.exported(format, site=site)
        return "".join(parts) if out is None else str(write_whole(out, parts))

    def exported(self, format: str, *, site: str | None = None) -> Iterator[str]:
        """``export`` in parts, for a store that is larger than memory; keep the memory open until the last one."""
        from graphmem.exporters import named

        return named(format).export(self.store, site=site)

    def dump(self, out: str | Path) -> str:
        """The whole store as one file of Cypher, for ``load``: the file that it was written to, whole or not at all."""
        return self.export("cypher", out=out)

    def load(self, path: str | Path, *, progress: Progress = learning.ignore) -> Loaded:
        """Fill an empty store from a dump of either kind of store. Nothing in the file is run: InputError names the line
        that is no part of a dump, before anything is written. UsageError for a store that is not empty."""
        from graphmem.store.dump import restore

        return restore(self.store, existing(path), progress=progress)

    def view(self, *, title: str = "graphmem", plan: Plan | None = None) -> str:
        """The hierarchy as one HTML page that needs no network, with ``plan`` laid over it."""
        from graphmem.view import render

        return render(self.graph(evidence=True), title=title, plan=plan)
