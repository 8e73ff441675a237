"""`-- COMMAND {}`: the command that fails, run as it is; its failure is recognised by its signature.

Exit 0 is PASS; a failure like the baseline's is FAIL; another failure is UNRESOLVED, for it is not the one that is
being explained (2002, section IV-D). With `--fail-if-...` the user says what counts instead.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field, replace
from os.path import dirname
from pathlib import Path, PurePath
from shlex import join, quote
from stat import S_ISREG
from typing import Any, Self

from wynot.core.artifact import Artifact
from wynot.core.call import Call, Variable
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS
from wynot.errors import UsageError
from wynot.oracles.normalise import PassingOutput, steady
from wynot.oracles.protocol import (
    COMPARISON,
    EXECUTION,
    HOLE,
    Examination,
    FileBeside,
    Invocation,
    ProcessExit,
    Report,
    killed,
    unresolved,
)
from wynot.oracles.script import Conditions
from wynot.oracles.signature import Diagnosis, Precision, Signature, finest_common, words_of
from wynot.oracles.typed_command import TypedCommand, own_files, program_of

CRASHES = frozenset({4, 6, 7, 8, 11})
"""SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV: a debugger can say where."""
_GDB = ("--batch", "-nx", "-ex", "set width 0", "-ex", "set print frame-arguments none", "-ex", "run")

PYTEST_OPTIONS = "PYTEST_ADDOPTS"
_VERBOSE = "-vvvv"
"""With it pytest shows values in full, even if the command says -q twice."""
_SHELL = ("/bin/sh", "-c", 'exec "$0" "$@"')
_DOT = re.compile(r"(?<![\w.-])\./(?=\w)")
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
    passing: PassingOutput | None = None
    """What a passing run prints; None where none was seen."""
    env: tuple[Variable, ...] = ()
    """Variables with which the program shows values in full."""
    original: TypedCommand | None = None
    """The command as typed in the user's folder, where it is known."""
    in_place: bool = False
    """Run just that."""
    beside: tuple[FileBeside, ...] = ()
    """Files and folders of the user that tests find beside the input."""
    within: str = ""
    """The working folder in a folder of a test: what the user's is in the folder that holds all that is laid out."""
    relative: bool = False
    """Whether the path of the input is relative, as it was typed."""

    def invocation(self, artifact: Artifact, folder: str) -> Invocation:
        """The command with the path of this artifact; where the artifact is a call, that call."""
        invocation = self._invocation(artifact, folder)
        return replace(invocation, may_be_killed=True) if self._looks_for_a_kill() else invocation

    def _looks_for_a_kill(self) -> bool:
        """Whether SIGKILL is the failure to look for."""
        if self.conditions:
            return killed(self.conditions.exit, self.conditions.signal)
        return self.expected is not None and killed(self.expected.exit, self.expected.signal)

    def _invocation(self, artifact: Artifact, folder: str) -> Invocation:
        if isinstance(artifact.data, Call):
            return Invocation.of(artifact.data, folder)
        if self.inside:
            return self._inside(artifact, folder)
        if self.in_place and self.original is not None:
            return self._in_place(self.original, artifact, folder)
        if not any(HOLE in word for word in self.argv):
            if isinstance(artifact.data, Folder):
                raise UsageError(
                    "a folder cannot be given on standard input",
                    f"put {{}} where its path goes: -- {join(self.argv)} {{}}",
                )
            laid = ((self._place(artifact.name), artifact.data),)  # a program may open it by its name
            return Invocation(self.argv, laid, artifact.data, beside=self.beside, within=self.within)
        place = self._place(artifact.name)
        path = f"{folder}/{place}"
        if self.relative and self.original is not None:
            path = self.original.typed_path(artifact.name)
        argv = tuple(word.replace(HOLE, path) for word in self.argv)
        return Invocation(argv, ((place, artifact.data),), self.stdin, beside=self.beside, within=self.within)

    def _place(self, name: str) -> str:
        """Where a candidate is laid: in the same folder as the user's input."""
        if self.original is None:
            return name
        above = dirname(self.original.place(self.within))  # noqa: PTH120 - as text
        return f"{above}/{name}" if above else name

    def _in_place(self, original: TypedCommand, artifact: Artifact, folder: str) -> Invocation:
        """The command as typed, where it was typed. Of a folder it gets a copy: it may build something in there."""
        copied = isinstance(artifact.data, Folder)
        path = f"{folder}/{artifact.name}" if copied else original.path
        argv = tuple(word.replace(HOLE, path) for word in original.words)
        if argv != original.words:
            return Invocation(argv, artifact.files if copied else (), self.stdin, cwd=original.cwd)
        return Invocation(argv, stdin=artifact.data if isinstance(artifact.data, bytes) else None, cwd=original.cwd)

    def _inside(self, artifact: Artifact, folder: str) -> Invocation:
        """The command in the folder. A program that is of the folder may be missing there: a shell can say so."""
        program = self.argv[0]
        own = HOLE in program or ("/" in program and not PurePath(program).is_absolute())
        words = (*_SHELL, *self.argv) if own else self.argv
        argv = tuple(word.replace(HOLE, f"{folder}/{artifact.name}") for word in words)
        return Invocation(argv, artifact.files, within=artifact.name)

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run the command, and a debugger if only that can tell one crash from another."""
        ended = yield self._verbose(artifact, folder)
        if self.conditions:
            return self._said(ended)
        if self.expected is None or ended.exit == 0 or ended.timed_out or ended.flooded:
            return _passed(ended)
        if not self._may_be_the_same(ended, self.expected):
            return unresolved(ended)
        seen = yield from self._signature(ended, artifact, folder)
        why = str(seen.diagnosis or ended)
        if self._same(seen, self.precision, artifact):
            return Report(FAIL, why, ended.seconds)
        values = self.precision.values and self._same(seen, replace(self.precision, values=False), artifact)
        return unresolved(ended, why, COMPARISON if values else EXECUTION)

    def _same(self, seen: Signature, precision: Precision, artifact: Artifact | None = None) -> bool:
        """Whether this is the failure that is looked for, at this precision.

        A word that is in the candidate but not in the input is what is left of one, or made of several: it says as
        little about the failure.
        """
        expected = self.expected
        if expected is None:
            return False
        looked = expected.seen(precision, self.vocabulary)
        if seen.seen(precision, self.vocabulary) == looked:
            return True
        if artifact is None or self.inside or not expected.like(seen):
            return False
        new = words_of(artifact.data) - self.vocabulary
        return bool(new) and seen.seen(precision, self.vocabulary | new) == looked

    def _verbose(self, artifact: Artifact, folder: str) -> Invocation:
        """The command, with the variables that make it show values in full."""
        plain = self.invocation(artifact, folder)
        return replace(plain, env=(*plain.env, *self.env)) if self.env else plain

    def _may_be_the_same(self, ended: ProcessExit, expected: Signature) -> bool:
        """Whether it is worth a closer look: the same end, or a program that says itself what has failed."""
        same_end = (ended.exit, ended.signal) == (expected.exit, expected.signal)
        return same_end or (self.precision.level != "exit" and expected.speaks)

    def _said(self, ended: ProcessExit) -> Report:
        """Judge by the user's own conditions."""
        if self.conditions.met(ended):
            return Report(FAIL, f"{ended}, as was asked for", ended.seconds)
        return _passed(ended)

    def _signature(
        self, ended: ProcessExit, artifact: Artifact, folder: str
    ) -> Generator[Invocation, ProcessExit, Signature]:
        """What the failure looks like; a silent crash is run once more, under the debugger."""
        diagnosis = None
        if self.precision.level != "exit":
            from wynot.oracles.readers import loaded_readers  # noqa: PLC0415 - where there is something to read

            errors, output = (each.decode("utf-8", "replace") for each in (ended.stderr, ended.stdout))
            errors, output = (self._from_here(each, folder) for each in (errors, output))
            if isinstance(artifact.data, Call):  # it runs on copies: each worker has a folder of its own
                errors, output = (_without(each, artifact.data.cwd, folder) for each in (errors, output))
            text = f"{errors}\n{output}"
            diagnosis = loaded_readers.diagnose(text) or (loaded_readers.gdb(text) if self.typed else None)
            if self.passing is not None and (diagnosis is None or self._passing_says(diagnosis)):
                errors, output = self.passing.without(errors), self.passing.without(output)
                text = f"{errors}\n{output}"
                diagnosis = loaded_readers.diagnose(text) if diagnosis is not None else None
            if diagnosis is None and ended.signal is None:
                diagnosis = loaded_readers.words(errors, output)
            if diagnosis is not None and self.precision.values:
                streams = (loaded_readers.details(diagnosis, stream) for stream in (errors, output))
                diagnosis = replace(diagnosis, details=next(filter(None, streams), ""))
            if diagnosis is None and self.precision.level == "frames" and self.debugger and ended.signal in CRASHES:
                plain = self.invocation(artifact, folder)
                under = yield replace(plain, argv=(self.debugger, *_GDB, "-x", str(_STACK), "--args", *plain.argv))
                diagnosis = loaded_readers.gdb(under.stdout.decode("utf-8", "replace"))
            if diagnosis is not None and artifact.has(PurePath(diagnosis.place.rpartition(":")[0]).name):
                diagnosis = replace(diagnosis, place="")  # a line of the input, which will change
        return Signature(ended.exit, ended.signal, diagnosis)

    def _passing_says(self, diagnosis: Diagnosis) -> bool:
        """Whether a run that passes prints this failure, too."""
        known = self.passing.failure if self.passing is not None else None
        return known == (diagnosis.reader, diagnosis.kind, steady(diagnosis.message))

    def _from_here(self, text: str, folder: str) -> str:
        """A text in which paths below the working folder begin there, so that the user's and a test's look alike."""
        if self.original is None:
            return text.replace(f"{folder}/", "")
        inner = f"{folder}/{self.within}" if self.within else folder
        for here in (inner, self.original.cwd, folder, self.original.base(self.within)):
            text = text.replace(f"{here}/", "") if here.strip("/") else text
        text = text.replace(f"{dirname(folder)}/", "/tmp/")  # noqa: PTH120, S108 - temporary folders are all alike
        return _DOT.sub("", text)  # `./prog` as typed is a full path in a test

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """Whatever failure this run shows is the one to look for; of a run that passes, what it prints is learnt."""
        ended = yield self._verbose(artifact, folder)
        if self.conditions:
            return self, self._said(ended)
        if ended.exit == 0:
            return replace(self, passing=PassingOutput.of(ended, folder)), _passed(ended)
        if ended.timed_out or ended.flooded:
            return self, _passed(ended)
        expected = yield from self._signature(ended, artifact, folder)
        words = frozenset[str]() if self.inside else words_of(artifact.data)  # a program's words are its own
        learnt = replace(self, expected=expected, vocabulary=words)
        if learnt._shortened() and not self.env:  # noqa: SLF001 - its own
            learnt = (yield from learnt._in_full(artifact, folder)) or learnt  # noqa: SLF001
        return learnt, Report(FAIL, str(expected.diagnosis or ended), ended.seconds)

    def _shortened(self) -> bool:
        """Whether values are to be compared, and the program has shortened them."""
        said = self.expected.diagnosis if self.expected is not None else None
        if said is None or not self.precision.values:
            return False
        from wynot.oracles.readers import loaded_readers  # noqa: PLC0415 - where there is something to read

        return loaded_readers.shortened(said)

    def _in_full(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, Self | None]:
        """The same failure in a second run, by a test framework that shows values in full; None where it does not."""
        said = self.expected.diagnosis if self.expected is not None else None
        if said is None or said.reader != "pytest":
            return None
        options = f"{os.environ.get(PYTEST_OPTIONS, '')} {_VERBOSE}".strip()
        verbose = replace(self, env=(Variable(PYTEST_OPTIONS, options),))
        ended = yield verbose._verbose(artifact, folder)  # noqa: SLF001 - its own
        if ended.exit == 0 or ended.timed_out or ended.flooded:
            return None
        seen = yield from verbose._signature(ended, artifact, folder)  # noqa: SLF001
        same = seen.diagnosis is not None and (seen.diagnosis.reader, seen.diagnosis.kind) == (said.reader, said.kind)
        return replace(verbose, expected=seen) if same else None

    @property
    def failure(self) -> str:
        """What the program says of the failure to look for; nothing where it says nothing."""
        said = self.expected.diagnosis if self.expected is not None else None
        return "" if said is None or self.precision.level == "exit" else str(said)

    def cautions(self) -> list[str]:
        """What the user should know of the values that are to be compared."""
        said = self.expected.diagnosis if self.expected is not None else None
        if said is None or not self.precision.values or self.conditions:
            return []
        from wynot.oracles.readers import loaded_readers  # noqa: PLC0415 - where there is something to read

        if loaded_readers.silent(said):
            values = "another wrong value looks the same"
            return [f"{said.kind} has no message: {values}; add the values to it: assert got == wanted, (got, wanted)"]
        if self._shortened() and not self.env:
            return ["the program shortens values in its message (...): what it leaves out is not compared"]
        return []

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
        seen = observed.expected
        return seen is None or self.expected is None or self._same(seen, self.precision)

    def with_commands(self, change: Callable[[Command], Command]) -> Command:
        """Changed so; oracles that run several commands change each of them."""
        return change(self)

    def memory(self) -> dict[str, Any]:
        """The failure, how closely it is compared, and what tests find beside the input."""
        expected = None if self.expected is None else self.expected.as_json()
        memory = {
            "expected": expected,
            "precision": str(self.precision),
            "vocabulary": sorted(self.vocabulary),
            "passing": None if self.passing is None else self.passing.as_json(),
            "env": list(self.env),
        }
        return memory if self.original is None else {**memory, **self._laid()}

    def _laid(self) -> dict[str, Any]:
        """How it is laid out in a folder of a test."""
        return {"argv": self.argv, "beside": self.beside, "within": self.within, "relative": self.relative}

    def recall(self, memory: dict[str, Any]) -> Self:
        """As it was."""
        expected, passing = memory["expected"], memory.get("passing")
        return replace(
            self,
            expected=None if expected is None else Signature.from_json(expected),
            precision=Precision.parse(memory["precision"]),
            vocabulary=frozenset(memory["vocabulary"]),
            passing=None if passing is None else PassingOutput.from_json(passing),
            env=tuple(Variable(*each) for each in memory.get("env", ())),
            argv=tuple(memory.get("argv", self.argv)),
            beside=tuple(FileBeside(*each) for each in memory.get("beside", ())),
            within=memory.get("within", ""),
            relative=memory.get("relative", False),
        )

    def identity(self) -> str:
        """The words of the command, the state of the files among them, and what counts as the failure."""
        kind = "inside" if self.inside else "command"
        argv = self.typed or self.argv
        named = tuple(filter(lambda word: PurePath(word).is_absolute(), argv)) if self.inside else argv
        files = files_of((*named, *(each.target for each in self.beside)))
        return repr((kind, argv, files, self.conditions, str(self.precision), self.debugger is not None))

    def files(self) -> tuple[str, ...]:
        """The program, the files that the words name, and the code files that these name."""
        return own_files(program_of(self.typed or self.argv, inside=self.inside))

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        if self.conditions:
            return str(self.conditions)
        if self.expected is None:
            return "any failure"
        masked = self.expected.masked(self.precision, self.vocabulary)
        note = f" (not compared: {', '.join(masked)})" if masked else ""
        return self.expected.describe(self.precision) + note

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        if self.inside:
            return f"(cd {quote(path)} && {join(word.replace(HOLE, path) for word in self.argv)})"
        if self.typed:
            return join(self.typed)
        if any(HOLE in word for word in self.argv):
            return join(word.replace(HOLE, path) for word in self.argv)
        return f"{join(self.argv)} < {quote(path)}"


def _without(text: str, *folders: str) -> str:
    """A text with paths relative to the folder in which a program ran.

    >>> _without("/w/a.py: no /w", "", "/w")
    'a.py: no .'
    """
    for folder in filter(None, folders):
        text = text.replace(f"{folder}/", "").replace(folder, ".")
    return text


def _passed(ended: ProcessExit) -> Report:
    """A run that shows no failure to look for: it went well, or it says nothing."""
    return Report(PASS, str(ended), ended.seconds) if ended.exit == 0 else unresolved(ended)


def find_debugger() -> str | None:
    """gdb, where it is installed."""
    return shutil.which("gdb")


def files_of(argv: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """The program and the other files that a command names, with size and time: another program is another test."""
    paths = [shutil.which(word) if place == 0 else word for place, word in enumerate(argv)]
    named = _states(path for path in paths if path is not None and "/" in path)
    first = [path for path, _, _ in named]
    return [*named, *_states(path for path in own_files(first) if path not in first)]


def _states(paths: Iterable[str]) -> list[tuple[str, int, int]]:
    """Size and time of those that are files."""
    files = []
    for path in paths:
        try:
            state = Path(path).stat()
        except OSError:
            continue
        if S_ISREG(state.st_mode):
            files.append((path, state.st_size, state.st_mtime_ns))
    return files
