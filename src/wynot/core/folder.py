"""A folder as a value: what is in it, by path. Nothing here reads or writes a disk.

Entries stand in the order of a walk: names sorted, what is in a folder right behind it. Two folders are the same if
their entries are, modes and all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from hashlib import blake2b
from typing import NamedTuple


class EntryKind(Enum):
    """What an entry can be."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"


class Entry(NamedTuple):
    """A file with its content, a link with the path it leads to, or a folder within the folder."""

    kind: EntryKind
    data: bytes = b""
    mode: int = 0o644
    """The nine bits that say who may read, write and execute."""

    def digest(self, path: str) -> bytes:
        """Tells entries apart, name and all."""
        head = f"{self.kind.value} {self.mode:o} {len(self.data)} ".encode() + path.encode("utf-8", "surrogateescape")
        return blake2b(self.data, digest_size=32, key=blake2b(head, digest_size=32).digest()).digest()


class Folder:
    """An immutable folder.

    >>> folder = Folder.of({"b/c.txt": b"see", "a.txt": b""})
    >>> list(folder.entries), folder.size, folder.count
    (['a.txt', 'b', 'b/c.txt'], 3, 2)
    >>> folder.replaced("b/c.txt", b"").files
    {'a.txt': b'', 'b/c.txt': b''}
    """

    __slots__ = ("_digests", "entries")

    entries: Mapping[str, Entry]

    def __init__(self, entries: Mapping[str, Entry], digests: Mapping[str, bytes] | None = None) -> None:
        self.entries = entries
        self._digests = (
            digests if digests is not None else {path: entry.digest(path) for path, entry in entries.items()}
        )

    @classmethod
    def of(cls, entries: Mapping[str, Entry | bytes]) -> Folder:
        """A folder of these entries, in any order; bytes are plain files. Folders on the way need not be named."""
        full: dict[str, Entry] = {}
        for path, entry in entries.items():
            for above in parents(path):
                full.setdefault(above, Entry(EntryKind.FOLDER, mode=0o755))
            full[path] = Entry(EntryKind.FILE, entry) if isinstance(entry, bytes) else entry
        return cls({path: full[path] for path in sorted(full, key=lambda path: path.split("/"))})

    @property
    def files(self) -> dict[str, bytes]:
        """The contents of the files."""
        return {path: entry.data for path, entry in self.entries.items() if entry.kind is EntryKind.FILE}

    @property
    def size(self) -> int:
        """Bytes in all files."""
        return sum(len(entry.data) for entry in self.entries.values() if entry.kind is EntryKind.FILE)

    @property
    def count(self) -> int:
        """How many files and links there are; folders do not count."""
        return sum(entry.kind is not EntryKind.FOLDER for entry in self.entries.values())

    def uppermost(self) -> Iterator[tuple[str, Entry | Folder]]:
        """What is directly in it: files and links, and folders with all that is in them."""
        inner: dict[str, dict[str, Entry]] = {}
        for path, entry in self.entries.items():
            name, _, below = path.partition("/")
            if entry.kind is EntryKind.FOLDER or below:
                inner.setdefault(name, {})
            if below:
                inner[name][below] = entry
            elif entry.kind is not EntryKind.FOLDER:
                yield name, entry
        for name, entries in inner.items():
            yield name, Folder(entries)

    @property
    def digests(self) -> Mapping[str, bytes]:
        """What tells each entry apart."""
        return self._digests

    def replaced(self, path: str, data: bytes) -> Folder:
        """With another content of one file."""
        entry = self.entries[path]._replace(data=data)
        return Folder({**self.entries, path: entry}, {**self._digests, path: entry.digest(path)})

    def emptied(self, paths: Iterable[str]) -> Folder:
        """With nothing in these files."""
        empty = {path: self.entries[path]._replace(data=b"") for path in paths}
        digests = {path: entry.digest(path) for path, entry in empty.items()}
        return Folder({**self.entries, **empty}, {**self._digests, **digests})

    def without(self, path: str) -> Folder:
        """Without an entry and all below it."""
        below = f"{path}/"
        return self.only(lambda each: each != path and not each.startswith(below))

    def only(self, wanted: Callable[[str], bool]) -> Folder:
        """With nothing but these entries; who keeps something keeps the folders it is in."""
        kept = {path: entry for path, entry in self.entries.items() if wanted(path)}
        return Folder(kept, {path: self._digests[path] for path in kept})

    def digest(self) -> bytes:
        """Tells folders apart."""
        return blake2b(b"".join(self._digests.values()), digest_size=32, person=b"folder").digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Folder) and self._digests == other._digests

    def __hash__(self) -> int:
        return hash(self.digest())

    def __repr__(self) -> str:
        return f"Folder({', '.join(self.entries)})"


def parents(path: str) -> Iterator[str]:
    """The folders above, the uppermost first.

    >>> list(parents("a/b/c"))
    ['a', 'a/b']
    """
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
