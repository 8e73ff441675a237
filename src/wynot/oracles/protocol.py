"""What an oracle is: it asks for program runs and judges them. Oracles that wrap another one."""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar

from wynot.core.artifact import Artifact, Placed
from wynot.core.call import Call, Variable
from wynot.core.outcome import UNRESOLVED, Outcome

if TYPE_CHECKING:
    from wynot.oracles.command import Command


HOLE = "{}"
"""Where the path goes, in the words of a command."""
INTEGRATION, CONSTRUCTION, EXECUTION = "integration", "construction", "execution"
"""Where a test can come to nothing (1999, section 5): the changes do not go together, they do not build, the program
that was built does not say anything of use."""
COMPARISON = "comparison"
"""Or it fails like the original, but for the values in its message."""
EVIDENCE = 8192
"""So much of what a program printed is kept, in characters."""


class FileBeside(NamedTuple):
    """A file or folder of the user that a test finds in its working folder, beside what is tested."""

    name: str
    """Where it is laid, relative to the working folder."""
    target: str
    """The user's own, by its full path; empty: a folder is made."""
    copied: bool = False
    """Whether tests find a copy of the file; else a link to it."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """A program to run in a folder that holds just these files and folders."""

    argv: tuple[str, ...]
    files: tuple[tuple[str, Placed], ...] = ()
    stdin: bytes | None = None
    within: str = ""
    """The folder among them in which it runs; none: the one that holds them."""
    stays: bool = False
    """Whether it finds all as the run before it has left it, and nothing is laid out."""
    makes: bool = False
    """Whether later tests may use what it makes there, where folders last (engine.executors.work_tree): a build."""
    env: tuple[Variable, ...] = ()
    """Variables of the environment that are set otherwise, or not at all."""
    may_be_killed: bool = False
    """Whether SIGKILL may be the failure itself. Else a run that it ends is repeated."""
    beside: tuple[FileBeside, ...] = ()
    """What else is laid out."""
    cwd: str = ""
    """The user's folder in which it runs, as it was typed there; none: one of the worker's."""

    @classmethod
    def of(cls, setting: Call, folder: str) -> Invocation:
        """A program, called just so in this folder."""
        return cls(setting.run_words(folder), setting.laid, env=setting.variables(folder), cwd=setting.cwd)


FLOODED = "too much output"
"""Why a test is unresolved that printed more than it may."""


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """How a run ended. `exit` is None where a signal or a limit ended it."""

    exit: int | None
    signal: int | None = None
    timed_out: bool = False
    flooded: bool = False
    stdout: bytes = b""
    stderr: bytes = b""
    seconds: float = 0.0
    out_of_memory: bool = False
    """Whether the kernel killed a process for lack of memory during this run, as its counter says."""

    @property
    def killed(self) -> bool:
        """Whether something other than wynot killed the program, or a program that it ran.

        >>> ProcessExit(137).killed, ProcessExit(None, signal=9).killed
        (True, True)
        >>> ProcessExit(1).killed, ProcessExit(None, timed_out=True).killed
        (False, False)
        """
        return self.out_of_memory or killed(self.exit, self.signal)

    def __str__(self) -> str:
        if self.timed_out:
            return f"time-out after {self.seconds:.1f} s"
        if self.flooded:
            return FLOODED
        if self.signal is not None:
            return signal_name(self.signal)
        return f"exit {self.exit}"


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a test, and why, in a few words."""

    outcome: Outcome
    why: str = ""
    seconds: float = 0.0
    """Where programs are run: of the longest of them."""
    cut: bool = False
    """Whether the time limit ended one of them."""
    error: BaseException | None = None
    """What the test raised instead of saying anything."""
    phase: str = ""
    """Of an unresolved test: where it came to nothing, one of the three above."""
    evidence: str = ""
    """Of an unresolved test: what was printed."""
    learnt: Oracle | None = None
    """Of a look at the input itself: the oracle that looks for just this failure."""
    kills: int = 0
    """How many of its runs something other than wynot killed..."""
    killed: bool = False
    """...and whether repeating them did not help: then the outcome says nothing about the candidate."""


Examination = Generator[Invocation, ProcessExit, Report]


class Examiner(Protocol):
    """Anything that can examine an artifact laid into a folder."""

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Say what to run, one after the other, and judge."""
        ...


class Oracle(Examiner, Protocol):
    """An examiner that can learn which failure to look for, and speak of it."""

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """Examine the failing input itself: gives the oracle that looks for just this failure."""
        ...

    def agreed(self, others: list[Self]) -> Self:
        """What several observations of the same failure have in common."""
        ...

    def shows(self, observed: Self) -> bool:
        """Whether an observation is of the failure that this oracle looks for."""
        ...

    def memory(self) -> dict[str, Any]:
        """What was observed, for the journal."""
        ...

    def recall(self, memory: dict[str, Any]) -> Self:
        """The oracle as it was after that observation."""
        ...

    def identity(self) -> str:
        """What makes it another test when it changes: outcomes are kept for the same identity only."""
        ...

    def files(self) -> tuple[str, ...]:
        """The files that make up the test: outcomes are kept only as long as they stay the same."""
        ...

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        ...

    def by_hand(self, path: str) -> str:
        """What a user would type to run the test on this file."""
        ...


def unresolved(ended: ProcessExit, why: str | None = None, phase: str = EXECUTION) -> Report:
    """A run that came to nothing, with what it printed."""
    return Report(UNRESOLVED, why or str(ended), ended.seconds, phase=phase, evidence=printed(ended))


def killed(exit_code: int | None, signal_number: int | None) -> bool:
    """Whether SIGKILL ended a program, or the last program of a shell script, which then exits with 128 + 9."""
    return signal_number == signal.SIGKILL or exit_code == 128 + signal.SIGKILL


def printed(ended: ProcessExit) -> str:
    r"""What a program said, errors first: of too much of it the beginning and the end.

    >>> printed(ProcessExit(1, stdout=b"compiling", stderr=b"error"))
    'error\ncompiling'
    """
    errors = _shortened(ended.stderr, EVIDENCE)
    rest = _shortened(ended.stdout, max(EVIDENCE // 4, EVIDENCE - len(errors)))
    return _shortened((errors + "\n" + rest).strip().encode("utf-8", "replace"), EVIDENCE)


def _shortened(data: bytes, most: int) -> str:
    if len(data) <= most:
        return data.decode("utf-8", "replace")
    half = most // 2 - 1
    return "\n…\n".join(piece.decode("utf-8", "replace") for piece in (data[: half - 1], data[-half:]))


def signal_name(number: int) -> str:
    """SIGSEGV for 11, and so on.

    >>> signal_name(11)
    'SIGSEGV'
    """
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


# Oracles around another oracle, and oracles whose signature is fixed from the start.


Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """All that an oracle says which only passes another one's words on."""

    inner: Oracle

    def agreed(self, others: list[Self]) -> Self:
        """As the inner oracles agree."""
        return replace(self, inner=self.inner.agreed([other.inner for other in others]))

    def shows(self, observed: Self) -> bool:
        """As the inner oracle says."""
        return self.inner.shows(observed.inner)

    def files(self) -> tuple[str, ...]:
        """The inner oracle's."""
        return self.inner.files()

    def with_commands(self, change: Callable[[Command], Command]) -> Self:
        """With the inner oracle's commands changed so."""
        return replace(self, inner=with_commands(self.inner, change))

    def memory(self) -> dict[str, Any]:
        """What the inner oracle remembers."""
        return self.inner.memory()

    def recall(self, memory: dict[str, Any]) -> Self:
        """As it was."""
        return replace(self, inner=self.inner.recall(memory))


def with_commands(oracle: Oracle, change: Callable[[Command], Command]) -> Oracle:
    """The same oracle with each command that it runs changed so; one that runs none stays as it is."""
    changed: Callable[[Callable[[Command], Command]], Oracle] | None = getattr(oracle, "with_commands", None)
    return oracle if changed is None else changed(change)


def words_of_commands(oracle: Oracle) -> list[str]:
    """The words of the commands that it runs."""
    words: list[str] = []

    def seen(command: Command) -> Command:
        words.extend(command.argv)
        return command

    with_commands(oracle, seen)
    return words


def altered(
    examination: Generator[Invocation, ProcessExit, Given], alter: Callable[[Invocation], Invocation]
) -> Generator[Invocation, ProcessExit, Given]:
    """The same examination, with all that it runs run in another way."""
    try:
        invocation = next(examination)
        while True:
            invocation = examination.send((yield alter(invocation)))
    except StopIteration as done:
        given: Given = done.value
        return given


class FixedSignature(ABC):
    """All that such an oracle says of what it has learnt."""

    __slots__ = ()

    @abstractmethod
    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Say what to run, one after the other, and judge."""

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """There is nothing to learn."""
        return self, (yield from self.examine(artifact, folder))

    def agreed(self, _others: list[Self]) -> Self:
        """All are one and the same."""
        return self

    def shows(self, _observed: Self) -> bool:
        """It knows one failure only."""
        return True

    def memory(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def recall(self, _memory: dict[str, Any]) -> Self:
        """As it is."""
        return self
