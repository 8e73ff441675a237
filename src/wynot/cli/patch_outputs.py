"""Where patches are written, and which files of a tree a build makes."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from wynot.cli.common_options import check_target
from wynot.commands.changes.changes_result import MARK, ChangesQuestion
from wynot.commands.changes.repository import Repository
from wynot.core.text import pasted
from wynot.engine.files.output_file import numbered
from wynot.errors import UsageError


class BuildProducts:
    """The paths of a tree; and those of files that are not here, or that git ignores here: a build makes them.

    A file that is here and that git would take is one of the user's own, and none of the tree.
    """

    def __init__(self, paths: Collection[str], repository: Repository | None) -> None:
        self._paths, self._repository = paths, repository

    def __contains__(self, path: object) -> bool:
        if path in self._paths:
            return True
        if not isinstance(path, str) or not path or path.startswith("-") or os.path.isabs(path):  # noqa: PTH117
            return False
        try:
            here = Path(path).exists()
        except OSError:
            return False
        return not here or self._ignored(path)

    def _ignored(self, path: str) -> bool:
        return self._repository is not None and self._repository.ask("check-ignore", "-q", "--", path) is not None


CULPRIT, REPAIR = "culprit.patch", "repair.patch"


@dataclass(frozen=True, slots=True)
class PatchTargets:
    """One file for each question, or standard output."""

    breaks: Path | None = None
    repairs: Path | None = None
    stdout: bool = False
    others: tuple[Path, ...] = ()
    """For further causes."""

    @property
    def paths(self) -> list[Path]:
        """The files."""
        return [each for each in (self.breaks, self.repairs) if each is not None]

    @property
    def own(self) -> list[Path]:
        """The files, and what an earlier run may have left: none of them is of a tree."""
        left = (Path(REPAIR), *Path().glob(f"{Path(CULPRIT).stem}*{Path(CULPRIT).suffix}"))
        return [*self.paths, *self.others, *filter(_ours, left)]


def targets(output: str | None, question: ChangesQuestion) -> PatchTargets:
    """Where the patches go: no file is overwritten but an earlier result."""
    both = question.breaks and question.repairs
    if output == "-":
        if both:
            raise UsageError("two patches do not fit into standard output", "ask for one: --breaks or --repairs")
        if question.causes > 1:
            raise UsageError("several causes do not fit into standard output", "name a file: -o found.patch")
        return PatchTargets(stdout=True)
    first = Path(output or (CULPRIT if question.breaks else REPAIR))
    if not first.name or first.is_dir():
        raise UsageError(f"{first} is a folder", f"name a file in it: -o {pasted(first / CULPRIT)}")
    second = Path(REPAIR) if output is None else first.with_name(f"{first.stem}.repair{first.suffix or '.patch'}")
    others = tuple(numbered(first, number) for number in range(2, question.causes + 1))
    repairs = (second if both else first) if question.repairs else None
    found = PatchTargets(first if question.breaks else None, repairs, others=others)
    for path in (*found.paths, *others):
        _check(path)
    return found


def _check(path: Path) -> None:
    other = "name another file: -o /some/folder/found.patch"
    check_target(path, other, path / CULPRIT)
    if path.exists() and path.stat().st_size and not _ours(path):
        raise UsageError(f"{path} exists, and wynot changes has not written it", other)


def _ours(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MARK)) == MARK
    except OSError:
        return False
