"""The workflow measures of ``benchmarks.mind2web`` (cross-task split) alone, without its rankers.

python -m benchmarks.workflows [--limit N] [--out FILE]
"""

from __future__ import annotations

from itertools import islice

from benchmarks import mind2web, mind2web_data, mind2web_workflows
from benchmarks.frame import Options, Report, run


def measure(options: Options, report: Report) -> None:
    split = next(split for split in mind2web.all_splits(options.data) if split.name == "cross_task")
    records = list(islice(mind2web_data.records(options.data), options.limit))
    training = [record for record in records if record["id"] not in split.held]
    tests = [record for record in records if record["id"] in split.held]
    trajectories = [mind2web_data.trajectory(record, pages=False) for record in training]
    learned = mind2web.learn(trajectories, [mind2web_workflows.recording(record) for record in training])
    mind2web._add(mind2web.Found(split.name, {}, mind2web.workflow_rows(training, tests, learned)), report)


if __name__ == "__main__":
    run("workflows", measure, about=__doc__)
