"""Oracles of replays: same output, and UNRESOLVED where the command could not do what it was asked."""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from dataclasses import dataclass, replace
from shlex import join
from typing import Any, Self

from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.oracles.command import Command, files_of
from wynot.oracles.protocol import Examination, Invocation, ProcessExit, Report, Wrapper, killed

# A command that may not be able to do what it is asked for: then it says nothing about the failure.


@dataclass(frozen=True, slots=True)
class ReplayCommand(Wrapper):
    """An oracle whose program has an exit code for "it could not be replayed": unresolved, and never the failure."""

    lost: int

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """As the inner oracle does, if it can."""
        report: Report = yield from self._unless_lost(self.inner.examine(artifact, folder), lambda report: report)
        return report

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """As the inner oracle observes, if it can."""
        found = yield from self._unless_lost(self.inner.observe(artifact, folder), lambda report: (self.inner, report))
        learnt, report = found
        return replace(self, inner=learnt), report

    def _unless_lost(self, examination: Any, lost: Any) -> Generator[Invocation, ProcessExit, Any]:
        try:
            invocation = next(examination)
            while True:
                ended = yield invocation
                if ended.exit == self.lost:
                    said = ended.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
                    return lost(Report(UNRESOLVED, said[-1][:200], ended.seconds))
                invocation = examination.send(ended)
        except StopIteration as done:
            return done.value

    def identity(self) -> str:
        """The inner oracle's."""
        return self.inner.identity()

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return self.inner.looked_for()

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return f"wynot events replay {path}"


# `--same-output`, `--output-line`: the wanted output is what is to be explained (2000, section 6).
#
# FAIL: the wanted output is there. PASS: something else was printed. UNRESOLVED: nothing was printed, or the run ended
# in another way than the recorded one: it crashed, it hung.


Wanted = tuple[int | None, int | None, tuple[bytes, ...]]
"""Exit code, signal, and the parts of the output that count."""


@dataclass(frozen=True, slots=True)
class OutputOracle:
    """A command whose output is looked at: all of it, or what matches a pattern in its lines."""

    command: Command
    pattern: str | None = None
    wanted: Wanted | None = None

    def _seen(self, ended: ProcessExit) -> Wanted:
        if self.pattern is None:
            parts: tuple[bytes, ...] = (ended.stdout,) if ended.stdout else ()
        else:
            found = re.finditer(os.fsencode(self.pattern), ended.stdout, re.MULTILINE)
            parts = tuple(match[0] for match in found if match[0])
        return ended.exit, ended.signal, parts

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run the command once and compare."""
        may_be_killed = self.wanted is not None and killed(*self.wanted[:2])
        ended = yield replace(self.command.invocation(artifact, folder), may_be_killed=may_be_killed)
        seen = self._seen(ended)
        if ended.timed_out or ended.flooded or self.wanted is None or seen[:2] != self.wanted[:2]:
            return Report(UNRESOLVED, str(ended), ended.seconds)
        if seen == self.wanted:
            return Report(FAIL, "the wanted output", ended.seconds)
        outcome = PASS if ended.stdout else UNRESOLVED
        return Report(outcome, "another output" if ended.stdout else "no output", ended.seconds)

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """Whatever this run prints is wanted."""
        ended = yield self.command.invocation(artifact, folder)
        seen = self._seen(ended)
        if ended.timed_out or ended.flooded or not seen[2]:
            why = "it prints nothing that matches" if ended.stdout and self.pattern else "it prints nothing"
            return self, Report(UNRESOLVED, str(ended) if seen[2] else why, ended.seconds)
        return replace(self, wanted=seen), Report(FAIL, "the wanted output", ended.seconds)

    def agreed(self, _others: list[Self]) -> Self:
        """The first one; `shows` says how often the others are like it."""
        return self

    def shows(self, observed: Self) -> bool:
        """Whether it is the same output."""
        return self.wanted == observed.wanted

    def memory(self) -> dict[str, Any]:
        """The wanted output."""
        if self.wanted is None:
            return {}
        exit_, signal, parts = self.wanted
        return {"exit": exit_, "signal": signal, "parts": [part.hex() for part in parts]}

    def recall(self, memory: dict[str, Any]) -> Self:
        """As it was."""
        parts = tuple(bytes.fromhex(part) for part in memory["parts"])
        return replace(self, wanted=(memory["exit"], memory["signal"], parts))

    def identity(self) -> str:
        """The command, the files in it, and what counts."""
        argv = self.command.typed or self.command.argv
        return repr(("output", argv, files_of(argv), self.pattern))

    def files(self) -> tuple[str, ...]:
        """The command's."""
        return self.command.files()

    def looked_for(self) -> str:
        """The wanted output, in plain words."""
        if self.pattern is not None:
            return f"the same output wherever it matches /{self.pattern}/"
        return "the same output"

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return self.command.by_hand(path) if self.command.typed else join(self.command.argv)
