"""An index from names to the changes that define or mention them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import PurePosixPath

from wynot.core.config import Config
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.changes.related_changes import LOOKED_AT, words
from wynot.domains.text.tokens import IDENTIFIER, NAME

_KEYWORD = re.compile(
    rb"\b(?:def|class|function|fn|func|fun|sub|struct|union|enum|interface|trait|type|typedef|namespace|module|mod"
    rb"|macro_rules!|let|var|val|package|define|record|object|protocol|extension|contract|event|impl)"
    rb"\s+(?:mut\s+|async\s+|class\s+|\([^)\n]*\)\s*)?[*&]*(" + NAME + rb")"
)
_ASSIGNED = re.compile(rb"(?<![\w$])(" + NAME + rb"+)[ \t]*+(?:\[[^\]\n]*\][ \t]*)?(?::[^=\n]{1,80})?:?=(?![=>~])")
_DECLARED = re.compile(
    rb"^[ \t]*(?:(?!return\b|else\b|goto\b|throw\b|new\b|case\b|delete\b|await\b|yield\b|not\b|and\b|or\b|if\b)"
    rb"[A-Za-z_][\w:<>,.\[\]]*[ \t*&]+)+[*&]*(" + NAME + rb")\s*[;=,\[({:]",
    re.MULTILINE,
)
_KEY = re.compile(
    rb"^[ \t]*['\"]?(" + NAME + rb")['\"]?[ \t]*(?:\([^)\n]*\)[ \t]*\{|:(?!:)|,?[ \t]*(?://|/\*|$))", re.MULTILINE
)
_LISTS = (
    re.compile(rb"\b(?:import|from)\b[^\n;()]*(?:\([^)]{0,4000}\))?"),
    re.compile(rb"\b(?:import|export|use|using)\b\s*[\w:*$ ]*\{[^}]{0,4000}\}"),
    re.compile(rb"\b(?:import|use|using|require)\b[^\n;]*"),
    re.compile(rb"\b(?:const|let|var)\s*[\[{][^\]}=]*[\]}]\s*="),
    re.compile(rb"\bdef\s+\w+\s*\([^)]{0,4000}\)"),
    re.compile(rb"\benum\b[^{};]*\{[^}]{0,4000}\}"),
)
_KEYWORDS = frozenset(
    b"as async const def default else enum export from import let require return use using var".split()
)
_SINGLE = (_KEYWORD, _ASSIGNED, _DECLARED, _KEY)


def defined(text: bytes) -> frozenset[str]:
    r"""The identifiers that a text seems to define, declare, import or assign to.

    >>> sorted(defined(b"from a import (b,\n  c)\ndef f(x, y=1):\n    z = g(h)\n"))
    ['a', 'b', 'c', 'f', 'x', 'y', 'z']
    >>> sorted(defined(b"static int sum(SumCtx *p) {\n  return other(p);\n}\n#define MAX 3\n"))
    ['MAX', 'sum']
    """
    found = {match[1] for pattern in _SINGLE for match in pattern.finditer(text)}
    for pattern in _LISTS:
        for match in pattern.finditer(text):
            found.update(IDENTIFIER.findall(match[0]))
    found -= _KEYWORDS
    return frozenset(word.decode(errors="surrogateescape") for word in found)


# Which changes speak of what: the lexical side of the failure-resolution loop (section 8 of the 1999 paper).
#
# After a failed construction, the identifiers in its messages pull in the changes that mention them.


NEAR = 3
"""How many lines away a change may be from a place that a message names."""
_WHOLE = {ChangeKind.ADDED, ChangeKind.DELETED, ChangeKind.RENAMED}


class ChangeIndex:
    r"""An index of the identifiers in what changes add and remove.

    >>> add = Change("a.py", "a.py", ChangeKind.HUNK, 1, 0, 2, 1, b"", b"def f(x):\n")
    >>> use = Change("b.py", "b.py", ChangeKind.HUNK, 7, 0, 8, 1, b"", b"    f(1)\n")
    >>> here = ChangeIndex([add, use])
    >>> here.naming(["f"]), here.defining(["f"])
    (Config(0-1), Config(0))
    """

    def __init__(self, changes: Sequence[Change]) -> None:
        self.changes = tuple(changes)
        self._defined: dict[int, frozenset[str]] = {}

    @cached_property
    def _having(self) -> dict[str, list[int]]:
        """The changes that have each word, in order."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, change in enumerate(self.changes):
            for word in words(change) | _path_words(change):
                found[word].append(number)
        return dict(found)

    @cached_property
    def _paths(self) -> dict[str, list[str]]:
        """The files that have changes, by their last names."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in dict.fromkeys(path for change in self.changes for path in paths_of(change)):
            found[path.rpartition("/")[2]].append(path)
        return found

    @cached_property
    def _in_file(self) -> dict[str, list[int]]:
        """The changes to each file, under its old and its new path, from top to bottom."""
        found: dict[str, list[int]] = defaultdict(list)
        for number in sorted(range(len(self.changes)), key=lambda each: self.changes[each].old_at):
            change = self.changes[number]
            for path in set(paths_of(change)):
                found[path].append(number)
        return found

    def naming(self, words: Iterable[str]) -> Config:
        """The changes that mention any of these in what they add or remove."""
        return Config.of(number for word in words for number in self._having.get(word, ()))

    def defining(self, words: Iterable[str]) -> Config:
        """The changes that bring a definition of any of these; a new file does so for what it is called."""
        wanted = frozenset(words)
        return Config.of(each for each in self.naming(wanted) if not wanted.isdisjoint(self._definitions(each)))

    def _definitions(self, number: int) -> frozenset[str]:
        """What a change defines that was not there before."""
        if number not in self._defined:
            change = self.changes[number]
            before, after = defined(change.removed[:LOOKED_AT]), defined(change.added[:LOOKED_AT])
            if change.kind in {ChangeKind.ADDED, ChangeKind.RENAMED}:
                after |= _path_words(change)
            if change.kind in {ChangeKind.DELETED, ChangeKind.RENAMED}:
                before |= _path_words(change)
            self._defined[number] = after - before
        return self._defined[number]

    def known(self, path: str) -> str | None:
        """The changed file that a message means, which may have it with the folders above or from somewhere within."""
        parts = PurePosixPath(path).parts
        fits = [
            (len(_common(parts, each.split("/"))), each) for each in self._paths.get(parts[-1] if parts else "", ())
        ]
        best = max(fits, default=(0, ""))
        alone = sum(count == best[0] for count, _ in fits) == 1
        return best[1] if best[0] and (alone or best[0] == len(best[1].split("/"))) else None

    def at(self, path: str, line: int, config: Config, near: int = NEAR) -> Config:
        """The changes at or near a line of a file as it is with these changes (the first line has number 1)."""
        known = self.known(path)
        found, shift = [], 0
        for number in self._in_file.get(known or "", ()):
            change = self.changes[number]
            start = change.old_at + shift + 1
            count = change.new_count if number in config else change.old_count
            if change.kind in _WHOLE or start - near <= line < start + count + near:
                found.append(number)
            shift += count - change.old_count
        return Config.of(found)


def paths_of(change: Change) -> list[str]:
    """The new and the old path of each file that a change is about."""
    return [path for part in change.parts for path in (part.path, part.old_path)]


def _path_words(change: Change) -> frozenset[str]:
    """What a file that is new, gone or renamed is called, with and without its ending."""
    if change.kind not in _WHOLE:
        return frozenset()
    names = set(map(PurePosixPath, paths_of(change)))
    parts = {part for name in names for part in (name.stem, *name.parts[-2:-1])}
    return frozenset(parts | {word for name in names for word in re.findall(r"\w+", name.name)})


def _common(parts: Sequence[str], others: Sequence[str]) -> list[str]:
    """The last names that two paths share."""
    found = []
    for one, other in zip(reversed(parts), reversed(others), strict=False):
        if one != other:
            break
        found.append(one)
    return found
