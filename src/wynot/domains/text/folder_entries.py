"""A folder as deltas: which entries are there, and which files have their content.

Files marked with protected regions must stay, and so must the folders they are in.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from wynot.core.config import Config
from wynot.core.folder import EntryKind, Folder, parents
from wynot.core.tree_shape import TreeShape, shape_of
from wynot.domains.text.atoms import encoding_of

LARGEST = 1 << 16
"""A file that is no text and larger than this many bytes is needed whole, or not at all."""


@dataclass(frozen=True, slots=True)
class FolderEntries:
    """Deltas: files, links and folders. Node 0 is the folder itself; a folder that is absent takes all in it along."""

    folder: Folder
    pinned: Container[str] = ()
    """Files that must stay."""
    paths: tuple[str, ...] = field(init=False)
    shape: TreeShape = field(init=False)
    _stuck: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        paths = ("", *self.folder.entries)
        numbers = {path: number for number, path in enumerate(paths)}
        above = [-1, *(numbers[path.rpartition("/")[0]] for path in paths[1:])]
        weights = [0, *(len(entry.data) + 1 for entry in self.folder.entries.values())]
        for number in range(len(paths) - 1, 0, -1):
            weights[above[number]] += weights[number]
        stuck = {0}
        for path in paths:
            if path in self.pinned:
                stuck.update(numbers[each] for each in (*parents(path), path))
        for name, value in (("paths", paths), ("shape", shape_of(above, weights)), ("_stuck", frozenset(stuck))):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.paths)

    def cuttable(self, node: int) -> bool:
        """Whether an entry may be left out."""
        return node not in self._stuck

    def render(self, config: Config) -> Folder:
        """The folder with only these entries."""
        kept = {self.paths[node] for node in config}
        return self.folder.only(kept.__contains__)

    def digest(self, candidate: Folder) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return candidate.digest()

    def size(self, candidate: Folder) -> int:
        """How large a candidate is, in bytes."""
        return candidate.size


class FolderContents:
    """Deltas: the contents of files. One that is absent leaves an empty file."""

    def __init__(self, folder: Folder, pinned: Container[str] = ()) -> None:
        self.folder = folder
        self.paths = [path for path, data in folder.files.items() if data and path not in pinned]

    def __len__(self) -> int:
        return len(self.paths)

    def render(self, config: Config) -> Folder:
        """The folder with the contents of only these files."""
        return self.folder.emptied(self.paths[gone] for gone in Config.full(len(self)) - config)

    def digest(self, candidate: Folder) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return candidate.digest()

    def size(self, candidate: Folder) -> int:
        """How large a candidate is, in bytes."""
        return candidate.size


def largest_first(folder: Folder) -> list[str]:
    """The files that have something in them.

    >>> largest_first(Folder.of({"a": b"", "b": b"1", "c": b"22", "d": b"3"}))
    ['c', 'b', 'd']
    """
    sizes = {path: len(entry.data) for path, entry in folder.entries.items() if entry.kind is EntryKind.FILE}
    return sorted((path for path, length in sizes.items() if length), key=lambda path: (-sizes[path], path))


def whole_only(data: bytes) -> bool:
    """Whether a file is not worth being cut into pieces."""
    return len(data) > LARGEST and encoding_of(data) is None
