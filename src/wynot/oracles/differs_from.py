"""Failures relative to another run: output that differs, or endings that OLD has as well."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, NamedTuple, Self

from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.oracles.command import Command
from wynot.oracles.protocol import EXECUTION, Examination, Invocation, ProcessExit, Report, Wrapper, killed, unresolved
from wynot.oracles.signature import essence, missing_dependency

# `--differs-from 'OTHER COMMAND {}'`: the failure is that two commands disagree.
#
# For wrong code and regressions: the same input, two compilers, two releases, two options. They disagree if their exits
# or what they print to standard output differ. A disagreement of another kind than the first one seen (other exits, or
# one that prints nothing now) is unresolved, and so is an input on which both fail.


Ends = tuple[int | None, int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class DiffersFrom:
    """Two commands on the same file."""

    one: Command
    other: Command
    ends: Ends | None = None
    """How both ended when they were first seen to disagree: exit and signal of the one, then of the other."""
    silent: tuple[bool, bool] | None = None
    """Which of them printed nothing then."""
    failure: str = ""
    """What was different then."""

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run both, compare."""
        return (yield from self._compare(artifact, folder, judging=True))[1]

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """Whatever disagreement this input shows is the one to look for."""
        kind, report = yield from self._compare(artifact, folder, judging=False)
        if report.outcome is not FAIL:
            return self, report
        return replace(self, ends=kind[0], silent=kind[1], failure=report.why), report

    def _compare(
        self, artifact: Artifact, folder: str, *, judging: bool
    ) -> Generator[Invocation, ProcessExit, tuple[tuple[Ends, tuple[bool, bool]], Report]]:
        may_be_killed = self.ends is not None and (killed(*self.ends[:2]) or killed(*self.ends[2:]))
        first = yield replace(self.one.invocation(artifact, folder), may_be_killed=may_be_killed)
        second = yield replace(self.other.invocation(artifact, folder), may_be_killed=may_be_killed)
        ends = (first.exit, first.signal, second.exit, second.signal)
        kind = ends, (not first.stdout, not second.stdout)
        why, seconds = f"{first}, the other {second}", first.seconds + second.seconds
        if any(e.timed_out or e.flooded for e in (first, second)) or (first.exit != 0 and second.exit != 0):
            return kind, replace(unresolved(first, why), seconds=seconds)
        if ends[:2] == ends[2:] and first.stdout == second.stdout:
            return kind, Report(PASS, why, seconds)
        if ends != self.ends and (self.ends is not None or (judging and (first.killed or second.killed))):
            return kind, replace(unresolved(first, why), seconds=seconds)
        if ends[:2] == ends[2:]:
            why = _difference(first.stdout, second.stdout)
            if self.silent is not None and kind[1] != self.silent:
                return kind, replace(unresolved(first, why), seconds=seconds)
        return kind, Report(FAIL, why, seconds)

    def agreed(self, others: list[Self]) -> Self:
        """One disagreement is like the other."""
        kinds = {(other.ends, other.silent) for other in (self, *others)}
        return self if len(kinds) == 1 else replace(self, ends=None, silent=None)

    def shows(self, observed: Self) -> bool:
        """Whether an observation is of the disagreement that is looked for."""
        return self.ends is None or (self.ends, self.silent) == (observed.ends, observed.silent)

    def with_commands(self, change: Callable[[Command], Command]) -> Self:
        """With both commands changed so."""
        return replace(self, one=change(self.one), other=change(self.other))

    def memory(self) -> dict[str, Any]:
        """How both ended, what was different, and what they find beside the input."""
        return {
            "ends": self.ends,
            "silent": self.silent,
            "failure": self.failure,
            "one": self.one.memory(),
            "other": self.other.memory(),
        }

    def recall(self, memory: dict[str, Any]) -> Self:
        """As it was."""
        ends, silent = memory["ends"], memory.get("silent")
        one, other = (
            command.recall(memory[name]) if name in memory else command
            for name, command in (("one", self.one), ("other", self.other))
        )  # fmt: skip
        return replace(
            self,
            one=one,
            other=other,
            ends=None if ends is None else (ends[0], ends[1], ends[2], ends[3]),
            silent=None if silent is None else (silent[0], silent[1]),
            failure=memory.get("failure", ""),
        )

    def identity(self) -> str:
        """Both commands."""
        return repr(("differs", self.one.identity(), self.other.identity()))

    def files(self) -> tuple[str, ...]:
        """The files of both."""
        return (*self.one.files(), *self.other.files())

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        what = "what they print" if self.ends is not None and self.ends[:2] == self.ends[2:] else "how they end"
        return f"the two commands differ in {what}" + (f": {self.failure}" if self.failure else "")

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return f"{self.one.by_hand(path)}; {self.other.by_hand(path)}"


LONGEST = 80
"""Characters of a line that are shown."""


def _difference(one: bytes, other: bytes) -> str:
    r"""The first lines that differ.

    >>> _difference(b"a\n1\n", b"a\n2\n"), _difference(b"a\n", b"")
    ("'1', the other '2'", "'a', the other nothing")
    """
    lines = zip_longest(*(each.decode("utf-8", "replace").splitlines() for each in (one, other)))
    pairs = (pair for pair in lines if pair[0] != pair[1])
    shown = ("nothing" if line is None else repr(line[:LONGEST]) for line in next(pairs, ("", "")))
    return ", the other ".join(shown)


# Where OLD does not exit 0 either: a run that ends as OLD does passes, as far as the user's conditions go.
#
# `--fail-if-output E302` says what the failure is. A linter exits 1 for other findings, too; OLD is known not to show
# the failure, so runs that end as it does pass. Runs that end otherwise stay unresolved: they may be broken.


class OldEnding(NamedTuple):
    """How a run ends: its exit code, and the failure that it prints itself, if there is one."""

    exit: int
    said: str


def end_of(ended: ProcessExit) -> OldEnding | None:
    """The end of a run; None where a signal or a limit ended it, or something was not installed."""
    from wynot.oracles.readers import loaded_readers  # noqa: PLC0415 - where there is something to read

    text = "\n".join(each.decode("utf-8", "replace") for each in (ended.stderr, ended.stdout))
    if ended.exit is None or missing_dependency(text) is not None:
        return None
    said = loaded_readers.diagnose(text)
    return OldEnding(ended.exit, "" if said is None else f"{said.kind}: {essence(said.message, frozenset())}")


@dataclass(frozen=True, slots=True)
class EndsAs(Wrapper):
    """An oracle for which a run that ends in one certain way passes, where it would be unresolved otherwise."""

    end: OldEnding

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """As the inner oracle does, and then look at the end."""
        ended: ProcessExit | None = None
        examination = self.inner.examine(artifact, folder)
        try:
            invocation = next(examination)
            while True:
                ended = yield invocation
                invocation = examination.send(ended)
        except StopIteration as done:
            report: Report = done.value
        if report.outcome is UNRESOLVED and report.phase == EXECUTION and ended and end_of(ended) == self.end:
            return replace(report, outcome=PASS, phase="", evidence="")
        return report

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """As the inner oracle observes."""
        learnt, report = yield from self.inner.observe(artifact, folder)
        return replace(self, inner=learnt), report

    def recall(self, memory: dict[str, Any]) -> Self:
        """As it was."""
        return replace(self, inner=self.inner.recall(memory))

    def identity(self) -> str:
        """The inner oracle's: the end is observed, not given."""
        return self.inner.identity()

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return self.inner.looked_for()

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return self.inner.by_hand(path)
