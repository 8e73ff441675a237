"""How programs of each kind are recorded and replayed: what to run, and what a recording says."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import Any, Protocol

from wynot.commands.trace.perl.rewrite_perl import RewrittenPerl, rewritten
from wynot.commands.trace.traced_programs import HOME, TracedProgram
from wynot.domains.traces.event_log import (
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
