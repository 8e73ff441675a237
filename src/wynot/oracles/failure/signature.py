"""Is it the same failure? A signature is what a failure looks like, at a chosen precision.

Zeller & Hildebrandt 2002, section IV-D: with low precision a search may slip to another failure; with high precision
another crash is unresolved. Three levels, each including the ones before it: `exit` (exit code or signal), `message`
(what the program says, normalised), `frames` (the functions on top of its stack).

Where the input changes, values in a message may come from it: they are not compared. Where the input is constant and
the program changes (changes, bisect), they are: a test that got '' fails otherwise than one that got 'False'.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from wynot.core.artifact import Content
from wynot.core.call import Call
from wynot.core.folder import Folder
from wynot.oracles.failure.diagnosis import Diagnosis
from wynot.oracles.failure.normalise import masked, normalise, steady
from wynot.oracles.protocol import signal_name

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
                f"{text!r} is no precision; choose exit, message, frames or frames:N; or message+values, frames+values"
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
