"""The workflow measures of Mind2Web without its rankers: what workflows cover, and what general ones know of unseen sites.

    python -m benchmarks.workflows [--limit N] [--out FILE]

- ``cross_task``: the workflow rows of ``benchmarks.mind2web``, for ``rule``, ``graph`` and ``ngrams``;
- ``cross_website``: ``explained``, ``precision`` and ``general_workflows`` (how many) of the general subtasks of ``rule`` and
  ``graph`` by the rules of ``general_measures``, beside ``ngrams``, all runs of steps that two training sites share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from benchmarks import general_measures, mind2web, mind2web_data, mind2web_workflows
from benchmarks.frame import Options, Report, run
from benchmarks.workflow_measures import Steps
from graphmem.store import open_store, recordings
from graphmem_induction.learn import induce


def measure(options: Options, report: Report) -> None:
    if options.store not in (None, "memory:"):
        raise SystemExit("workflows learns every split anew and takes no --store but memory:")
    records = list(islice(mind2web_data.records(options.data), options.limit))
    splits = {split.name: split for split in mind2web.all_splits(options.data)}
    of_sites(*parted(records, splits["cross_task"]), report)
    of_unseen_sites(*parted(records, splits["cross_website"]), report)
    report.settings |= {"inducers": list(mind2web.INDUCERS)}


def parted(
    records: Sequence[Mapping[str, Any]], split: mind2web.Split
) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """The records to learn from, and those to test on."""
    return [r for r in records if r["id"] not in split.held], [r for r in records if r["id"] in split.held]


def of_sites(training: Sequence[Mapping[str, Any]], tests: Sequence[Mapping[str, Any]], report: Report) -> None:
    trajectories = [mind2web_data.trajectory(record, pages=False) for record in training]
    learned = mind2web.learn(trajectories, [mind2web_workflows.recording(record) for record in training])
    found = mind2web.workflow_rows(training, tests, learned)
    mind2web.add_workflows("cross_task", found, report)


def of_unseen_sites(training: Sequence[Mapping[str, Any]], tests: Sequence[Mapping[str, Any]], report: Report) -> None:
    asked = [mind2web_workflows.recording(record) for record in tests]
    if not asked:
        report.say("cross_website: nothing to test on within the limit")
        return
    memories: dict[str, Sequence[Steps]] = dict(general_of_each(training))
    memories["ngrams"] = general_measures.shared_grams([mind2web_workflows.recording(r) for r in training])
    for system, workflows in memories.items():
        found = general_measures.measured(workflows, asked)
        report.add_value(system, "general_workflows", "cross_website", found.number)
        report.add(system, "explained", "cross_website", found.explained)
        if found.precision:
            report.add(system, "precision", "cross_website", found.precision)


def general_of_each(training: Sequence[Mapping[str, Any]]) -> dict[str, list[Steps]]:
    """The general subtasks of each inducer, learned into a store and read out of it again."""
    store = open_store("memory:")
    found = {}
    try:
        recordings.save(store, [mind2web_data.trajectory(record, pages=False) for record in training])
        for inducer in mind2web.INDUCERS:
            induce(store, inducer=inducer)
            found[inducer] = mind2web_workflows.general_workflows(store)
    finally:
        store.close()
    return found


if __name__ == "__main__":
    run("workflows", measure, about=__doc__)
