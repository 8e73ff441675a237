"""A worker: where one test at a time is run, and with which environment."""

from __future__ import annotations

import os
from dataclasses import replace

from wynot.engine.executors.orphans import MARK, variable
from wynot.engine.executors.sandbox import Sandbox
from wynot.oracles.protocol import Report


class Worker:
    """A place to work, and the environment of what runs there."""

    def __init__(self, root: str, number: int, mark: str, *, lasting: bool) -> None:
        self.place = _lasting(root, number) if lasting else Sandbox(root, number)
        self.mark = f"{mark}.{number:03}"
        own = {"TMPDIR": self.place.temp, MARK: variable(self.mark)}
        self.env = {**os.environb, **{os.fsencode(k): os.fsencode(v) for k, v in own.items()}}
        if lasting:
            self.env.pop(b"PYTHONPYCACHEPREFIX", None)  # bytecode that cannot be removed with its source

    def told(self, report: Report, name: str) -> Report:
        """A report whose evidence does not tell in which worker's folder a test of an artifact has run."""
        if not report.evidence:
            return report
        place, evidence = self.place, report.evidence
        tested = f"{place.work}/{name}"
        for folder in (*([tested] if os.path.isdir(tested) else ()), place.work, place.temp):  # noqa: PTH112 - as above
            evidence = evidence.replace(f"{folder}/", "").replace(folder, ".")
        return replace(report, evidence=evidence)


def _lasting(root: str, number: int) -> Sandbox:
    from wynot.engine.executors.work_tree import LastingSandbox  # noqa: PLC0415 - where folders last only

    return LastingSandbox(root, number)
