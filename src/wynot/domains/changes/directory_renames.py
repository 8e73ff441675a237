"""Folders that have moved: their files are the same ones at another place, however much has changed in them.

Told apart by its content alone, a file that has moved and changed a lot is a deleted one and a new one. But where
several files have gone from one folder and come to another under the same names, and most of them have most of their
lines in common, the folder has moved (git's "directory renames"), and so have all of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from statistics import median

from wynot.core.folder import EntryKind, Folder, parents

FILES = 3
"""Fewer files tell nothing of their folder."""
ALIKE = 0.5
"""Of half the files, so much is the same."""
TIMES, LITTLE = 10, 1000
"""A file that is so many times as large as another, and so many bytes more, is another one."""
COMMON = 20
"""If more files have a name, it tells nothing."""
VAIN = 1000
"""After so many folders that have not moved, no more are looked at."""

Places = tuple[str, str]
"""From which folder to which."""
Pair = tuple[str, str]
"""A file that is gone, and one that has come."""


def places(was: str, now: str) -> Places:
    """From where to where a file has moved; as far up as the paths differ.

    >>> places("lib/yaml/type/int.js", "lib/type/int.js"), places("jinja2/nodes.py", "src/jinja2/nodes.py")
    (('lib/yaml', 'lib'), ('', 'src'))
    """
    old, new = was.split("/"), now.split("/")
    while old and new and old[-1] == new[-1]:
        old.pop()
        new.pop()
    return "/".join(old), "/".join(new)


def relocated(old: Folder, new: Folder, moved: Mapping[str, str], paths: Iterable[str]) -> dict[str, str]:
    r"""The old path of each file and link of a folder that has moved, but for those that are known to have `moved`.

    >>> text = b"one\ntwo\nthree\n"
    >>> old = Folder.of({"a/x": text, "a/y": text + b"1", "a/z": text + b"2"})
    >>> new = Folder.of({"b/x": text + b"3", "b/y": text + b"4", "b/z": b"5"})
    >>> relocated(old, new, {}, ["a/x", "a/y", "a/z", "b/x", "b/y", "b/z"])
    {'b/x': 'a/x', 'b/y': 'a/y', 'b/z': 'a/z'}
    """
    gone = {path for path in paths if path not in new.entries and old.entries[path].kind is not EntryKind.FOLDER}
    come = {path for path in paths if path not in old.entries and new.entries[path].kind is not EntryKind.FOLDER}
    found: dict[str, str] = {}
    settled = {*moved, *moved.values()}
    likely = _Likely(gone, come)
    vain = 0
    for place, counted in likely.places:
        if vain == VAIN:
            break
        if not any(_is_free(pair, moved, settled) for pair in counted):
            continue
        free = [pair for pair in (*counted, *likely.along(place)) if _is_free(pair, moved, settled)]
        if len(free) < FILES:
            continue
        if _is_move(old, new, free):
            fresh = {now: was for was, now in free if now not in moved and _may_be(old, new, was, now)}
            found |= fresh
            settled |= {*fresh, *fresh.values()}
        else:
            vain += 1
    return found


def _is_free(pair: Pair, moved: Mapping[str, str], settled: AbstractSet[str]) -> bool:
    """Whether nothing is known of either file, or just that the one has become the other."""
    was, now = pair
    return moved.get(now) == was or not (was in settled or now in settled)


class _Likely:
    """Where folders may have moved, those of most files first, and their files. Names that many have tell nothing."""

    def __init__(self, gone: AbstractSet[str], come: AbstractSet[str]) -> None:
        self._gone, self._come = gone, come
        named: dict[str, list[str]] = defaultdict(list)
        for path in sorted(gone):
            named[_name(path)].append(path)
        self._common = {name for name, paths in named.items() if len(paths) > COMMON}
        pairs: dict[Places, list[Pair]] = defaultdict(list)
        for now in sorted(come):
            for was in named.get(_name(now), ()) if _name(now) not in self._common else ():
                pairs[places(was, now)].append((was, now))
        enough = [each for each in pairs.items() if len(each[1]) >= FILES]
        self.places = sorted(enough, key=lambda each: -len(each[1]))

    def along(self, place: Places) -> Iterator[Pair]:
        """The files of names that tell nothing: they have moved if the others have."""
        before, after = self._commons
        was, now = place
        if len(before[was]) <= len(after[now]):
            pairs = ((path, _there(path, place)) for path in before[was])
        else:
            pairs = ((_there(path, (now, was)), path) for path in after[now])
        return (pair for pair in pairs if pair[0] in self._gone and pair[1] in self._come)

    @cached_property
    def _commons(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """These files by the folders they are in, however far down: those that are gone, and those that have come."""
        found: tuple[dict[str, list[str]], dict[str, list[str]]] = defaultdict(list), defaultdict(list)
        for folders, paths in zip(found, (self._gone, self._come), strict=True):
            for path in sorted(path for path in paths if _name(path) in self._common):
                for folder in ("", *parents(path)):
                    folders[folder].append(path)
        return found


def _there(path: str, place: Places) -> str:
    """The path that a file of the folder has if it has moved."""
    was, now = place
    rest = path[len(was) + 1 :] if was else path
    return f"{now}/{rest}" if now else rest


def _is_move(old: Folder, new: Folder, pairs: Iterable[Pair]) -> bool:
    """Whether most of these have most of their lines in common; a file with nothing in it is like any other."""
    sides = ((old.entries[was], new.entries[now]) for was, now in pairs)
    files = ((one.data, other.data) for one, other in sides if one.kind is other.kind is EntryKind.FILE)
    shares = [alike(one, other) for one, other in files if one or other]
    return len(shares) >= FILES and median(shares) >= ALIKE


def _may_be(old: Folder, new: Folder, was: str, now: str) -> bool:
    """Whether one may have become the other: not a file a link, nor a small file a large one."""
    one, other = old.entries[was], new.entries[now]
    less, more = sorted((len(one.data), len(other.data)))
    return one.kind is other.kind and more <= TIMES * less + LITTLE


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def alike(one: bytes, other: bytes) -> float:
    r"""The share of lines that both have, in any order; blank ones do not count.

    >>> alike(b"a\nb\nc", b"c\na\nd"), alike(b"", b"")
    (0.6666666666666666, 1.0)
    """
    if one == other:
        return 1.0
    first, second = (Counter(line for line in text.split(b"\n") if line.strip()) for text in (one, other))
    return 2 * (first & second).total() / max(1, first.total() + second.total())
