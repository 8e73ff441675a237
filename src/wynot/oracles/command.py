"""`-- COMMAND {}`: the command that fails, run as it is; its failure is recognised by its signature.

Exit 0 is PASS; a failure like the baseline's is FAIL; another failure is UNRESOLVED, for it is not the one that is
being explained (2002, section IV-D). With `--fail-if-...` the user says what counts instead.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from shlex import join, quote
from stat import S_ISREG
from typing import Any, Self

from wynot.core.artifact import Artifact
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS
from wynot.core.setting import Setting
from wynot.errors import UsageError
from wynot.oracles.conditions import Conditions
from wynot.oracles.signature import Precision, Signature, finest_common, words_of
from wynot.oracles.words import HOLE, Ended, Examination, Invocation, Report, unresolved

CRASHES = frozenset({4, 6, 7, 8, 11})
"""SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV: a debugger can say where."""
_GDB = ("--batch", "-nx", "-ex", "set width 0", "-ex", "set print frame-arguments none", "-ex", "run")

_SHELL = ("/bin/sh", "-c", 'exec "$0" "$@"')
_STACK = Path(__file__).with_name("backtrace.gdb")


@dataclass(frozen=True, slots=True)
class Command:
    """A command with `{}` where the file's path goes; without it the file goes to standard input.

    With `inside` the artifact is a folder and the command runs in it: words that name files mean those in there.
    """

    argv: tuple[str, ...]
    conditions: Conditions = field(default_factory=Conditions)
    precision: Precision = field(default_factory=Precision)
    """As closely as the failure is to be compared, or as closely as it can be."""
    debugger: str | None = None
    """gdb's path, where a crash that prints nothing is to be looked into."""
    expected: Signature | None = None
    """The failure to look for; None before it was observed."""
    vocabulary: frozenset[str] = frozenset()
    inside: bool = False
    stdin: bytes | None = None
    """What the command reads beside the file."""
    typed: tuple[str, ...] = ()
    """What the user typed, where the command runs that in a way of our own."""

    def invocation(self, artifact: Artifact, folder: str) -> Invocation:
        """The command with the path of this artifact; where the artifact is a call, that call."""
        if isinstance(artifact.data, Setting):
            return Invocation.of(artifact.data, folder)
        if self.inside:
            return self._inside(artifact, folder)
        if not any(HOLE in word for word in self.argv):
            if isinstance(artifact.data, Folder):
                raise UsageError(
                    "a folder cannot be given on standard input",
                    f"put {{}} where its path goes: -- {join(self.argv)} {{}}",
                )
            return Invocation(self.argv, stdin=artifact.data)
        target = f"{folder}/{artifact.name}"
        argv = tuple(word.replace(HOLE, target) for word in self.argv)
        return Invocation(argv, ((artifact.name, artifact.data),), self.stdin)

    def _inside(self, artifact: Artifact, folder: str) -> Invocation:
        """The command in the folder. A program that is of the folder may be missing there: a shell can say so."""
        program = self.argv[0]
        own = HOLE in program or ("/" in program and not PurePath(program).is_absolute())
        words = (*_SHELL, *self.argv) if own else self.argv
        argv = tuple(word.replace(HOLE, f"{folder}/{artifact.name}") for word in words)
        return Invocation(argv, artifact.files, within=artifact.name)

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run the command, and a debugger if only that can tell one crash from another."""
        ended = yield self.invocation(artifact, folder)
        if self.conditions:
            return self._said(ended)
        if self.expected is None or ended.exit == 0 or ended.timed_out or ended.flooded:
            return _passed(ended)
        if not self._may_be_the_same(ended, self.expected):
            return unresolved(ended)
        seen = yield from self._signature(ended, artifact, folder)
        same = seen.seen(self.precision, self.vocabulary) == self.expected.seen(self.precision, self.vocabulary)
        why = str(seen.diagnosis or ended)
        return Report(FAIL, why, ended.seconds) if same else unresolved(ended, why)

    def _may_be_the_same(self, ended: Ended, expected: Signature) -> bool:
        """Whether it is worth a closer look: the same end, or a program that says itself what has failed."""
        same_end = (ended.exit, ended.signal) == (expected.exit, expected.signal)
        return same_end or (self.precision.level != "exit" and expected.speaks)

    def _said(self, ended: Ended) -> Report:
        """Judge by the user's own conditions."""
        if self.conditions.met(ended):
            return Report(FAIL, f"{ended}, as was asked for", ended.seconds)
        return _passed(ended)

    def _signature(self, ended: Ended, artifact: Artifact, folder: str) -> Generator[Invocation, Ended, Signature]:
        """What the failure looks like; a silent crash is run once more, under the debugger."""
        diagnosis = None
        if self.precision.level != "exit":
            from wynot.oracles.readers import reading  # noqa: PLC0415 - where there is something to read

            errors, output = (each.decode("utf-8", "replace") for each in (ended.stderr, ended.stdout))
            text = f"{errors}\n{output}"
            diagnosis = reading.diagnose(text) or (reading.gdb(text) if self.typed else None)
            if diagnosis is None and ended.signal is None:
                diagnosis = reading.words(errors, output)
            if diagnosis is None and self.precision.level == "frames" and self.debugger and ended.signal in CRASHES:
                plain = self.invocation(artifact, folder)
                under = yield replace(plain, argv=(self.debugger, *_GDB, "-x", str(_STACK), "--args", *plain.argv))
                diagnosis = reading.gdb(under.stdout.decode("utf-8", "replace"))
            if diagnosis is not None and artifact.has(PurePath(diagnosis.place.rpartition(":")[0]).name):
                diagnosis = replace(diagnosis, place="")  # a line of the input, which will change
        return Signature(ended.exit, ended.signal, diagnosis)

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, Ended, tuple[Self, Report]]:
        """Whatever failure this run shows is the one to look for."""
        ended = yield self.invocation(artifact, folder)
        if self.conditions:
            return self, self._said(ended)
        if ended.exit == 0 or ended.timed_out or ended.flooded:
            return self, _passed(ended)
        expected = yield from self._signature(ended, artifact, folder)
        words = frozenset[str]() if self.inside else words_of(artifact.data)  # a program's words are its own
        learnt = replace(self, expected=expected, vocabulary=words)
        return learnt, Report(FAIL, str(expected.diagnosis or ended), ended.seconds)

    def agreed(self, others: list[Self]) -> Self:
        """The finest precision that is steady over all observations."""
        if self.expected is None:
            return self
        signatures = [other.expected for other in (self, *others) if other.expected is not None]
        precision = finest_common(signatures, self.precision, self.vocabulary)
        if precision is not None:
            return replace(self, precision=precision)
        ends = Counter((signature.exit, signature.signal) for signature in signatures)
        usual = ends.most_common(1)[0][0]  # it ends now so, now so: the most frequent end is the one to look for
        expected = next(signature for signature in signatures if (signature.exit, signature.signal) == usual)
        return replace(self, precision=Precision("exit"), expected=expected)

    def shows(self, observed: Self) -> bool:
        """Whether an observation is of the failure that is looked for."""
        if self.expected is None or observed.expected is None:
            return True
        seen = [signature.seen(self.precision, self.vocabulary) for signature in (self.expected, observed.expected)]
        return seen[0] == seen[1]

    def memory(self) -> dict[str, Any]:
        """The failure and how closely it is compared."""
        expected = None if self.expected is None else self.expected.as_json()
        return {"expected": expected, "precision": str(self.precision), "vocabulary": sorted(self.vocabulary)}

    def recall(self, memory: dict[str, Any]) -> Self:
        """As it was."""
        expected = memory["expected"]
        return replace(
            self,
            expected=None if expected is None else Signature.from_json(expected),
            precision=Precision.parse(memory["precision"]),
            vocabulary=frozenset(memory["vocabulary"]),
        )

    def identity(self) -> str:
        """The words of the command, the state of the files among them, and what counts as the failure."""
        kind = "inside" if self.inside else "command"
        argv = self.typed or self.argv
        named = tuple(filter(lambda word: PurePath(word).is_absolute(), argv)) if self.inside else argv
        return repr((kind, argv, files_of(named), self.conditions, str(self.precision), self.debugger is not None))

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        if self.conditions:
            return str(self.conditions)
        return "any failure" if self.expected is None else self.expected.describe(self.precision)

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        if self.inside:
            return f"(cd {quote(path)} && {join(word.replace(HOLE, path) for word in self.argv)})"
        if self.typed:
            return join(self.typed)
        if any(HOLE in word for word in self.argv):
            return join(word.replace(HOLE, path) for word in self.argv)
        return f"{join(self.argv)} < {quote(path)}"


def _passed(ended: Ended) -> Report:
    """A run that shows no failure to look for: it went well, or it says nothing."""
    return Report(PASS, str(ended), ended.seconds) if ended.exit == 0 else unresolved(ended)


def find_debugger() -> str | None:
    """gdb, where it is installed."""
    return shutil.which("gdb")


def files_of(argv: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """The program and the other files that a command names, with size and time: another program is another test."""
    files = []
    for place, word in enumerate(argv):
        path = shutil.which(word) if place == 0 else word
        if path is None or "/" not in path:
            continue
        try:
            state = Path(path).stat()
        except OSError:
            continue
        if S_ISREG(state.st_mode):
            files.append((path, state.st_size, state.st_mtime_ns))
    return files
