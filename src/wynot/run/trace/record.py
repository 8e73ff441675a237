"""The recording: one run of the program, and what it looked like."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wynot.core.artifact import Artifact, digest
from wynot.core.outcome import UNRESOLVED
from wynot.domains.trace.recording import Recorded, events_of, read_recorded, replay_file
from wynot.domains.trace.trace import Trace, trace_of
from wynot.errors import UsageError
from wynot.oracles.words import Ended, Examination, Invocation, Report
from wynot.run.limits import Limits
from wynot.run.place import make_root, remove_root
from wynot.run.processes import ProcessBench
from wynot.run.trace.programs import Program

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
class Setting:
    """What a program is run with, the same in every run."""

    program: Program
    stdin: bytes = b""
    folder: str = "."
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    seed: int = 0
    clock: int = 1_000_000_000_000_000_000
    """Nanoseconds since 1970 when the program seems to start."""
    limits: Limits = field(default_factory=Limits)

    def identity(self) -> bytes:
        """What makes it another run."""
        words = (self.program.typed, self.folder, self.include, self.exclude, self.seed, self.clock)
        return repr(words).encode() + self.stdin


class Studio:
    """Where a recording is kept while it is replayed."""

    def __init__(self, setting: Setting, root: str) -> None:
        self.setting, self.root = setting, Path(root)
        self.recording, self.trace, self.options = (self.root / name for name in ("recording", "trace", "options"))
        (self.root / "codes").mkdir()
        options: dict[str, Any] = {
            "words": setting.program.words, "folder": setting.folder, "include": setting.include,
            "exclude": setting.exclude, "seed": setting.seed, "clock": setting.clock, "limit": MOST,
            "recording": str(self.recording), "trace": str(self.trace), "codes": str(self.root / "codes"),
        }  # fmt: skip
        self.options.write_text(json.dumps(options), encoding="utf-8")

    def argv(self, *plan: str) -> tuple[str, ...]:
        """What to run: a recording, or a replay of a plan."""
        program = self.setting.program
        if program.kind == "native":
            words = repr([str(self.options), *plan])
            return (*program.start[:-2], "-ex", f"python WYNOT = {words}", *program.start[-2:])
        return (*program.start, str(self.options), *plan)

    def record(self) -> tuple[Trace, Ended]:
        """Run the program once and see what it does."""
        ended = self._ran()
        if not self.recording.exists():
            raise self._lost(ended)
        recorded = read_recorded(self.recording.read_bytes())
        if recorded.trouble:
            message, hint = _TROUBLES.get(recorded.trouble, (recorded.trouble, ""))
            raise UsageError(message, hint)
        events = events_of(recorded)
        if not events.statements:
            raise UsageError(
                "nothing of the program's own code was executed",
                "name the files to be traced: --include '*/package/*'",
            )
        self.trace.write_bytes(replay_file(recorded, events))
        return trace_of(recorded, events), ended

    def _lost(self, ended: Ended) -> UsageError:
        if ended.timed_out:
            return UsageError(f"the program does not end within {ended.seconds:.0f} s", "give it more: --timeout 1h")
        said = (ended.stderr or ended.stdout).decode("utf-8", "replace").strip().splitlines()
        last = f": {said[-1][:200]}" if said else ""
        return UsageError(
            f"the recording was lost: the program ended with {ended}{last}",
            "a crash of the interpreter itself cannot be traced; try the program by hand",
        )

    def _ran(self) -> Ended:
        runner = _Once(Invocation(self.argv(), (), self.setting.stdin))
        bench = ProcessBench(runner, "plan", 1, self.setting.limits.looking())  # type: ignore[arg-type]
        with closing(bench):
            bench.submit(b"recording", b"")
            while runner.ended is None:
                bench.wait()
        return runner.ended


class _Once:
    """Runs something, and remembers how it ended."""

    def __init__(self, invocation: Invocation) -> None:
        self.invocation, self.ended = invocation, None  # type: Invocation, Ended | None

    def examine(self, _artifact: Artifact, _folder: str) -> Examination:
        self.ended = yield self.invocation
        return Report(UNRESOLVED)


@contextmanager
def studio(setting: Setting) -> Iterator[Studio]:
    """A place for a recording, gone when it is over."""
    root = make_root()
    try:
        yield Studio(setting, root)
    finally:
        remove_root(root)


def now() -> int:
    """The time, in nanoseconds, to whole seconds."""
    return int(time.time()) * 1_000_000_000


def inputs_of(setting: Setting, recorded: Recorded) -> list[bytes]:
    """What makes it the same question when it is asked again: the program, its input, what it did."""
    sources = "\n".join(f"{each.path}\n{each.source}" for each in recorded.files).encode("utf-8", "replace")
    return [setting.identity(), digest(sources), digest(recorded.marks.tobytes())]
