"""What a test executes of a tree: by what it reads, by what Python tells, or by what the user has recorded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wynot.core.folder import Folder
from wynot.domains.coverage.executed import Executed
from wynot.oracles.words import Oracle, Report
from wynot.run.limits import Limits


@dataclass(frozen=True, slots=True)
class Recorded:
    """A test of a tree, and what it has executed."""

    report: Report
    executed: Executed | None
    """None: it cannot be told."""
    how: str = ""
    """In a few words, how it was found out."""


def record(oracle: Oracle, name: str, tree: Folder, limits: Limits) -> Recorded:
    """Test a tree once (or twice) and see what is executed. Has folders of its own and leaves nothing."""
    raise NotImplementedError


def read_coverage(path: Path, tree: Folder) -> Executed:
    """What a file of coverage says (LCOV, Cobertura, gcov, coverage.py), for the files of this tree."""
    raise NotImplementedError
