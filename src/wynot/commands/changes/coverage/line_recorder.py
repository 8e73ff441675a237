"""What tells the lines that a test executes, in programs of some language."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Protocol

from wynot.core.folder import Folder
from wynot.domains.coverage.executed_lines import ExecutedLines

Env = list[tuple[str, str]]


class LineRecorder(Protocol):
    """Gets into the programs of one test by their environment, and by files beside what is tested."""

    suffixes: ClassVar[tuple[str, ...]]
    """The files of which it can tell something."""

    def __init__(self, folder: Path, path: str) -> None:
        """Record in this folder, which is made, what is executed of the tree at this path."""
        ...

    def env(self) -> Env:
        """Variables for the environment."""
        ...

    def files(self, tree: Folder) -> dict[str, bytes]:
        """Files to be laid out with the tree."""
        ...

    def found(self, tree: Folder, wanted: frozenset[str]) -> dict[str, ExecutedLines]:
        """What was executed of these files; nothing of those that it was not told about."""
        ...
