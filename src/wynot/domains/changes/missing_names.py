"""Names that an unresolved test reports as missing, and the changes to add or drop (1999, section 8)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from wynot.core.config import Config
from wynot.domains.changes.change import Change
from wynot.domains.changes.change_index import ChangeIndex, paths_of
from wynot.domains.changes.static_dependencies import words

_NAME = r"[A-Za-z_$\u0080-\uffff][\w$]*"
_WORD = re.compile(_NAME)
_QUOTED = re.compile(r"[`'\"\u2018\u201c]([^`'\"\u2018-\u201d\n]{1,200})[`'\"\u2019\u201d]")
_SAID = (
    re.compile(rf"({_NAME}(?:\??\.{_NAME})*)(?:\(\.\.\.\))? is not (?:defined|a function|a constructor|iterable)"),
    re.compile(r"undefined(?: reference to| symbol)?:? +[`'\u2018]?([\w$.:@]+)"),
    re.compile(r"symbol:\s+(?:variable|method|class|static)?\s*([\w$.]+)"),
    re.compile(rf"({_NAME}(?:\.{_NAME})*)\(\) (?:got|takes|missing|argument|did)"),
    re.compile(r"cannot import name '(\w+)'"),
    re.compile(r"implicit declaration of function +([\w$]+)"),
    re.compile(r"(?:No such file or directory|cannot find|not found|Cannot find module):? +([\w$./@-]+)"),
    re.compile(r"\b([\w./+-]+\.[A-Za-z]\w{0,4}): No such file"),
)
_ERROR = re.compile(
    r"(?i)\b(?:fatal )?error\b|^\w*(?:Error|Exception|Exit)\b"
    r"|undefined reference|implicit declaration|panicked|not found"
)
_PLACES = (
    re.compile(r'File "([^"\n]+)", line (\d+)'),
    re.compile(r"(?:^|[\s(\[\"'=@])((?:file://)?[^\s:()\"'\[\]]*[^\s:()\"'\[\]/]\.\w+):(\d+)\b", re.MULTILINE),
    re.compile(r"(?:^|[\s(])([^\s:()]+\.\w+)\((\d+)(?:,\d+)?\)", re.MULTILINE),
)
LINES = 20
"""Of so many lines that speak of an error is read what they say."""


def errors_in(message: str) -> list[tuple[str, str]]:
    r"""The lines that say what is wrong, each with the notes behind it: many of a compiler, the last of a traceback.

    >>> errors_in("a.c:1: error: x\na.h:2: note: here\na.c:3: error: y\n")
    [('a.c:1: error: x', 'a.c:1: error: x\na.h:2: note: here'), ('a.c:3: error: y', 'a.c:3: error: y')]
    """
    lines = [line for line in message.splitlines() if line.strip()]
    at = [number for number, line in enumerate(lines) if _ERROR.search(line)][:LINES] or [len(lines) - 1]
    return [(lines[a], "\n".join(lines[a:b])) for a, b in zip(at, [*at[1:], len(lines)], strict=True)] if lines else []


def said_in(line: str) -> list[str]:
    """The identifiers that a line quotes or calls undefined, the likeliest first.

    >>> said_in("x.c:3:5: error: too many arguments to function 'sum'")
    ['sum']
    """
    return list(dict.fromkeys(_said(line)))


def _said(text: str) -> Iterator[str]:
    """What is quoted or called undefined; of a path or a dotted name the last part first."""
    missing = [match[1] for pattern in _SAID for match in pattern.finditer(text)]
    quoted = [match[1] for match in _QUOTED.finditer(text)]
    for each in (*reversed(missing), *reversed(quoted)):
        yield from reversed(_WORD.findall(each))


def places_in(message: str) -> list[tuple[str, int]]:
    r"""The files and lines that a message names, in order; a traceback's innermost ones first.

    >>> places_in('File "/w/a.py", line 3, in f\nFile "/w/b.py", line 7\nsrc/x.c:12:3: error: no')
    [('src/x.c', 12), ('/w/b.py', 7), ('/w/a.py', 3)]
    """
    found = [
        (match.start(), match[1].removeprefix("file://"), int(match[2]))
        for pattern in _PLACES
        for match in pattern.finditer(message)
    ]
    return list(dict.fromkeys((path, line) for _, path, line in sorted(found, reverse=True)))


# What a failed test says is missing (1999, section 8): which changes to pull in, or which to drop.
#
# A message names identifiers and places. Where an identifier is missed, as few changes as possible are pulled in: those
# that define it in the file that it is missed in, those that cease to use it where it is used, those that define it
# anywhere. Only where no name helps, all changes to the file that the message comes from.


FEW = 20
"""So many changes may be pulled in for a name that only some of them are about."""
NAMES = 3
"""So many names of a line are looked at."""
SHARE = 20
"""All changes to a file are pulled in only if they are no more than one in so many."""
_PATH = re.compile(r"[\w./+-]+/[\w.+-]+|[\w+-]+\.\w+")


class MissingNames:
    """Reads the messages of tests."""

    def __init__(self, changes: Sequence[Change], mentions: ChangeIndex) -> None:
        self.changes, self.mentions = changes, mentions
        self._using: dict[str, list[int]] = defaultdict(list)
        self._ceasing: dict[str, list[int]] = defaultdict(list)
        self._files: dict[str, list[int]] = defaultdict(list)
        for number, change in enumerate(changes):
            for path in dict.fromkeys(paths_of(change)):
                self._files[path].append(number)
            for index, text in ((self._using, change.added), (self._ceasing, change.removed)):
                for word in words(text) if b"\0" not in text else ():
                    index[word.decode(errors="surrogateescape")].append(number)

    def pulled(self, config: Config, message: str) -> tuple[Config, Config]:
        """What is missing in a configuration of which a test said this; and because of which others, if it is known."""
        frames = self._frames(message)
        added = needing = Config()
        for line, notes in errors_in(message):
            more, by = self._missed(config, line, self._names(line) or self._names(notes), frames)
            added, needing = added | (more or self._near(config, reversed(places_in(notes)))), needing | by
        return (added, needing) if added else (self._around(config, message, frames), Config())

    def _missed(self, config: Config, line: str, names: Sequence[str], frames: Sequence[str]) -> tuple[Config, Config]:
        """What one line of a message misses, of these names."""
        named = [path for each in _PATH.findall(line) if (path := self.mentions.known(each)) is not None]
        for name in names:
            for found in self._ways(name, named, frames):
                more = Config.of(found) - config
                if more:
                    return more, self._those(config, name, [*named, *frames[:1]])
        return Config(), Config()

    def _names(self, line: str) -> list[str]:
        known = [name for name in said_in(line) if name in self._using or name in self._ceasing or self._called(name)]
        return known[:NAMES]

    def _called(self, name: str) -> Config:
        return self.mentions.defining([name])

    def _ways(self, name: str, named: Sequence[str], frames: Sequence[str]) -> Iterator[list[int]]:
        """Sets of changes that may be what is missing, the likeliest first."""
        defining = list(self.mentions.defining([name]))
        yield self._within(defining, named)
        yield self._within(defining, frames[:1])
        yield self._within(self._ceasing.get(name, ()), frames[:1])
        yield self._within(self._ceasing.get(name, ()), named)
        yield defining if len(defining) <= FEW else []
        for index in (self._ceasing, self._using):
            numbers = index.get(name, [])
            yield numbers if len(numbers) <= FEW else []

    def _within(self, numbers: Sequence[int], paths: Sequence[str]) -> list[int]:
        return [each for each in numbers if any(path in paths for path in paths_of(self.changes[each]))]

    def _those(self, config: Config, name: str, paths: Sequence[str]) -> Config:
        """The changes that will have made it so."""
        about = sorted({*self._using.get(name, ()), *self._ceasing.get(name, ())})
        near = Config.of(self._within(about, paths)) & config
        return near or (Config.of(about) & config if len(about) <= FEW else Config())

    def _around(self, config: Config, message: str, frames: Sequence[str]) -> Config:
        """What is missing near the places that a message names; at last, in the files."""
        near = self._near(config, places_in(message))
        if near:
            return near
        for path in frames:
            here = Config.of(self._files[path]) - config
            if 0 < len(here) <= max(FEW, len(self.changes) // SHARE):
                return here
        return Config()

    def _near(self, config: Config, places: Iterable[tuple[str, int]]) -> Config:
        """What is missing at the first of these places where something is."""
        found = (self.mentions.at(path, line, config) - config for path, line in places)
        return next((near for near in found if near), Config())

    def dropped(self, config: Config, message: str) -> Config:
        """What could go, so that nothing is missing any more."""
        frames = self._frames(message)
        for line, notes in errors_in(message):
            for name in self._names(line) or self._names(notes):
                about = [*self._using.get(name, ()), *self._ceasing.get(name, ())]
                for found in (self._within(about, frames[:1]), about if len(about) <= FEW else []):
                    here = Config.of(found) & config
                    if here:
                        return here
        for path, line_number in places_in(message):
            near = self.mentions.at(path, line_number, config, near=0) & config
            if near:
                return near
        return Config()

    def _frames(self, message: str) -> list[str]:
        """The changed files that a message names with a line, the innermost first."""
        known = (self.mentions.known(path) for path, _ in places_in(message))
        return [path for path in dict.fromkeys(known) if path is not None and path in self._files]
