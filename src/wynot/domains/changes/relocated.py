"""Folders that have moved: their files are the same ones at another place, however much has changed in them.

Told apart by its content alone, a file that has moved and changed a lot is a deleted one and a new one. But where
several files have gone from one folder and come to another under the same names, and most of them have most of their
lines in common, the folder has moved (git's "directory renames"), and so have all of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from wynot.core.folder import Folder, Kind

FILES = 3
"""Fewer files tell nothing of their folder."""
ALIKE = 0.5
"""Of half the files, so much is the same."""
TIMES, LITTLE = 10, 1000
"""A file that is so many times as large as another, and so many bytes more, is another one."""
COMMON = 20
"""If more files have a name, it tells nothing."""

Places = tuple[str, str]
"""From which folder to which."""


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
    gone = [path for path in paths if path not in new.entries and old.entries[path].kind is not Kind.FOLDER]
    come = {path for path in paths if path not in old.entries and new.entries[path].kind is not Kind.FOLDER}
    found: dict[str, str] = {}
    settled = {*moved, *moved.values()}
    for place in _likely(gone, come):
        pairs = {now: was for was in gone if (now := _there(was, place)) in come}
        free = {now: was for now, was in pairs.items() if moved.get(now) == was or not {was, now} & settled}
        if _is_move(old, new, free):
            fresh = {now: was for now, was in free.items() if now not in moved and _may_be(old, new, was, now)}
            found |= fresh
            settled |= {*fresh, *fresh.values()}
    return found


def _likely(gone: Sequence[str], come: Iterable[str]) -> list[Places]:
    """Where folders may have moved, those of most files first. Names that many files have tell nothing."""
    named: dict[str, list[str]] = defaultdict(list)
    for path in gone:
        named[_name(path)].append(path)
    counts = Counter(
        places(was, now)
        for now in sorted(come)
        if len(named.get(_name(now), ())) <= COMMON
        for was in named.get(_name(now), ())
    )
    return [place for place, count in counts.most_common() if count >= FILES]


def _there(path: str, place: Places) -> str:
    """The path that a file has if the folder has moved; none if it is not in it."""
    was, now = place
    if was and not path.startswith(f"{was}/"):
        return ""
    rest = path[len(was) + 1 :] if was else path
    return f"{now}/{rest}" if now else rest


def _is_move(old: Folder, new: Folder, pairs: Mapping[str, str]) -> bool:
    """Whether most of these have most of their lines in common; a file with nothing in it is like any other."""
    sides = ((old.entries[was], new.entries[now]) for now, was in pairs.items())
    files = ((one.data, other.data) for one, other in sides if one.kind is other.kind is Kind.FILE)
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
