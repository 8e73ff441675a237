"""Dependencies between changes that are predicted before any test: by structure, definitions, exports and imports."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from wynot.core.config import Config
from wynot.core.folder import EntryKind as What
from wynot.core.folder import Folder, parents
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.changes.related_changes import together
from wynot.domains.text.tokens import C_COMMENT, IDENTIFIER, NAME

# What a source file shows to others and takes from them: the names it defines on the outside, and its imports.
#
# Rough, for many languages at once: no file has to parse. What is missed here, the messages of tests tell later.


_HASHES = frozenset(
    {".py", ".pyx", ".pxd", ".pyi", ".rb", ".sh", ".pl", ".pm", ".r", ".jl", ".mk", ".toml", ".yaml", ".yml"}
)
_HASHED = re.compile(rb"(?s)(\"\"\"|''').*?\1|#[^\n]*+")
_SCRIPTED = re.compile(
    rb"(?m)^(?:[ \t]*(?:async[ \t]+)?(?:def|class|sub|module|function)[ \t]+(" + NAME + rb")"
    rb"|(?: {4}|\t)?(" + NAME + rb")[ \t]*(?::[^=\n]*)?=(?!=))"
)
_SAYING = re.compile(
    rb"\b(?:class|function|fn|func|fun|struct|union|enum|interface|trait|namespace|mod|macro_rules!|define"
    rb"|typedef(?![ \t]+(?:struct|union|enum)\b))"
    rb"[ \t]+(?:\([^)\n]*\)[ \t]*)?[*&]*(" + NAME + rb")"
    rb"|\b(?:prototype|exports|this)\.(" + NAME + rb")[ \t]*=(?!=)"
)
_BEGUN = re.compile(
    rb"(?m)^(?:export[ \t]+)?(?:const|let|var|static|type|val)[ \t]+(" + NAME + rb")[ \t]*[=:]"
    rb"|^[A-Za-z_][\w \t*]*[ \t*](" + NAME + rb")[ \t]*\([^;{}]{0,2000}\)\s*[{;]"
    rb"|^[A-Za-z_][\w \t*]*[ \t*](" + NAME + rb")[ \t]*(?:\[[^\]\n]*\][ \t]*)*=(?!=)"
    rb"|^\}[ \t]*(" + NAME + rb")[ \t]*;"
    rb"|^[ \t]+(?:[A-Za-z_]\w*[ \t*]+){1,4}(" + NAME + rb")[ \t]*(?:\[[^\]\n]*\])?;"
)
_FROM = re.compile(rb"(?m)^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n(]*))")
_ONE = rb"[\w.]+(?:[ \t]+as[ \t]+\w+)?"
_IMPORT = re.compile(rb"(?m)^[ \t]*import[ \t]+(" + _ONE + rb"(?:[ \t]*,[ \t]*" + _ONE + rb")*)[ \t]*;?[ \t]*$")
_TAKEN = re.compile(rb"\b(?:import|export)\b([^;'\"()]*?)\bfrom[ \t]*['\"]([^'\"\n]+)['\"]")
_REQUIRED = re.compile(rb"\b(?:const|let|var)\s*([\w$\s{},:]*?)\s*=\s*require\(\s*['\"]([^'\"\n]+)['\"]\s*\)")
_INCLUDED = re.compile(rb"(?m)^[ \t]*#[ \t]*include[ \t]*[\"<]([^\">\n]+)[\">]")
_ITEM = re.compile(rb"([\w.$]+)(?:[ \t]+as[ \t]+(\w+))?")
_KEYWORDS = frozenset(
    b"def class import from return if else for while in not and or is None True False self as with try except raise "
    b"lambda yield pass break continue elif finally global assert del this new const let var function static int void "
    b"char struct switch case default do goto sizeof typeof null true false undefined throw catch extends super".split()
)


class ImportedName(NamedTuple):
    """A name that a file takes from another one."""

    name: bytes
    source: bytes
    """The stem of the other file; empty where the name itself is that."""
    line: int
    """Counted from 0."""


def stripped(path: str, text: bytes) -> bytes:
    r"""Without comments, as far as they are told by the file's name; lines stay where they are.

    >>> stripped("a.c", b"int x; /* not\ny */"), stripped("a.py", b"x = 1 # not y")
    (b'int x; \n', b'x = 1 ')
    """
    return (_HASHED if _scripted(path) else C_COMMENT).sub(lambda match: b"\n" * match[0].count(b"\n"), text)


@lru_cache(maxsize=64)
def _scripted(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in _HASHES


def words(text: bytes) -> set[bytes]:
    """The identifiers in a text; what is a keyword in most languages does not count."""
    return set(IDENTIFIER.findall(text)) - _KEYWORDS


def shown(path: str, text: bytes) -> set[bytes]:
    r"""The names that a text defines where others can see them, as far as one can tell.

    >>> sorted(shown("a.py", b"from a import b\nclass C:\n    d = 1\n    def e(self):\n        f = 2\n"))
    [b'C', b'd', b'e']
    """
    patterns = (_SCRIPTED,) if _scripted(path) else (_SAYING, _BEGUN)
    return {name for each in patterns for match in each.finditer(text) for name in match.groups() if name} - _KEYWORDS


def taken(text: bytes) -> list[ImportedName]:
    r"""What a text imports.

    >>> [(t.name, t.source) for t in taken(b"from .a.b import (c,\n  d as e)\nimport f.g\n")]
    [(b'b', b''), (b'c', b'b'), (b'd', b'b'), (b'g', b'')]
    >>> [(t.name, t.source) for t in taken(b"const {x} = require('./y.js');\n")], taken(b'#include "z.h"\n')[0].name
    ([(b'y', b''), (b'x', b'y')], b'z')
    """
    found = list(_taken(text))
    lines, line, last = {}, 0, 0
    for at in sorted({at for _, _, at in found}):
        line += text.count(b"\n", last, at)
        lines[at], last = line, at
    return [ImportedName(name, source, lines[at]) for name, source, at in found]


def _taken(text: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    for match in _FROM.finditer(text) if b"from" in text else ():
        source = match[1].rpartition(b".")[2]
        if source:
            yield source, b"", match.start(1)
        group = 2 if match[2] is not None else 3
        for item in _ITEM.finditer(match[group] or b""):
            yield item[1], source, match.start(group) + item.start()
    for match in _IMPORT.finditer(text) if b"import" in text else ():
        for item in _ITEM.finditer(match[1]):
            yield item[1].rpartition(b".")[2], b"", match.start(1) + item.start()
    for pattern, sign in ((_TAKEN, b"from"), (_REQUIRED, b"require(")):
        for match in pattern.finditer(text) if sign in text else ():
            source = stem(match[2].decode(errors="replace"))
            yield source, b"", match.start(2)
            for item in _ITEM.finditer(match[1] or b""):
                yield item[1], source, match.start(1) + item.start()
    for match in _INCLUDED.finditer(text) if b"include" in text else ():
        yield stem(match[1].decode(errors="replace")), b"", match.start(1)


def stem(path: str) -> bytes:
    """What a file is called by those who import it.

    >>> stem("a/b.py"), stem("a/b/__init__.py"), stem("lib/x/index.js")
    (b'b', b'b', b'x')
    """
    pure = PurePosixPath(path)
    name = pure.parent.name if pure.stem in {"__init__", "index", "mod"} else pure.stem
    return name.encode(errors="surrogateescape")


_AWAY = {ChangeKind.DELETED, ChangeKind.RENAMED}
_HERE = {ChangeKind.ADDED, ChangeKind.RENAMED}
_FOLDER = 0o4


@dataclass(frozen=True)
class StructuralDependencies:
    """Which changes cannot go without which.

    >>> order = StructuralDependencies({}, (1, 2, 2, 3))
    >>> order.closed(Config.of([1])), order.consistent(Config.of([0, 3]))
    (Config(0-2), False)
    """

    direct: Mapping[int, Config]
    """The changes that each change needs at once; those that need none are left out."""
    ages: Sequence[int] = ()
    """Where the order counts: when each change was made. It then implies all earlier ones, and those made with it."""
    _by_age: tuple[list[int], list[int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        order = sorted(range(len(self.ages)), key=self.ages.__getitem__)
        object.__setattr__(self, "_by_age", (order, [self.ages[each] for each in order]))

    def closed(self, config: Config) -> Config:
        """These changes and all that they need."""
        if self.ages and config:
            order, ages = self._by_age
            config |= Config.of(order[: bisect_right(ages, max(self.ages[each] for each in config))])
        waiting = config
        while waiting:
            found = Config.union(self.direct[each] for each in waiting if each in self.direct)
            waiting = found - config
            config |= waiting
        return config

    def consistent(self, config: Config) -> bool:
        """Whether nothing that these changes need is missing."""
        return self.closed(config) == config


def needs(changes: Sequence[Change], ages: Sequence[int] = ()) -> StructuralDependencies:
    """A line of a new file needs the file; what is in a new folder needs the file to go that was there."""
    found: dict[int, set[int]] = defaultdict(set)
    created = {change.path: number for number, change in enumerate(changes) if change.kind is ChangeKind.ADDED}
    turned = {change.path: number for number, change in enumerate(changes) if change.kind is ChangeKind.LINK}
    for number, change in enumerate(changes):
        if change.kind not in _HERE and change.path in created:
            found[number].add(created[change.path])
        if change.kind in _HERE:
            above = (each for part in change.parts for each in parents(part.path))
            found[number].update(turned[each] for each in above if each in turned)
        if change.kind in _AWAY:
            for each in (each for part in change.parts for each in parents(part.old_path)):
                if each in turned and changes[turned[each]].old_mode >> 12 == _FOLDER:
                    found[turned[each]].add(number)
    return StructuralDependencies({number: Config.of(needed) for number, needed in found.items() if needed}, ages)


# Which changes are supposed to need which others, before anything is tested: predicted outcomes (1999, section 6).
#
# Most mixtures of old and new come to nothing for one reason: something is used that is not there, because the change
# that brings it is left out, or because one was taken in that removes it. Names tell most of that beforehand:
#
# - who begins to use a name that is new to a file needs what defines or imports it there;
# - who imports a name that is new to another file, or a new file, needs that;
# - who takes a name out of a file needs those that cease to use it there, and those that cease to import it elsewhere.
#
# Suppositions cost nothing, and a wrong one only makes some configurations larger than they would have to be: in the
# end each change is tried by itself.


LARGEST = 1 << 24
"""Larger files are not looked into."""
MANY = 100
"""A name that more changes bring, or cease to use, is one of many: nothing is supposed."""
_TEXTS = {ChangeKind.HUNK, ChangeKind.ADDED, ChangeKind.DELETED}
_Index = dict[bytes, list[int]]


def supposed(changes: Sequence[Change], old: Folder, new: Folder) -> dict[int, Config]:
    r"""What each change is supposed to need.

    >>> old, new = Folder.of({"a.py": b"x = 1\n"}), Folder.of({"a.py": b"import os\nx = 1\ny = 2\nz = os\n"})
    >>> first = Change("a.py", "a.py", ChangeKind.HUNK, 0, 0, 1, 1, b"", b"import os\n")
    >>> second = Change("a.py", "a.py", ChangeKind.HUNK, 1, 0, 3, 2, b"", b"y = 2\nz = os\n")
    >>> supposed([first, second], old, new)
    {1: Config(0)}
    """
    return _Suppositions(changes, old, new).needs()


class _File:
    """A changed file, before and after."""

    def __init__(self, path: str, old: bytes, new: bytes) -> None:
        self.path = path
        self.stem = stem(path)
        before, after = stripped(path, old), stripped(path, new)
        self.words_before, self.words_after = words(before), words(after)
        self.taken_before, self.taken_after = _Imports(taken(before)), _Imports(taken(after))
        self.names_before, self.names_after = (
            {(each.name, each.source) for each in side.all} for side in (self.taken_before, self.taken_after)
        )
        self.shown_before = shown(path, before) | {each.name for each in self.taken_before.all}
        self.shown_after = shown(path, after) | {each.name for each in self.taken_after.all}


class _Suppositions:
    def __init__(self, changes: Sequence[Change], old: Folder, new: Folder) -> None:
        self.changes = changes
        self.files = {path: _File(path, *texts) for path, texts in _texts(changes, old, new)}
        self.texts: list[tuple[bytes, bytes]] = []
        self.uses: list[set[bytes]] = []
        self.unuses: list[set[bytes]] = []
        self.defining: _Index = defaultdict(list)
        self.undefining: _Index = defaultdict(list)
        self.unusing: _Index = defaultdict(list)
        for number, change in enumerate(changes):
            self._look(number, change)
        self.found: dict[int, set[int]] = defaultdict(set)

    def _look(self, number: int, change: Change) -> None:
        looked = change.kind in _TEXTS and change.path in self.files
        added, removed = (stripped(change.path, t) if looked else b"" for t in (change.added, change.removed))
        self.texts.append((removed, added))
        uses, unuses = words(added), words(removed)
        self.uses.append(uses)
        self.unuses.append(unuses)
        if looked:
            file = self.files[change.path]
            here = shown(change.path, added) | {
                t.name for t in file.taken_after.within(change.new_at, change, change.new_count)
            }
            gone = shown(change.path, removed) | {
                t.name for t in file.taken_before.within(change.old_at, change, change.old_count)
            }
            _enter(self.defining, here - gone, number)
            _enter(self.undefining, gone - here, number)
            _enter(self.unusing, unuses, number)

    def needs(self) -> dict[int, Config]:
        """By all three rules."""
        self._across()
        for bunch in together(self.changes, self.texts):
            self._need(bunch, bunch)
        known = set[bytes]().union(*(file.words_before for file in self.files.values()))
        stays = set[bytes]().union(*(file.words_after for file in self.files.values()))
        for number, change in enumerate(self.changes):
            if change.path in self.files:
                self._begun(number, self.files[change.path], known)
                self._ceased(number, self.files[change.path], stays)
        for number, needed in self.found.items():
            needed.discard(number)
        return {number: Config.of(needed) for number, needed in sorted(self.found.items()) if needed}

    def _begun(self, number: int, file: _File, known: set[bytes]) -> None:
        """Who begins to use a name needs what defines it."""
        for name in self.uses[number] - self.unuses[number]:
            definers = self.defining.get(name, ())
            if len(definers) > MANY:
                continue
            here = [each for each in definers if self.changes[each].path == file.path]
            if here:
                if number not in here and name not in file.words_before:
                    self.found[number].update(here)
            elif name not in known:
                self.found[number].update(definers)

    def _ceased(self, number: int, file: _File, stays: set[bytes]) -> None:
        """Who takes a definition away needs those that cease to use it."""
        for name in self.unuses[number]:
            if name in file.words_after or number not in self.undefining.get(name, ()):
                continue
            others = self.unusing.get(name, ())
            if len(others) > MANY:
                continue
            everywhere = name not in stays
            self.found[number].update(each for each in others if everywhere or self.changes[each].path == file.path)

    def _across(self) -> None:
        """From file to file, by what they import."""
        called: dict[bytes, list[_File]] = defaultdict(list)
        for file in self.files.values():
            called[file.stem].append(file)
        whole = {
            change.path: number for number, change in enumerate(self.changes) if change.kind is not ChangeKind.HUNK
        }
        for (name, source), numbers in self._imports(begun=True).items():
            for other in called.get(source or name, ()):
                if not source:
                    self._need(numbers, self._if_kind(whole, other, ChangeKind.ADDED))
                elif name in other.shown_after and name not in other.shown_before:
                    self._need(numbers, (n for n in self.defining.get(name, ()) if self._in(n, other)))
        for (name, source), numbers in self._imports(begun=False).items():
            for other in called.get(source or name, ()):
                if not source:
                    self._need(self._if_kind(whole, other, ChangeKind.DELETED), numbers)
                elif name in other.shown_before and name not in other.shown_after:
                    self._need((n for n in self.undefining.get(name, ()) if self._in(n, other)), numbers)

    def _imports(self, *, begun: bool) -> dict[tuple[bytes, bytes], list[int]]:
        """The changes that begin (or cease) to import something."""
        found: dict[tuple[bytes, bytes], list[int]] = defaultdict(list)
        for number, change in enumerate(self.changes):
            if change.path not in self.files or change.kind not in _TEXTS:
                continue
            file = self.files[change.path]
            stays = file.names_before if begun else file.names_after
            if begun:
                these = file.taken_after.within(change.new_at, change, change.new_count)
            else:
                these = file.taken_before.within(change.old_at, change, change.old_count)
            for each in dict.fromkeys((t.name, t.source) for t in these):
                if each not in stays:
                    found[each].append(number)
        return found

    def _need(self, those: Iterable[int], these: Iterable[int]) -> None:
        needed = list(these)
        if len(needed) > MANY:
            return
        for number in those:
            self.found[number].update(needed)

    def _in(self, number: int, file: _File) -> bool:
        return self.changes[number].path == file.path

    def _if_kind(self, whole: Mapping[str, int], file: _File, kind: ChangeKind) -> list[int]:
        number = whole.get(file.path)
        return [number] if number is not None and self.changes[number].kind is kind else []


def _texts(changes: Sequence[Change], old: Folder, new: Folder) -> Iterator[tuple[str, tuple[bytes, bytes]]]:
    """The changed files that are texts, before and after."""
    for change in {change.path: change for change in changes if change.kind in _TEXTS}.values():
        sides = []
        for folder, path in ((old, change.old_path), (new, change.path)):
            entry = folder.entries.get(path)
            sides.append(entry.data if entry is not None and entry.kind is What.FILE else b"")
        if not any(b"\0" in side or len(side) > LARGEST for side in sides):
            yield change.path, (sides[0], sides[1])


class _Imports:
    """What a text imports, by lines."""

    def __init__(self, imports: Sequence[ImportedName]) -> None:
        self.all = imports
        self._order = sorted(range(len(imports)), key=lambda place: imports[place].line)
        self._lines = [imports[place].line for place in self._order]

    def within(self, at: int, change: Change, count: int) -> Sequence[ImportedName]:
        """What is imported in the lines of a change."""
        if change.kind is not ChangeKind.HUNK:
            return self.all
        found = self._order[bisect_left(self._lines, at) : bisect_left(self._lines, at + count)]
        return [self.all[place] for place in sorted(found)]


def _enter(index: _Index, names: Iterable[bytes], number: int) -> None:
    for name in names:
        index[name].append(number)
