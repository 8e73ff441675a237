"""Which file of a tree is meant by a path that a tool has seen elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath, PureWindowsPath


class Suffixes:
    """Finds files by the longest end of a path.

    >>> tree = Suffixes(["src/a.c", "lib/a.c", "b.c"])
    >>> tree.find("/home/me/project/src/a.c"), tree.find("../b.c"), tree.find("a.c"), tree.find("/usr/include/x.h")
    ('src/a.c', 'b.c', None, None)
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for path in paths:
            parts = tuple(path.split("/"))
            self._by_name[parts[-1]].append(parts)

    def find(self, given: str) -> str | None:
        """The file of the tree; None if there is none, or if it could be several.

        One of the two paths must end with the other: two files are not the same because they have the same name.
        """
        parts = _parts(given)
        if not parts:
            return None
        common = [own for own in self._by_name.get(parts[-1], ()) if _ends(parts, own)]
        longest = max((min(len(own), len(parts)) for own in common), default=0)
        best = [own for own in common if min(len(own), len(parts)) == longest]
        return "/".join(best[0]) if len(best) == 1 else None


def _ends(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one of these ends with the other."""
    least = min(len(one), len(other))
    return one[-least:] == other[-least:]


def _parts(given: str) -> tuple[str, ...]:
    path = PureWindowsPath(given) if "\\" in given and "/" not in given else PurePosixPath(given)
    parts: list[str] = []
    for part in path.parts[1:] if path.anchor else path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != "..":
            parts.append(part)
    return tuple(parts)
