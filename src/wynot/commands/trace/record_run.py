"""The recording: one run of the program, and what it looked like."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wynot.commands.trace.tracers import TRACERS, TracedProgram, Tracer
from wynot.core.artifact import Artifact, digest
from wynot.core.config import Config
from wynot.core.outcome import UNRESOLVED
from wynot.core.run_events import Caution, Listener, silent
from wynot.domains.traces.trace_tree import RecordedRun, TraceTree, events_of, plan_of, trace_of
from wynot.engine.executors.local import LocalExecutor, LocalSettings, Starting
from wynot.engine.executors.orphans import guarded
from wynot.engine.executors.process import Process
from wynot.engine.executors.sandbox import Limits, make_root, remove_root
from wynot.engine.files.file_guard import guard_of
from wynot.errors import UsageError
from wynot.oracles.protocol import Examination, Invocation, ProcessExit, Report

MOST = 20_000_000
"""Marks in a recording, at the most."""

_TROUBLES = {
    "threads": (
        "the program runs its own code in several threads: which of them goes first is not the trace's to decide",
        "make it do without threads, or leave the files that use them out: --exclude '*/workers.py'",
    ),
    "forks": (
        "the program forks: what its child processes execute cannot be recorded",
        "make it work in one process; for multiprocessing, call the function itself",
    ),
    "long": (
        f"the program executes more than {MOST} statements",
        "give it a smaller input (wynot reduce), or trace fewer files: --include '*/suspect.py'",
    ),
}


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a program is run with, the same in every run."""

    program: TracedProgram
    stdin: bytes = b""
    folder: str = "."
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    seed: int = 0
    clock: int = 1_000_000_000_000_000_000
    """Nanoseconds since 1970 when the program seems to start."""
    limits: Limits = field(default_factory=Limits)
    guarded: tuple[str, ...] = ()
    """Files that the command names: no run may change them."""
    checkpoints: bool = True
    """Whether replays may go on from where another one was."""

    def identity(self) -> bytes:
        """What makes it another run."""
        words = (self.program.typed, self.folder, self.include, self.exclude, self.seed, self.clock)
        return repr(words).encode() + self.stdin


class RecordingFolder:
    """Where a recording is kept while it is replayed."""

    def __init__(self, setting: RunSettings, root: str) -> None:
        self.setting, self.root = setting, root
        options: dict[str, Any] = {
            "folder": setting.folder, "include": setting.include, "exclude": setting.exclude, "seed": setting.seed,
            "clock": setting.clock, "limit": MOST,
        }  # fmt: skip
        self.tracer: Tracer = TRACERS[setting.program.kind](setting.program, Path(root), options)
        self.ended: ProcessExit | None = None
        """How the recorded run ended."""

    def record(self, listener: Listener = silent) -> tuple[TraceTree, ProcessExit]:
        """Run the program once and see what it does."""
        ended = self._ran()
        recorded = self.tracer.recorded()
        if recorded is None:
            raise self._lost(ended)
        if recorded.trouble:
            said, _, what = recorded.trouble.rpartition(": ")
            message, hint = _TROUBLES.get(recorded.trouble, (said, what))
            raise UsageError(message, hint)
        events = events_of(recorded)
        if not events.statements:
            raise UsageError(
                "nothing of the program's own code was executed",
                "name the files to be traced: --include '*/package/*'",
            )
        if others := self.tracer.untraced():
            more = f" and {len(others) - 1} more" if len(others) > 1 else ""
            listener(
                Caution(f"not traced: {others[0]}{more}; what is done there counts as part of the line that calls it")
            )
        self.tracer.keep(recorded, events)
        whole = trace_of(recorded, events)
        self._check(whole, ended, listener)
        self.ended = ended
        return whole, ended

    def agrees(self, starting: Starting, events: int) -> bool:
        """Whether the whole trace, replayed in this way, does what the program did."""
        again = self._ran(plan_of(Config.full(events)), starting)
        return self.ended is not None and _same(again, self.ended) and again.stderr == self.ended.stderr

    def _check(self, whole: TraceTree, ended: ProcessExit, listener: Listener) -> None:
        """See that the replay of the whole trace does what the program does."""
        again = self._ran(plan_of(Config.full(len(whole))))
        if _same(again, ended):
            return
        if self.tracer.plainly():
            again = self._ran(plan_of(Config.full(len(whole))))
        if _same(again, ended):
            return
        if _end(again) == _end(ended) and not _same(self._ran(), ended):
            listener(Caution("the program prints something else each time: what the replay prints is explained"))
            return
        how = "prints something else" if _end(again) == _end(ended) else f"ended with {again}, the program with {ended}"
        raise UsageError(
            f"the run cannot be repeated: the replay of its whole trace {how}{_last(again)}",
            "does it depend on other processes, on the network? leave the files that do out: --exclude GLOB",
        )

    def _lost(self, ended: ProcessExit) -> UsageError:
        if ended.timed_out:
            return UsageError(f"the program does not end within {ended.seconds:.0f} s", "give it more: --timeout 1h")
        return UsageError(
            f"the recording was lost: the program ended with {ended}{_last(ended)}",
            "a crash of the interpreter itself cannot be traced; try the program by hand",
        )

    def _ran(self, plan: bytes | None = None, starting: Starting = Process) -> ProcessExit:
        files, words = ((("plan", plan),), ("plan",)) if plan is not None else ((), ())
        return ran(self.setting, self.tracer.argv(*words), files, starting)

    def option(self, name: str, value: object) -> None:
        """Tell the program's driver something more."""
        path = Path(self.root, "options")
        options = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**options, name: value}), encoding="utf-8")


def ran(
    setting: RunSettings, argv: tuple[str, ...], files: tuple[tuple[str, bytes], ...] = (), starting: Starting = Process
) -> ProcessExit:
    """Run something once, as tests are run; words that name one of the files become its path."""
    runner = _Once(argv, files, setting.stdin)
    guard, limits = guard_of(setting.guarded), setting.limits.looking()
    settings = LocalSettings(guard=guard, starting=starting)
    executor = LocalExecutor(runner, "plan", 1, limits, settings)  # type: ignore[arg-type]
    with guard.files.on_disk() if guard is not None else nullcontext(), closing(executor):
        executor.submit(b"recording", b"")
        while runner.ended is None:
            executor.wait()
    return runner.ended


class _Once:
    """Runs something, and remembers how it ended."""

    def __init__(self, argv: tuple[str, ...], files: tuple[tuple[str, bytes], ...], stdin: bytes) -> None:
        self.argv, self.files, self.stdin = argv, files, stdin
        self.ended: ProcessExit | None = None

    def examine(self, _artifact: Artifact, folder: str) -> Examination:
        paths = {name: f"{folder}/{name}" for name, _ in self.files}
        argv = tuple(paths.get(word, word) for word in self.argv)
        self.ended = yield Invocation(argv, self.files, self.stdin)
        return Report(UNRESOLVED)


def _end(ended: ProcessExit) -> tuple[object, ...]:
    return ended.exit, ended.signal, ended.timed_out


def _same(one: ProcessExit, other: ProcessExit) -> bool:
    """Whether two runs look the same: their end, what they print, and what they say last if they fail."""
    said = one.exit == 0 or _last(one).rpartition(": ")[0] == _last(other).rpartition(": ")[0]
    return (_end(one), one.stdout) == (_end(other), other.stdout) and said


def _last(ended: ProcessExit) -> str:
    """What it said last."""
    said = (ended.stderr or ended.stdout).decode("utf-8", "replace").strip().splitlines()
    return f": {said[-1][:200]}" if said else ""


@contextmanager
def studio(setting: RunSettings) -> Iterator[RecordingFolder]:
    """A place for a recording, gone when it is over, however that comes."""
    root = make_root()
    guardian = guarded(root, uuid.uuid4().hex)
    try:
        yield RecordingFolder(setting, root)
    finally:
        remove_root(root)
        guardian.dismiss()


def inputs_of(setting: RunSettings, recorded: RecordedRun) -> list[bytes]:
    """What makes it the same question when it is asked again: the program, its input, what it did."""
    sources = "\n".join(f"{each.path}\n{each.source}" for each in recorded.files).encode("utf-8", "replace")
    return [setting.identity(), digest(sources), digest(recorded.marks.tobytes())]
