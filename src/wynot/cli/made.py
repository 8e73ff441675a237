"""What a tree that is tested has, and what its build will make there."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from wynot.run.repository import Repository


class Made:
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
