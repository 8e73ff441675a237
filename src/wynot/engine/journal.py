"""The journal of a run: one SQLite file that is cache, resume point and record, held by one process at a time.

A row is committed before the search hears of its outcome, so whenever the process is killed, what it knew is on
disk; started again, it finds the outcomes there and runs no test twice. Never pickle: digests, words, numbers.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from wynot.core.artifact import digest
from wynot.core.outcome import Outcome
from wynot.core.text import pasted
from wynot.engine.files.output_file import make_folder
from wynot.errors import BusyError, PlaceError
from wynot.oracles.protocol import Report


def locked(path: Path) -> IO[str]:
    """Hold a lock that ends with this process, however it ends."""
    path.touch(mode=0o600)  # as the journal beside it
    file = path.open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip() or "unknown"
        file.close()
        raise BusyError(
            f"this run is in progress in another process (PID {holder})",
            f"wait for it, or stop it: kill {holder} (its outcomes are kept)",
        ) from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def held(lock: Path) -> bool:
    """Whether a process is at work on a run."""
    try:
        with lock.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


# No index on the digests: a run holds them all in memory, and appending to one table is the cheapest way to keep them.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS tests (
    number INTEGER PRIMARY KEY, digest BLOB NOT NULL, outcome TEXT NOT NULL, why TEXT NOT NULL,
    size INTEGER NOT NULL, seconds REAL NOT NULL, cut INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS evidence (digest BLOB NOT NULL, phase TEXT NOT NULL, printed TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS stages (
    attempt INTEGER NOT NULL, stage INTEGER NOT NULL, name TEXT NOT NULL, deltas INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS answers (
    number INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, stage INTEGER NOT NULL, at REAL NOT NULL,
    outcome TEXT NOT NULL, size INTEGER NOT NULL, cached INTEGER NOT NULL, best INTEGER, config TEXT);
CREATE TABLE IF NOT EXISTS contents (name TEXT PRIMARY KEY, data BLOB NOT NULL);
"""
MANY = 64
"""So many answers are written at once, together with an outcome..."""
SELDOM = 1.0
"""...or those that came in so many seconds."""
MAX_LATEST = 10_000
"""Outcomes of which it is remembered when they were kept: more than the tests of a second."""
Answer = tuple[int, int, float, str, int, bool, int | None, str | None]
"""Attempt, stage, seconds since its begin, outcome, size, cached, best so far, configuration."""


def runs_folder() -> Path:
    """Where journals are kept: WYNOT_HOME, or the user's cache folder."""
    home = os.environ.get("WYNOT_HOME")
    if not home:
        import platformdirs  # noqa: PLC0415 - where it is needed

        home = platformdirs.user_cache_dir("wynot")
    return Path(home) / "runs"


def _nothing() -> None:
    """Nobody is to hear of it."""


class Journal:
    """The outcomes of one run; only one process at a time may hold it."""

    def __init__(self, run: str, *, fresh: bool = False, folder: Path | None = None, frozen: bool = False) -> None:
        self.run, self._frozen = run, frozen
        self.path = (folder or runs_folder()) / f"{run}.db"
        self.broken: str | None = None
        self.leaving: Callable[[], None] = _nothing
        """Done before the journal is set aside..."""
        self.renewed: Callable[[], None] = _nothing
        """...and when there is a new one in its place."""
        self._answers: list[Answer] = []
        self._stages: list[tuple[int, int, str, int]] = []
        """Both not written yet: they go with the next outcome that is."""
        self._written = time.monotonic()
        self._latest = deque[tuple[float, int]](maxlen=MAX_LATEST)
        """When the latest outcomes were kept, and their numbers."""
        try:
            make_folder(self.path.parent, private=True)
            self._lock = locked(self.path.with_suffix(".lock"))
        except OSError as error:
            raise self._trouble("keep", error) from error
        try:
            if fresh:
                for suffix in (".db", ".db-wal", ".db-shm"):
                    self.path.with_suffix(suffix).unlink(missing_ok=True)
            self._db = self._open()
        except (OSError, sqlite3.Error) as error:
            self._lock.close()
            raise self._trouble("keep", error) from error

    def _trouble(self, what: str, error: Exception) -> PlaceError:
        """A journal that cannot be used."""
        if self.path.is_dir():
            return PlaceError(
                f"cannot {what} a journal at {self.path}: it is a folder", f"remove it: rm -r {pasted(self.path)}"
            )
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            hint = "begin a new one: wynot ... --fresh"
        else:
            hint = "name another place: WYNOT_HOME=/some/folder wynot ..."
        return PlaceError(f"cannot {what} a journal at {self.path}: {error}", hint)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError) as error:
            raise self._trouble("read", error) from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """A disk that is full makes the journal useless, not the run: it is told once."""
        try:
            yield
        except sqlite3.Error as error:
            self.broken = str(error)

    def _open(self) -> sqlite3.Connection:
        new = not self.path.exists()
        if new:
            self.path.touch(mode=0o600)  # it keeps inputs, too: nobody else's business, nor that of its -wal and -shm
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        try:
            db.execute(f"PRAGMA synchronous={'OFF' if new else 'NORMAL'}")  # one that is empty is no loss
            db.execute("PRAGMA journal_mode=WAL")
            db.executescript(f"BEGIN; {_SCHEMA} COMMIT; PRAGMA synchronous=NORMAL")
            columns = () if new else db.execute("PRAGMA table_info(tests)").fetchall()
            if columns and not any(column[1] == "cut" for column in columns):  # an older journal
                db.execute("ALTER TABLE tests ADD COLUMN cut INTEGER NOT NULL DEFAULT 0")
        except sqlite3.DatabaseError:
            db.close()
            raise
        return db

    def outcomes(self) -> dict[bytes, Outcome]:
        """All outcomes known."""
        with self._reading():
            return {d: Outcome(o) for d, o in self._db.execute("SELECT digest, outcome FROM tests")}

    def failures(self) -> dict[bytes, str]:
        """How failing tests have failed, in words."""
        with self._reading():
            return dict(self._db.execute("SELECT digest, why FROM tests WHERE outcome = ?", (Outcome.FAIL.value,)))

    def report(self, key: bytes) -> Report | None:
        """What is known of one test."""
        query = "SELECT outcome, why, seconds, cut FROM tests WHERE digest = ? ORDER BY number DESC"
        with self._reading():
            for outcome, why, seconds, cut in self._db.execute(query, (key,)):
                return Report(Outcome(outcome), why, seconds, bool(cut))
        return None

    def evidence(self) -> dict[bytes, tuple[str, str]]:
        """Where unresolved tests came to nothing, and what they printed, as far as it was kept."""
        with self._reading():
            rows = self._db.execute("SELECT digest, phase, printed FROM evidence")
            return {key: (phase, printed) for key, phase, printed in rows}

    def put(self, key: bytes, report: Report, size: int, *, heeding: bool = False) -> None:
        """Keep an outcome; what the test printed, too, if somebody heeds it."""
        if self.broken or self._frozen:
            return
        row = (key, report.outcome.value, report.why, size, report.seconds, report.cut)
        with self._writing(), self._with_answers() if self._due() else contextlib.nullcontext():
            if heeding and report.outcome is Outcome.UNRESOLVED:  # first: a row of tests says that all is there
                said = (key, report.phase, report.evidence.encode(errors="replace").decode())
                self._db.execute("INSERT INTO evidence VALUES (?, ?, ?)", said)
            added = self._db.execute(
                "INSERT INTO tests (digest, outcome, why, size, seconds, cut) VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )
            self._latest.append((time.monotonic(), added.lastrowid or 0))

    def forget_since(self, moment: float) -> None:
        """Leave out the outcomes that were kept after a moment (time.monotonic)."""
        first = next((number for then, number in self._latest if then >= moment), None)
        if first is not None:
            self._do("DELETE FROM tests WHERE number >= ?", (first,))

    def tell(self, answer: Answer) -> None:
        """Keep an answer that the search was given; it may be lost if the process is killed within a second."""
        if self.broken:
            return
        self._answers.append(answer)
        if len(self._answers) >= MANY * MANY:
            self.flush()

    def tell_stage(self, attempt: int, stage: int, name: str, deltas: int) -> None:
        """Keep what the search goes on with: it is written with the answers that it is given there."""
        if not self.broken:
            self._stages.append((attempt, stage, name, deltas))

    def flush(self) -> None:
        """Write the answers that wait."""
        if (self._answers or self._stages) and not self.broken:
            with self._writing(), self._with_answers():
                pass

    def _due(self) -> bool:
        waiting = len(self._answers)
        return waiting >= MANY or (waiting > 0 and time.monotonic() - self._written > SELDOM)

    @contextlib.contextmanager
    def _with_answers(self) -> Iterator[None]:
        """Write the answers that wait, and what else is written here: all of it or nothing.

        Ctrl-C may come at any place. A transaction that it left open would swallow all that is written after it.
        """
        try:
            self._db.execute("BEGIN")
            self._db.executemany("INSERT INTO stages VALUES (?, ?, ?, ?)", self._stages)
            self._db.executemany(
                "INSERT INTO answers (attempt, stage, at, outcome, size, cached, best, config) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                self._answers,
            )
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.rollback()
            raise
        self._answers.clear()
        self._stages.clear()
        self._written = time.monotonic()

    def forget_outcomes(self) -> None:
        """Leave out all outcomes, and what was observed of the input."""
        for table in ("tests", "evidence"):
            self._do(f"DELETE FROM {table}", ())  # noqa: S608 - names of our own
        self._do("DELETE FROM facts WHERE name IN ('baseline', 'depends', 'repeated', 'compared', 'measured')", ())

    def forget_passed(self, largest: int | None = None) -> list[bytes]:
        """Leave out the outcomes of what did not fail and is at most this large; gives the digests."""
        limit = -1 if largest is None else largest
        passed = "SELECT digest FROM tests WHERE outcome != 'fail' AND (? < 0 OR size <= ?)"
        with self._reading():
            digests = [key for (key,) in self._db.execute(passed, (limit, limit))]
        self._do(f"DELETE FROM tests WHERE digest IN ({passed})", (limit, limit))  # noqa: S608 - words of our own
        self._do("DELETE FROM facts WHERE name = 'depends'", ())
        return digests

    def forget_attempts(self, *attempts: int) -> None:
        """Leave out the answers of these attempts."""
        for attempt in attempts:
            self._do("DELETE FROM answers WHERE attempt = ?", (attempt,))
            self._do("DELETE FROM stages WHERE attempt = ?", (attempt,))

    def attempts(self) -> dict[int, int]:
        """How many answers each attempt was given."""
        with self._reading():
            return dict(self._db.execute("SELECT attempt, count(*) FROM answers GROUP BY attempt"))

    def keep(self, name: str, data: bytes) -> None:
        """Keep a content, as it is."""
        self._do("INSERT OR REPLACE INTO contents VALUES (?, ?)", (name, data))

    def _do(self, statement: str, values: tuple[object, ...]) -> None:
        if not self.broken:
            with self._writing():
                self._db.execute(statement, values)

    def times(self) -> list[tuple[bytes, Report]]:
        """How long tests took, in order: those that failed, and those that the time limit ended, or did at first."""
        query = (
            "SELECT digest, outcome, seconds, cut FROM tests "
            "WHERE outcome = 'fail' OR digest IN (SELECT digest FROM tests WHERE cut) ORDER BY number"
        )
        with self._reading():
            return [(key, Report(Outcome(o), "", s, bool(cut))) for key, o, s, cut in self._db.execute(query)]

    def fact(self, name: str) -> object:
        """Something kept beside the outcomes."""
        with self._reading():
            for (value,) in self._db.execute("SELECT value FROM facts WHERE name = ?", (name,)):
                return json.loads(value)
        return None

    def state(self, name: str, value: object) -> None:
        """Keep something beside the outcomes."""
        if self._frozen:
            return
        with self._writing():
            self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, json.dumps(value)))

    @property
    def frozen(self) -> bool:
        """Whether nothing is written to it."""
        return self._frozen

    def set_aside(self) -> None:
        """Begin an empty journal in its place; this one stays as that of a run with another name."""
        if self._frozen or self.broken:
            return
        self._answers.clear()
        self._stages.clear()
        self._latest.clear()
        self.leaving()
        name = digest(f"{self.run} {time.time_ns()}".encode()).hex()[: len(self.run)]
        try:
            self._db.close()
            for suffix in (".db-wal", ".db-shm", ".db"):
                if self.path.with_suffix(suffix).exists():
                    self.path.with_suffix(suffix).rename(self.path.with_name(f"{name}{suffix}"))
            self._db = self._open()
        except (OSError, sqlite3.Error) as error:
            raise self._trouble("set aside", error) from error
        self.renewed()

    def close(self) -> None:
        """Let others have it."""
        self.flush()
        with contextlib.suppress(sqlite3.Error):
            self._db.close()
        self._lock.close()
