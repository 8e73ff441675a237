"""Write the record of a run: its facts, contents, and the versions of all programs."""

from __future__ import annotations

import base64
import json
import os
import platform
import shutil
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wynot.core.artifact import Content, Laid, digest, size
from wynot.core.call import Call
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.core.run_events import Caution, Event, Improved, Listener, Note, PassStarted, TrialAnswered
from wynot.engine.journal import Journal
from wynot.errors import Ended, NoFailureError
from wynot.oracles.protocol import Oracle, Wrapper
from wynot.oracles.script import Script
from wynot.version import __version__

if TYPE_CHECKING:  # loaded when there is something to tell
    from wynot.engine.record.read import ResultSummary


# Contents as the record keeps them: files and folders as bytes, compressed; of calls only what may be told.


MOST = 2 << 20
"""Larger contents (in bytes) are not kept: the record says where they lie and what their digest is."""
_FILE, _FOLDER, _CALL = b"f", b"d", b"c"


def packed(content: Content) -> bytes:
    r"""A content as bytes.

    >>> unpacked(packed(b"as it is")), unpacked(packed(Folder.of({"a/b": b"\0"}))) == Folder.of({"a/b": b"\0"})
    (b'as it is', True)
    """
    if isinstance(content, bytes):
        return _FILE + zlib.compress(content, 1)
    if isinstance(content, Call):
        return _CALL + json.dumps({"words": content.words("."), "names": [name for name, _ in content.env]}).encode()
    entries = {
        path: [entry.kind.value, entry.mode, base64.b64encode(entry.data).decode()]
        for path, entry in content.entries.items()
    }
    return _FOLDER + zlib.compress(json.dumps(entries).encode(), 1)


def unpacked(data: bytes) -> Laid:
    """The content; of a call, its words, one in a line."""
    kind, rest = data[:1], data[1:]
    if kind == _CALL:
        words = json.loads(rest)["words"]
        return b"\n".join(word.encode("utf-8", "surrogateescape") for word in words)
    if kind == _FILE:
        return zlib.decompress(rest)
    return Folder.of(
        {
            path: Entry(EntryKind(kind), base64.b64decode(text), mode)
            for path, (kind, mode, text) in json.loads(zlib.decompress(rest)).items()
        }
    )


# Which versions a run was made with: ours, the machine's, and the tested program's where it is cheap to know.


TELLING = frozenset(
    {
        "cc", "gcc", "g++", "c++", "clang", "clang++", "rustc", "tcc", "gfortran", "solc", "go", "node", "python",
        "perl", "ruby", "php", "lua", "sqlite", "bash",
    }
)  # fmt: skip
"""Programs that are known to print their version, and to do nothing else, when they are asked for it."""
ASKING = {"go": "version"}
PATIENCE = 2.0


def versions(oracle: Oracle | None) -> dict[str, str]:
    """All that is known at once."""
    system = os.uname()
    found = {
        "wynot": __version__,
        "python": platform.python_version(),
        "system": f"{system.sysname} {system.release} {system.machine}",
    }
    program = program_of(oracle)
    if program:
        found["program"] = program
    return found


def program_of(oracle: Oracle | None) -> str:
    """The path of the program, or the script, that is run by tests; nothing where that is not known."""
    inner: object = oracle
    while isinstance(inner, Wrapper):
        inner = inner.inner
    if isinstance(inner, Script):
        return inner.path
    from wynot.oracles.command import Command  # noqa: PLC0415 - where there is one, it is loaded

    if isinstance(inner, Command) and inner.argv:
        word = (inner.typed or inner.argv)[0]
        return shutil.which(word) or word
    return ""


def asked(program: str) -> str:
    """The first line that a well-known program says of its version; nothing for others: who knows what they would do.

    >>> asked("/no/such/program")
    ''
    """
    name = Path(program).name.rstrip("0123456789.-")
    if name not in TELLING and Path(program).name not in TELLING:
        return ""
    words = [program, ASKING.get(name, "--version")]
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False, text=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0][:200] if lines and done.returncode == 0 else ""


# Writing the record: a listener that keeps what it hears in the journal, with next to no cost for each test.
#
# The record is begun before the first test and completed in the end. A process that is killed leaves it as it is: who
# reads it sees that nobody holds the journal, and that nobody has said how it ended.


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
