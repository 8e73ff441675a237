"""A worker's folders where trees stay between tests."""

from __future__ import annotations

import os

from wynot.core.artifact import Placed
from wynot.core.folder import Folder
from wynot.engine.executors.sandbox import Sandbox, place_error, remove_entry
from wynot.engine.executors.work_tree import WorkTree
from wynot.engine.files.mounts import mounts_at


class LastingSandbox(Sandbox):
    """A worker's folders; the trees in the one where tests run last."""

    def __init__(self, root: str, number: int) -> None:
        super().__init__(root, number)
        self.trees: dict[str, WorkTree] = {}

    def lay(self, files: tuple[tuple[str, Placed], ...]) -> None:
        """Write these files and folders into the work folder, which holds nothing else."""
        wanted = {name for name, data in files if isinstance(data, Folder)}
        self._tidy(wanted)
        for name, data in files:
            if not isinstance(data, Folder):
                self._write(name, data)
                continue
            tree = self.trees.setdefault(name, WorkTree(f"{self.work}/{name}"))
            try:
                tree.become(data)
            except OSError as error:
                tree.forget()
                raise place_error(data, self.work, error) from error

    def reads(self, name: str) -> frozenset[str]:
        """The files of a folder that were read since it was laid out."""
        return self.trees[name].reads() if name in self.trees else frozenset()

    def _tidy(self, wanted: set[str]) -> None:
        """Remove all but these trees."""
        if os.path.islink(self.temp) or os.path.islink(self.work) or self._mounted():  # noqa: PTH114
            self.trees.clear()
            self.renew(self.temp)
            self.renew(self.work)
        for folder, kept in ((self.temp, set[str]()), (self.work, wanted & self.trees.keys())):
            if not _cleared(folder, kept):
                self.trees = {} if folder == self.work else self.trees
                self.renew(folder)
        self.trees = {name: tree for name, tree in self.trees.items() if name in wanted}

    def _mounted(self) -> bool:
        """Whether a test has left a mount point."""
        return bool(mounts_at(self._root)) and bool(mounts_at(self.work) or mounts_at(self.temp))

    def keep(self) -> None:
        """What the last run has made stays."""
        for tree in self.trees.values():
            tree.keep()

    def afresh(self) -> None:
        """The next test finds nothing of the ones before it."""
        for tree in self.trees.values():
            tree.forget()

    def clean(self) -> None:
        """Trees are put right when they are needed again."""


def _cleared(folder: str, kept: set[str]) -> bool:
    """Remove all from a folder but these names; False where that cannot be done."""
    try:
        with os.scandir(folder) as entries:
            return not [each for entry in entries if entry.name not in kept for each in remove_entry(entry)]
    except OSError:
        return False
