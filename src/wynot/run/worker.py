"""A worker: where one test at a time is run, and with which environment."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from wynot.oracles.words import Report
from wynot.run.place import Place
from wynot.run.strays import MARK

if TYPE_CHECKING:
    from wynot.run.worktree import Tree


class Worker:
    """A place to work, and the environment of what runs there."""

    def __init__(self, root: str, number: int, mark: str, *, lasting: bool) -> None:
        self.place = _lasting(root, number) if lasting else Place(root, number)
        self.mark = f"{mark}.{number:03}"
        own = {"TMPDIR": self.place.temp, MARK: self.mark}
        self.env = {**os.environb, **{os.fsencode(k): os.fsencode(v) for k, v in own.items()}}
        if lasting:
            self.env.pop(b"PYTHONPYCACHEPREFIX", None)  # bytecode that cannot be removed with its source

    def told(self, report: Report, name: str) -> Report:
        """A report whose evidence does not tell in which worker's folder a test of an artifact has run."""
        if not report.evidence:
            return report
        place, evidence = self.place, report.evidence
        for folder in (f"{place.work}/{name}", place.work, place.temp):
            evidence = evidence.replace(f"{folder}/", "").replace(folder, ".")
        return replace(report, evidence=evidence)

    def reads(self, name: str) -> frozenset[str]:
        """The files of a folder that were read since it was laid out; nothing where folders do not last."""
        trees: dict[str, Tree] = getattr(self.place, "trees", {})
        return trees[name].reads() if name in trees else frozenset()


def _lasting(root: str, number: int) -> Place:
    from wynot.run.lasting import LastingPlace  # noqa: PLC0415 - where folders last only

    return LastingPlace(root, number)
