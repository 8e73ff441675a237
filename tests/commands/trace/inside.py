"""Record and replay in this very process: as the drivers do it, without a process for each run."""

from __future__ import annotations

import array
import ast
import builtins
import contextlib
import io
import json
from typing import Any

from wynot.commands.trace.python import recording_session
from wynot.commands.trace.python.instrument_recording import RecordingInstrumenter
from wynot.commands.trace.python.instrument_replay import ReplayInstrumenter
from wynot.commands.trace.python.replay_runtime import PythonReplay
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.domains.traces.trace_tree import TraceTree, events_of, plan_of, read_recorded, replay_file, trace_of

PATH = "<random>"
Seen = tuple[str, str]


def run(code: Any, names: dict[str, Any]) -> Seen:
    """What a program prints, and what it raises."""
    out = io.StringIO()
    everything = {"__builtins__": {**vars(builtins), **names}, "__name__": "__main__"}
    try:
        with contextlib.redirect_stdout(out):
            exec(code, everything)
    except Exception as error:  # noqa: BLE001 - whatever the program raises
        return out.getvalue(), repr(error)
    return out.getvalue(), ""


def plain(source: str) -> Seen:
    return run(compile(source, PATH, "exec"), {})


def record(source: str) -> tuple[TraceTree, bytes, Seen]:
    numbering = RecordingInstrumenter(0, 0)
    tree = numbering.rewritten(ast.parse(source))
    recording_session.EVENTS.clear()
    seen = run(compile(tree, PATH, "exec"), recording_session.NAMES)
    head = {
        "files": [
            {
                "path": PATH, "source": source, "base": 0, "first": 0, "statements": numbering.statements,
                "functions": numbering.functions,
            }
        ],
        "trouble": "", "count": len(recording_session.EVENTS),
    }  # fmt: skip
    data = json.dumps(head).encode() + b"\n" + array.array("i", recording_session.EVENTS).tobytes()
    recorded = read_recorded(data)
    events = events_of(recorded)
    return trace_of(recorded, events), replay_file(recorded, events), seen


class Stage:
    """A program on its stage: parts of its trace are replayed."""

    def __init__(self, source: str) -> None:
        self.trace, self.file, self.wanted = record(source)
        self.code = compile(ReplayInstrumenter(0, 0).rewritten(ast.parse(source)), PATH, "exec")
        self.runs = 0

    def replay(self, kept: Config) -> Seen:
        playing = PythonReplay(self.file, plan_of(kept))
        playing.own(self.code)
        self.runs += 1
        return run(self.code, playing.names)

    def outcome(self, kept: Config) -> Outcome:
        seen = self.replay(kept)
        if seen == self.wanted:
            return FAIL
        return PASS if seen[1] == self.wanted[1] and seen[0] else UNRESOLVED
