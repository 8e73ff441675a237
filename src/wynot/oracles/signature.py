"""What makes a failure the same failure: a reader's diagnosis, reduced to a signature; missing dependencies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import Any, NamedTuple, Protocol, Self

from wynot.core.artifact import Content
from wynot.core.call import Call
from wynot.core.folder import Folder
from wynot.oracles.normalise import masked, normalise, steady
from wynot.oracles.protocol import signal_name


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A failure in the program's own words. Everything is kept as printed; comparing normalises (oracles.normal)."""

    reader: str
    """Who understood it: python, gcc, ..."""
    kind: str
    """The sort of failure: an exception's type, `internal compiler error`, `panic`, `heap-buffer-overflow`."""
    message: str = ""
    """What it says about it, one line."""
    frames: tuple[str, ...] = ()
    """The functions on the stack, the innermost first; names only, without arguments and addresses."""
    place: str = ""
    """Where in the program's own source it says it failed: `cfgexpand.cc:4006`, `src/selector.rs:478`."""
    details: str = ""
    """What it says on further lines, where values are compared: expected and actual values, a statement."""

    @property
    def said(self) -> str:
        """The message; one that ends with a colon goes on with the values on the next lines.

        >>> Diagnosis("node", "Error", "Expected equal values:", details="1 !== 2").said
        'Expected equal values: 1 !== 2'
        """
        if not self.message.endswith(":"):
            return self.message
        values = takewhile(lambda line: not line.startswith("generatedMessage:"), self.details.splitlines())
        return " ".join((self.message, *values))

    def __str__(self) -> str:
        said = ": ".join(part for part in (self.kind, self.said[:400]) if part)
        where = f" at {self.place}" if self.place else ""
        stack = " in " + " <- ".join(f"`{frame}`" for frame in self.frames[:3]) if self.frames else ""
        return f"{said}{where}{stack}"


class FailureReader(Protocol):
    """Understands the output of one kind of program."""

    @property
    def name(self) -> str:
        """What it reads."""
        ...

    def read(self, text: str) -> Diagnosis | None:
        """The failure told in this output; None where it tells of none that this reader knows."""
        ...


# What a program says when something that it needs is not installed: a module, a header, a library, a program.


_NAME = r"([\w.+@/:-]{1,200})"
_SAID = (
    (rf"ModuleNotFoundError: No module named ['\"]?{_NAME}", "Python module", "python -m pip install {}"),
    (rf"ImportError: No module named ['\"]?{_NAME}", "Python module", "python -m pip install {}"),
    (rf"No module named ['\"]{_NAME}['\"]", "Python module", "python -m pip install {}"),
    (rf": No module named {_NAME}", "Python module", "python -m pip install {}"),
    (rf"Cannot find (?:module|package) ['\"]{_NAME}['\"]", "Node module", "npm install {}"),
    (rf"fatal error: ['\"]?{_NAME}['\"]?(?:: No such file or directory| file not found)", "header", ""),
    (rf"cannot find -l{_NAME}", "library", ""),
    (rf"loading shared librar(?:y|ies): {_NAME}: cannot open", "library", ""),
    (rf"cannot load such file -- {_NAME}", "Ruby library", "gem install {}"),
    (rf"Can't locate {_NAME}\.pm in @INC", "Perl module", "cpan {}"),
    (rf"no required module provides package {_NAME}", "Go package", "go get {}"),
    (rf"can't find crate for `{_NAME}`", "Rust crate", "cargo add {}"),
    (rf"error: package {_NAME} does not exist", "Java package", ""),
    (rf"(?:^|: ){_NAME}: (?:command )?not found$", "program", ""),
    (rf"^env: [^\w\s]?{_NAME}[^\w\s]?: No such file or directory$", "program", ""),
)
_PATTERNS = tuple((re.compile(pattern, re.MULTILINE), kind, command) for pattern, kind, command in _SAID)


class Dependency(NamedTuple):
    """Something that is needed and not there."""

    kind: str
    name: str
    install: str
    """What usually installs it; empty where that differs from system to system."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def missing_dependency(text: str) -> Dependency | None:
    """The dependency that output says is missing, the first if there are several.

    >>> print(missing_dependency("E   ModuleNotFoundError: No module named 'six'"))
    Python module six
    >>> print(missing_dependency("a.c:1:10: fatal error: zlib.h: No such file or directory"))
    header zlib.h
    >>> print(missing_dependency("sh: 1: tsc: not found"))
    program tsc
    """
    found = [
        (match.start(), Dependency(kind, match[1], command.format(_installed(kind, match[1]))))
        for pattern, kind, command in _PATTERNS
        if (match := pattern.search(text))
    ]
    return min(found)[1] if found else None


def _installed(kind: str, name: str) -> str:
    """What has to be installed for a module that is in a package."""
    if kind == "Python module":
        return name.partition(".")[0]
    if kind == "Node module" and not name.startswith("."):
        return "/".join(name.split("/")[: 2 if name.startswith("@") else 1])
    if kind == "Perl module":
        return name.replace("/", "::")
    return name


# Is it the same failure? A signature is what a failure looks like, at a chosen precision.
#
# Zeller & Hildebrandt 2002, section IV-D: with low precision a search may slip to another failure; with high precision
# another crash is unresolved. Three levels, each including the ones before it: `exit` (exit code or signal), `message`
# (what the program says, normalised), `frames` (the functions on top of its stack).
#
# Where the input changes, values in a message may come from it: they are not compared. Where the input is constant and
# the program changes (changes, bisect), they are: a test that got '' fails otherwise than one that got 'False'.


LEVELS = ("exit", "message", "frames")
_PRECISION = re.compile(r"(exit|message|frames)(?::([1-9]\d*))?(\+values)?")
_PLACEHOLDER = re.compile(r"<(?:addr|num|path|text|name)>")
_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
LONGEST = 400
"""Characters of a message that are compared and shown: some print a whole input."""
MAX_MASKED = 4
"""Words that are named as not compared."""
INPUT = "…"
"""Stands for a name that comes from the input."""


@dataclass(frozen=True, slots=True)
class Precision:
    """How closely failures are compared."""

    level: str = "frames"
    depth: int = 3
    """How many frames are compared."""
    values: bool = False
    """Whether the whole message is compared, with the values in it."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """exit, message, frames or frames:5; the last two also with values.

        >>> Precision.parse("frames:5+values")
        Precision(level='frames', depth=5, values=True)
        """
        match = _PRECISION.fullmatch(text)
        if match is None or (match[2] and match[1] != "frames") or (match[3] and match[1] == "exit"):
            raise ValueError(
                f"{text!r} is not a precision; choose exit, message, frames, frames:N, message+values or frames+values"
            )
        return cls(match[1], int(match[2] or 3), bool(match[3]))

    def __str__(self) -> str:
        name = f"{self.level}:{self.depth}" if self.level == "frames" else self.level
        return f"{name}+values" if self.values else name


@dataclass(frozen=True, slots=True)
class Signature:
    """How a run failed."""

    exit: int | None
    signal: int | None
    diagnosis: Diagnosis | None = None

    def seen(self, precision: Precision, vocabulary: frozenset[str]) -> tuple[object, ...]:
        """What two failures must share to be the same, at this precision."""
        key: tuple[object, ...] = (self.exit, self.signal)
        said = self.diagnosis
        if precision.level == "exit" or said is None:
            return key
        if self.speaks:
            key = ()
        if precision.values:
            key += (said.reader, said.kind, steady(said.message), steady(said.details), said.place)
        else:
            key += (said.reader, said.kind, essence(said.message, vocabulary), said.place)
        if precision.level == "message":
            return key
        return (*key, own_frames(said.frames, vocabulary)[: precision.depth])

    def like(self, other: Signature) -> bool:
        """Whether the other one is of the same kind: only the words of its message and its frames may differ."""
        one, said = self.diagnosis, other.diagnosis
        if one is None or said is None:
            return False
        return (one.reader, one.kind, one.place) == (said.reader, said.kind, said.place)

    @property
    def speaks(self) -> bool:
        """Whether the program itself says what has failed.

        Then that is what counts, and not how the program ended on it: a compiler that panics may exit with a code of
        its own one time and abort the next.
        """
        return self.diagnosis is not None and self.diagnosis.reader not in {"words", "gdb"}

    def describe(self, precision: Precision) -> str:
        """In plain words, what is compared."""
        end = signal_name(self.signal) if self.signal is not None else f"exit code {self.exit}"
        said = self.diagnosis
        if precision.level == "exit" or said is None:
            return end
        words = [end] if said.kind in {"", end} else [end, said.kind]
        if said.message:
            words.append(said.said[:LONGEST])
        text = ": ".join(words) + (f" (at {said.place})" if said.place else "")
        frames = said.frames[: precision.depth] if precision.level == "frames" else ()
        return text + (" in " + " <- ".join(f"`{frame}`" for frame in frames) if frames else "")

    def masked(self, precision: Precision, vocabulary: frozenset[str]) -> list[str]:
        """The words of the description that are not compared: values, and names that may come from the input."""
        said = self.diagnosis
        if said is None or precision.level == "exit" or precision.values:
            return []
        words = masked(said.message[:LONGEST], vocabulary)
        if precision.level == "frames":
            words += [f"`{frame}`" for frame in said.frames[: precision.depth] if frame in vocabulary]
        found = list(dict.fromkeys(words))
        return [*found[:MAX_MASKED], "..."] if len(found) > MAX_MASKED else found

    def as_json(self) -> dict[str, Any]:
        """For the journal."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """From the journal."""
        said = data["diagnosis"]
        diagnosis = None if said is None else Diagnosis(**{**said, "frames": tuple(said["frames"])})
        return cls(data["exit"], data["signal"], diagnosis)


def essence(message: str, vocabulary: frozenset[str]) -> str:
    """What is left of a message when all that may come from the input is taken out.

    Words in which something was replaced become one sign, and a row of them one sign: a list of names or numbers may
    be of another length in another input.

    >>> essence('cannot bind "aisle" [26.0] (to: #36.0, #36.1)', frozenset())
    'cannot bind … (to: …'
    """
    words = [INPUT if _PLACEHOLDER.search(word) else word for word in normalise(message[:LONGEST], vocabulary).split()]
    return " ".join(word for i, word in enumerate(words) if word != INPUT or i == 0 or words[i - 1] != INPUT)


def own_frames(frames: Sequence[str], vocabulary: frozenset[str]) -> tuple[str, ...]:
    """The frames with names that come from the input made one sign, as reducing the input changes those."""
    own: list[str] = []
    for frame in frames:
        name = INPUT if frame in vocabulary else frame
        if not (name == INPUT and own and own[-1] == INPUT):
            own.append(name)
    return tuple(own)


def words_of(data: Content) -> frozenset[str]:
    """The vocabulary of an input: words of a message that are in it say nothing about the failure.

    The names of the files in a folder belong to it.
    """
    if isinstance(data, Folder):
        names = " ".join(data.entries).encode("utf-8", "replace")
        return frozenset().union(*map(words_of, (names, *data.files.values())))
    text = data.text() if isinstance(data, Call) else data
    return frozenset(word.decode() for word in set(_WORD.findall(text)))


def finest_common(signatures: Sequence[Signature], wanted: Precision, vocabulary: frozenset[str]) -> Precision | None:
    """The finest precision, up to the wanted one, at which all are the same; None if not even their ends are.

    Values are the last thing that is given up but the message itself: they tell more than frames do.
    """
    levels = LEVELS[LEVELS.index(wanted.level) :: -1]
    with_values = [Precision(level, wanted.depth, True) for level in levels if level != "exit" and wanted.values]
    for precision in (*with_values, *(Precision(level, wanted.depth) for level in levels)):
        if len({s.seen(precision, vocabulary) for s in signatures}) == 1:
            return precision
    return None
