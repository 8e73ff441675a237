"""Writing the record: a listener that keeps what it hears in the journal, with next to no cost for each test.

The record is begun before the first test and completed in the end. A process that is killed leaves it as it is: who
reads it sees that nobody holds the journal, and that nobody has said how it ended.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wynot.core.artifact import Content, digest, size
from wynot.core.call import Call
from wynot.core.folder import Folder
from wynot.core.run_events import Caution, Event, Improved, Listener, Note, PassStarted, TrialAnswered
from wynot.engine.journal import Journal
from wynot.engine.record.blobs import MOST, packed
from wynot.engine.record.versions import asked, versions
from wynot.errors import Ended, NoFailureError
from wynot.oracles.protocol import Oracle

if TYPE_CHECKING:  # loaded when there is something to tell
    from wynot.engine.record.record_summary import ResultSummary

FEW = 256
"""Configurations of so few deltas are kept, ..."""
SMALL = 3000
"""...as long as there are not more answers than these."""
NOTES = 100
"""So many of the latest words to the user are kept."""
FORMAT = 1
_PROCESS = f"{os.getpid()}-{time.time_ns():x}"
"""Tells processes apart: a command may make several runs."""
_parts: list[str] = []
_SUMMED = ("tests", "baseline", "predicted", "wall")
"""What all attempts have cost together: none repeats a test."""


class RunFacts(NamedTuple):
    """What a run is about."""

    kind: str
    inputs: Sequence[Content]
    name: str
    shown: str
    oracle: Oracle
    typed: tuple[str, ...]
    """The command line, as typed; nothing where it was no command."""
    stdin: bytes
    output: Path | None
    language: str | None


class RunRecorder:
    """Keeps what happens in a run."""

    def __init__(self, journal: Journal, listener: Listener, asked: RunFacts) -> None:
        self._journal, self._listener, self._asked = journal, listener, asked
        self._begun = time.perf_counter()
        before = journal.fact("record")
        self._part = len(_parts)
        _parts.append(journal.run)
        self._begin(before if isinstance(before, dict) else {})
        journal.leaving, journal.renewed = self._leave, self._begin_anew

    def _begin(self, known: dict[str, Any]) -> None:
        """Begin the record of this attempt."""
        self._known = known
        self._attempt = int(known.get("attempt", 0)) + 1
        self._stage, self._heard, self._deltas = -1, 0, 0
        self._best: int | None = None
        self._earlier = {name: known.get(name, 0) for name in _SUMMED}
        self._facts = self._first(known)
        self._keep_inputs()
        self._write()

    def _leave(self) -> None:
        """The journal is set aside: its record is that of the attempt before."""
        if self._known:
            self._journal.state("record", self._known)

    def _begin_anew(self) -> None:
        self._begin({})

    @property
    def tested(self) -> str | None:
        """When an earlier attempt has last run tests; None where there was none."""
        found: str | None = self._known.get("tested") or self._known.get("ended")
        return found

    def _first(self, known: dict[str, Any]) -> dict[str, Any]:
        """What is known before the first test."""
        asked, now = self._asked, _now()
        return {
            "format": FORMAT, "run": self._journal.run, "kind": asked.kind,
            "first": known.get("first", now), "begun": now, "begun_at": time.time(), "ended": None, "status": "running",
            "attempt": self._attempt, "process": _PROCESS, "part": self._part, "argv": list(asked.typed),
            "cwd": str(Path.cwd()), "name": asked.name, "shown": asked.shown, "language": asked.language,
            "inputs": [_about(each) for each in asked.inputs], "versions": versions(asked.oracle),
            "by_hand": asked.oracle.by_hand(asked.name), "notes": [],
            "output": str(asked.output.absolute()) if asked.output else None,
        }  # fmt: skip

    def _keep_inputs(self) -> None:
        if self._asked.stdin:
            self._keep("stdin", self._asked.stdin)
        if self._facts["kind"] in {"changes", "bisect"}:
            return
        for name, content in zip(("original", "other"), self._asked.inputs, strict=False):
            self._keep(name, content)

    def _keep(self, name: str, content: Content) -> None:
        if size(content) <= MOST:
            self._journal.keep(name, packed(content))

    def __call__(self, event: Event) -> None:
        """Keep it, and pass it on."""
        match event:
            case TrialAnswered():
                self._answered(event)
            case Improved():
                self._best = event.size
            case PassStarted():
                self._stage += 1
                self._deltas = event.deltas
                self._journal.tell_stage(self._attempt, self._stage, event.name, event.deltas)
            case Note() | Caution():
                self._facts["notes"] = [*self._facts["notes"][-NOTES:], event.message]
        self._listener(event)

    def _answered(self, event: TrialAnswered) -> None:
        self._heard += 1
        config = None
        if event.config is not None and self._deltas <= FEW and self._heard <= SMALL:
            bounds = event.config.bounds
            config = " ".join(map(str, bounds)) if not bounds or bounds[-1] <= FEW else None
        at = round(time.perf_counter() - self._begun, 4)
        self._journal.tell(
            (self._attempt, self._stage, at, event.outcome.value, event.size, event.cached, self._best, config)
        )

    def ended(self, status: str, told: ResultSummary | None, **more: object) -> None:
        """How it ended."""
        program = self._facts["versions"].get("program", "")
        said = asked(program) if program and status == "done" else ""
        if said:
            self._facts["versions"]["says"] = said
        self._facts.update(more, ended=_now(), status=status)
        self._facts["tested"] = _now() if more.get("tests") or not self.tested else self.tested
        for name in _SUMMED:
            self._facts[name] = round(self._facts.get(name, 0) + self._earlier[name], 3)
        if told is not None:
            self._facts.update(before=told.before, after=told.after, unit=told.unit, view=told.view)
            self._facts["digests"] = {name: digest(content).hex() for name, content in told.contents.items()}
            for name, content in told.contents.items():
                self._keep(name, content)
        self._journal.flush()
        self._tidy()
        self._write()

    def _tidy(self) -> None:
        """Of several attempts the one with the most answers stays: a later one had the earlier ones' from memory."""
        heard = self._journal.attempts()
        if len(heard) > 1:
            longest = max(heard, key=lambda attempt: (heard[attempt], -attempt))
            self._journal.forget_attempts(*(each for each in heard if each != longest))

    def _write(self) -> None:
        self._journal.state("record", self._facts)


@contextmanager
def recording(end: Callable[[str, object, str], None]) -> Iterator[None]:
    """However it ends, the record is told so."""
    try:
        yield
    except Ended as early:
        end(getattr(early.best, "status", early.status), early.best, str(early))
        raise
    except KeyboardInterrupt:
        end("interrupted", None, "")
        raise
    except NoFailureError as error:
        end("no failure", None, str(error))
        raise
    except Exception as error:
        end("error", None, str(error))
        raise
    end("done", None, "")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _about(content: Content) -> dict[str, object]:
    """What tells an input apart."""
    kind = "folder" if isinstance(content, Folder) else "call" if isinstance(content, Call) else "file"
    return {"kind": kind, "size": size(content), "digest": digest(content).hex()}
