"""The tracers for Python, Perl and native programs, and which one suits a command."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from wynot.commands.trace.perl.perl_programs import RewrittenPerl, rewritten
from wynot.core.text import pasted
from wynot.domains.traces.trace_tree import (
    LINE,
    NONE,
    EventLog,
    RecordedRun,
    SourceFile,
    Statement,
    read_recorded,
    replay_arrays,
    replay_file,
)
from wynot.errors import UsageError

# What kind of program is traced, and how it is recorded and replayed.


HOME = Path(__file__).parent
_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*")
_WITH_VALUE = frozenset({"-W", "-X", "--check-hash-based-pycs"})
_PYTEST = ("--assert=plain", "-p", "no:cacheprovider")
"""Assertions as they are written, and nothing left in the folder."""
REPEATABLE = ("env", "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1")


@dataclass(frozen=True, slots=True)
class TracedProgram:
    """A program to be traced."""

    kind: str
    """python, perl or native."""
    start: tuple[str, ...]
    """What begins a recording or a replay; the path of the options follows."""
    words: tuple[str, ...]
    """The program and its arguments, for those."""
    typed: tuple[str, ...]
    """What the user typed, with full paths."""


def program_of(words: tuple[str, ...]) -> TracedProgram:
    """The kind of a program, by its name, by its first line, by its first bytes."""
    path = shutil.which(words[0]) or words[0]
    name = Path(path).name
    if _PYTHON.fullmatch(name):
        return _python((path,), words[1:], words)
    if name.startswith("perl"):
        return _perl((path,), words[1:], words)
    try:
        with Path(path).open("rb") as file:
            first = file.readline(256)
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}", f"check the permissions: ls -l {pasted(path)}"
        ) from None
    if first.startswith(b"\x7fELF"):
        return _native((path, *words[1:]), words)
    if first.startswith(b"#!"):
        return _script(path, os.fsdecode(first[2:]).split(), words)
    raise UsageError(
        f"{words[0]} is neither a Python program, nor a Perl program, nor a native one",
        "give the program itself: wynot trace -- python prog.py ARGS",
    )


def _script(path: str, interpreter: list[str], words: tuple[str, ...]) -> TracedProgram:
    """A script with an interpreter in its first line."""
    if interpreter and Path(interpreter[0]).name == "env":
        interpreter = [word for word in interpreter[1:] if word != "-S"]
    found = shutil.which(interpreter[0]) if interpreter else None
    if found and _PYTHON.fullmatch(Path(found).name):
        return _python((found, *interpreter[1:]), (path, *words[1:]), words)
    if found and Path(found).name.startswith("perl"):
        return _perl((found, *interpreter[1:]), (path, *words[1:]), words)
    raise UsageError(
        f"{words[0]} is run by {' '.join(interpreter)}: that cannot be traced",
        "trace the Python, Perl or native program that it runs: wynot trace -- python prog.py ARGS",
    )


def _options(words: Sequence[str], with_value: frozenset[str], last: str) -> int:
    """How many words belong to the interpreter."""
    place = 0
    while place < len(words) and words[place].startswith("-") and words[place][:2] not in last.split():
        place += 2 if words[place] in with_value else 1
    return place


def _python(interpreter: tuple[str, ...], rest: tuple[str, ...], typed: tuple[str, ...]) -> TracedProgram:
    count = _options(rest, _WITH_VALUE, "-m -c -")
    flags, words = rest[:count], rest[count:]
    if len(words) < (2 if words[:1] in (("-m",), ("-c",)) else 1):
        raise UsageError("which Python program is to be traced?", "for example: wynot trace -- python prog.py ARGS")
    if not words[0].startswith("-") and not Path(words[0]).is_file():
        raise UsageError(f"{words[0]}: no such file", f"check the path: ls -l {pasted(Path(words[0]).parent)}")
    interpreter = (_itself(interpreter[0]), *interpreter[1:])
    if words[:2] == ("-m", "pytest"):
        words = (*words[:2], *_PYTEST, *words[2:])
    return TracedProgram(
        "python", (*REPEATABLE, *interpreter, *flags, str(HOME / "python" / "python_start.py")), words, typed
    )


def _itself(interpreter: str) -> str:
    """The interpreter that a name stands for: it may be a script that looks for one, each time."""
    asked = (interpreter, "-S", "-c", "import sys; print(sys.executable)")
    try:
        said = subprocess.run(asked, capture_output=True, check=True, timeout=60, text=True).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"cannot run {interpreter}: {error}", f"try it by hand: {interpreter} --version") from None
    return said or interpreter


def _perl(interpreter: tuple[str, ...], rest: tuple[str, ...], typed: tuple[str, ...]) -> TracedProgram:
    count = _options(rest, frozenset({"-I", "-M"}), "-e -E")
    if len(rest) == count or rest[count].startswith("-"):
        raise UsageError("which Perl program is to be traced?", "for example: wynot trace -- perl prog.pl ARGS")
    if not Path(rest[count]).is_file():
        raise UsageError(f"{rest[count]}: no such file", f"check the path: ls -l {pasted(Path(rest[count]).parent)}")
    with Path(rest[count]).open("rb") as file:
        first = os.fsdecode(file.readline(256))
    flags = tuple(first.split()[1:]) if first.startswith("#!") and "perl" in first.split()[0] else ()
    start = ("env", "PERL_HASH_SEED=0", "PERL_PERTURB_KEYS=0", *interpreter, *flags, *rest[:count])
    return TracedProgram("perl", start, rest[count:], typed)


def _native(words: tuple[str, ...], typed: tuple[str, ...]) -> TracedProgram:
    debugger = shutil.which("gdb")
    if debugger is None:
        raise UsageError("native programs are traced by gdb, which is not installed", "install it: apt install gdb")
    start = (debugger, "--batch", "-nx", "-q", "-x", str(HOME / "native" / "gdb_start.py"))
    return TracedProgram("native", start, words, typed)


class Tracer(Protocol):
    """Records and replays programs of one kind, in a folder of its own."""

    def argv(self, *plan: str) -> tuple[str, ...]:
        """What to run: a recording, or the replay of a plan."""
        ...

    def recorded(self) -> RecordedRun | None:
        """What the recording says; None: there is none."""
        ...

    def untraced(self) -> list[str]:
        """Files of the user's own that ran, but whose statements were not recorded."""
        ...

    def keep(self, recorded: RecordedRun, events: EventLog) -> None:
        """Keep what replays need."""
        ...

    def plainly(self) -> bool:
        """Replay without what makes unset variables show; whether there is anything of that kind."""
        ...


class _Optional:
    """A tracer whose programs are started with the path of a file of options."""

    def __init__(self, program: TracedProgram, root: Path, options: dict[str, Any]) -> None:
        self.program, self.recording, self.trace, self.options = program, root / "rec", root / "trace", root / "options"
        (root / "codes").mkdir()
        paths = {"recording": str(self.recording), "trace": str(self.trace), "codes": str(root / "codes")}
        self.options.write_text(json.dumps({**options, **paths, "words": program.words}), encoding="utf-8")

    def recorded(self) -> RecordedRun | None:
        """The recorder writes it all itself."""
        return read_recorded(self.recording.read_bytes()) if self.recording.exists() else None

    def untraced(self) -> list[str]:
        """None that was not left out on purpose."""
        return []

    def keep(self, recorded: RecordedRun, events: EventLog) -> None:
        """For the player."""
        self.trace.write_bytes(replay_file(recorded, events))

    def plainly(self) -> bool:
        """There is nothing of that kind."""
        return False


class PythonTracer(_Optional):
    """By rewriting the files as they are loaded."""

    def argv(self, *plan: str) -> tuple[str, ...]:
        """The driver in the place of the program."""
        return (*self.program.start, str(self.options), *plan)


class NativeTracer(_Optional):
    """By gdb, line by line."""

    def argv(self, *plan: str) -> tuple[str, ...]:
        """The debugger with the driver in it; what it says itself goes nowhere."""
        words = json.dumps([str(self.options), *plan])
        start = self.program.start
        shell = ("/bin/sh", "-c", 'exec "$@" 3>&1 4>&2 >/dev/null 2>&1', "sh")
        return (*shell, *start[:-2], "-ex", f"python WYNOT = {words}", *start[-2:])

    def recorded(self) -> RecordedRun | None:
        """Every address at which an event begins is a statement."""
        if not self.recording.exists():
            return None
        line, _, rest = self.recording.read_bytes().partition(b"\n")
        head = json.loads(line)
        files = tuple(SourceFile(each["path"], each["source"], 0, 0) for each in head["files"])
        statements = tuple(Statement(file, line, LINE, function, NONE) for file, line, function in head["rows"])
        marks = array("i")
        marks.frombytes(rest)
        return RecordedRun(files, statements, tuple(head["titles"]), marks, head["trouble"])

    def plainly(self) -> bool:
        """Leave variables on the stack as they are."""
        options = json.loads(self.options.read_text(encoding="utf-8"))
        self.options.write_text(json.dumps({**options, "strange": False}), encoding="utf-8")
        return True


class PerlTracer:
    """By a rewritten program, one for recordings and one for replays."""

    def __init__(self, program: TracedProgram, root: Path, options: dict[str, Any]) -> None:
        self.program, self.options = program, options
        self.recording, self.trace = root / "rec", root / "trace"
        self.scripts = {playing: root / ("replay.pl" if playing else "record.pl") for playing in (False, True)}
        self.source = Path(program.words[0]).read_bytes()
        self.rewritten = self._write(playing=False)
        self._write(playing=True, unset=True)

    def plainly(self) -> bool:
        """Leave variables that are not set as Perl does."""
        self._write(playing=True)
        return bool(self.rewritten.variables)

    def _write(self, *, playing: bool, unset: bool = False) -> RewrittenPerl:
        """Write the program down; whoever reads a variable that was not set gets something strange, if so wished."""
        new = rewritten(self.source, playing=playing)
        path = self.program.words[0]
        seconds = self.options["clock"] // 10**9
        words = [str(self.trace if playing else self.recording), seconds, self.options["seed"]]
        words += [self.options["folder"], self.options["limit"]]
        strange = f"Wynot::unset(qw({' '.join(new.variables)})); " if unset and new.variables else ""
        begin = ", ".join(_quoted(str(word)) for word in words)
        head = (
            f"BEGIN {{ require {_quoted(str(HOME / 'perl' / 'Wynot.pm'))}; Wynot::begin(shift @ARGV, {begin}); "
            f"$0 = {_quoted(path)}; {strange}}} my $__w = Wynot::in(0);\n#line 1 {json.dumps(path)}\n"
        )
        self.scripts[playing].write_bytes(head.encode() + new.text)
        return new

    def argv(self, *plan: str) -> tuple[str, ...]:
        """The rewritten program in the place of the program."""
        return (*self.program.start, str(self.scripts[bool(plan)]), *(plan or ("-",)), *self.program.words[1:])

    def recorded(self) -> RecordedRun | None:
        """The numbers; what they mean is known here."""
        if not self.recording.exists():
            return None
        data = self.recording.read_bytes()
        head = {
            "files": [
                {
                    "path": self.program.words[0],
                    "source": self.source.decode("utf-8", "replace"),
                    "base": 0,
                    "first": 0,
                    "statements": self.rewritten.statements,
                    "functions": self.rewritten.functions,
                }
            ],
            "trouble": "",
            "count": len(data) // array("i").itemsize,
        }
        return read_recorded(json.dumps(head).encode() + b"\n" + data)

    def untraced(self) -> list[str]:
        """Modules and libraries beside the program: only the file of the program itself is rewritten."""
        near = [Path(self.options["folder"]).resolve(), Path(self.program.words[0]).resolve().parent]
        loaded = self.recording.with_name("rec.loaded").read_text("utf-8", "surrogateescape").splitlines()
        files = sorted({Path(line).resolve() for line in loaded} - {HOME / "perl" / "Wynot.pm"})
        return [str(path) for path in files if any(folder in path.parents for folder in near)]

    def keep(self, _recorded: RecordedRun, events: EventLog) -> None:
        """For the player: no words, numbers only."""
        counts = f"{len(events.statements)} {len(events.calls.functions)}\n".encode()
        self.trace.write_bytes(b"".join((counts, *replay_arrays(events))))


def _quoted(text: str) -> str:
    """A text as Perl writes it."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


TRACERS: dict[str, type[PythonTracer | NativeTracer | PerlTracer]] = {
    "python": PythonTracer,
    "native": NativeTracer,
    "perl": PerlTracer,
}
