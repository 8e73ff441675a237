"""Find and read recorded runs; summarise them and the commands that repeat them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from wynot.core.artifact import Content, Laid, digest, size
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.core.text import pasted
from wynot.engine.files.folder_io import read_folder
from wynot.engine.journal import held, runs_folder
from wynot.engine.record.write import unpacked
from wynot.engine.results import Explained, Isolated, Reduced, ReducedRecording
from wynot.engine.session import SHORT
from wynot.errors import UsageError

# The runs that there are: found, deleted, and given their summaries.


def all_runs(folder: Path | None = None) -> list[Run]:
    """All runs, the latest first."""
    found = [read_run(path) for path in journals(folder or runs_folder())]
    return sorted(found, key=lambda run: (run.begun, run.facts.get("begun_at", 0.0), run.id), reverse=True)


def journals(folder: Path, beginning: str = "") -> list[Path]:
    """The journals in a folder; whatever else has such a name is none."""
    return sorted(path for path in folder.glob(f"{beginning}*.db") if path.is_file())


def siblings(run: Run) -> list[Run]:
    """The runs that the same command made, this one among them, in order."""
    process = run.facts.get("process")
    if process is None:
        return [run]
    found = [each for each in all_runs(run.path.parent) if each.facts.get("process") == process]
    return sorted(found, key=lambda each: int(each.facts.get("part", 0))) or [run]


def find_run(word: str) -> Run:
    """A run by its id, the beginning of it, the path of its journal, or `last`."""
    path = Path(word)
    if path.suffix == ".db" and path.is_file():
        return read_run(path)
    if word == "last":
        runs = all_runs()
        if not runs:
            raise UsageError("there is no run yet", "begin one: wynot reduce --help")
        parts = [run for run in runs if run.facts.get("process", run.id) == runs[0].facts.get("process")]
        return next((run for run in parts if run.kind == "bisect"), runs[0])
    found = journals(runs_folder(), word) if word.isalnum() else []
    if not found:
        raise UsageError(f"there is no run {word}", "list all runs: wynot runs")
    if len(found) > 1:
        names = ", ".join(each.stem for each in found[:5])
        raise UsageError(f"{word} is the beginning of {len(found)} runs: {names}", "give more of it; see: wynot runs")
    return read_run(found[0])


def delete_run(run: Run) -> None:
    """Remove all that there is of a run; one that is in progress stays."""
    if held(run.path.with_suffix(".lock")):  # whatever the record says: it is begun after the journal is opened
        raise UsageError(f"run {run.short} is in progress", "wait for its end, or press Ctrl-C where it runs")
    try:
        for suffix in SUFFIXES:
            run.path.with_suffix(suffix).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot delete {run.path}: {error.strerror}", f"check the permissions: ls -ld {pasted(run.path.parent)}"
        ) from None


def keep_summary(run: str, summary: dict[str, Any]) -> None:
    """Keep what `--json` prints; a run without it is a run all the same."""
    path = runs_folder() / f"{run}.db"
    if path.is_file():
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous=NORMAL")  # as in the journal itself
                known = db.execute("SELECT 1 FROM facts WHERE name = 'summary'").fetchone()
                if not known or summary.get("tests") or summary.get("status") != "done":  # not all from memory
                    db.execute("INSERT OR REPLACE INTO facts VALUES ('summary', ?)", (json.dumps(summary),))
        except sqlite3.Error:
            return


# Reading the record of a run: what it was about, what it tested in which order.
#
# Nothing is written here. Journals of versions that kept no record tell what they know.


SUFFIXES = (".db", ".db-wal", ".db-shm", ".lock")


class TrialStep(NamedTuple):
    """An answer that the search was given."""

    stage: str
    deltas: int
    at: float
    """Seconds since the run began."""
    outcome: Outcome
    size: int
    """Bytes of what was tested."""
    cached: bool
    best: int | None
    """The best so far, before this answer, in the unit of the run."""
    config: Config | None


@dataclass(frozen=True, slots=True)
class Run:
    """A run, as its journal tells of it."""

    id: str
    path: Path
    size: int
    """Bytes of the journal."""
    changed: str
    """When it was written last."""
    tests: int
    """Outcomes in the journal."""
    facts: dict[str, Any] = field(default_factory=dict)
    summary: dict[str, Any] | None = None
    """What `--json` prints, where a command made the run."""

    @property
    def short(self) -> str:
        """So much of its name as is enough to type."""
        return self.id[:SHORT]

    @property
    def searched(self) -> int:
        """Tests of the search, as its summary counts them: looks before it are none of them."""
        return int(self.facts.get("tests", self.tests))

    @property
    def kind(self) -> str:
        """Which command made it."""
        return str(self.facts.get("kind", "unknown"))

    @property
    def begun(self) -> str:
        """When it began, the latest time."""
        return str(self.facts.get("begun", self.changed))

    @property
    def status(self) -> str:
        """How it ended, or that it is in progress; a process that was killed has interrupted it."""
        said = str(self.facts.get("status", "unknown"))
        if said != "running":
            return said
        return "running" if held(self.path.with_suffix(".lock")) else "interrupted"

    @property
    def argv(self) -> tuple[str, ...]:
        """The command line, as typed."""
        return tuple(self.facts.get("argv", ()))

    def content(self, name: str) -> Laid | None:
        """A content that is kept, or that lies where it was, unchanged; None: neither."""
        with _reading(self.path) as db:
            for (data,) in _rows(db, "SELECT data FROM contents WHERE name = ?", name):
                return unpacked(data)
        return self._on_disk(name)

    def _on_disk(self, name: str) -> Laid | None:
        where = {"original": self.facts.get("shown"), "result": self.facts.get("output")}.get(name)
        if not where or self.kind not in {"reduce", "isolate", "events"} or (name, self.kind) == ("result", "isolate"):
            return None
        path = Path(self.facts.get("cwd", ".")) / where
        try:
            found: Laid = read_folder(path) if path.is_dir() else path.read_bytes()
        except (OSError, UsageError):
            return None
        inputs, results = self.facts.get("inputs", []), self.facts.get("digests", {})
        known = inputs[0]["digest"] if name == "original" and inputs else results.get(name)
        return found if known == digest(found).hex() else None

    def steps(self) -> list[TrialStep]:
        """Every answer, in order. Where a killed process had no time to write them: the tests that were run."""
        with _reading(self.path) as db:
            heard = dict(_rows(db, "SELECT attempt, count(*) FROM answers GROUP BY attempt"))
            attempt = max(heard, key=lambda each: (heard[each], -each)) if heard else 0
            tests = list(_rows(db, "SELECT outcome, size, seconds FROM tests ORDER BY number"))
            if not heard:
                return _tested(tests)
            stages = {
                number: (name, deltas)
                for number, name, deltas in _rows(
                    db, "SELECT stage, name, deltas FROM stages WHERE attempt = ?", attempt
                )
            }
            query = (
                "SELECT stage, at, outcome, size, cached, best, config FROM answers WHERE attempt = ? ORDER BY number"
            )
            return [_step(stages, row) for row in _rows(db, query, attempt)]


def _step(stages: dict[int, tuple[str, int]], row: tuple[Any, ...]) -> TrialStep:
    number, at, outcome, size, cached, best, config = row
    name, deltas = stages.get(number, ("", 0))
    bounds = None if config is None else Config(tuple(map(int, config.split())))
    return TrialStep(name, deltas, at, Outcome(outcome), size, bool(cached), best, bounds)


def _tested(rows: list[tuple[Any, ...]]) -> list[TrialStep]:
    """What was tested, where nothing else is known."""
    steps, at = [], 0.0
    best: int | None = None
    for outcome, length, seconds in rows:
        at += seconds
        steps.append(TrialStep("", 0, round(at, 4), Outcome(outcome), length, False, best, None))
        if outcome == Outcome.FAIL.value and (best is None or length < best):
            best = length
    return steps


def read_run(path: Path) -> Run:
    """The run of a journal."""
    size = sum(each.stat().st_size for suffix in SUFFIXES if (each := path.with_suffix(suffix)).exists())
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    tests, said = 0, dict[str, Any]()
    with suppress(sqlite3.Error), _reading(path) as db:  # one that cannot be read is listed all the same
        tests = next(_rows(db, "SELECT count(*) FROM tests"), (0,))[0]
        said = {name: _parsed(value) for name, value in _rows(db, "SELECT name, value FROM facts")}
    facts, summary = said.get("record"), said.get("summary")
    known = facts if isinstance(facts, dict) else {}
    return Run(path.stem, path, size, changed, tests, known, summary if isinstance(summary, dict) else None)


def check_journal(run: Run) -> None:
    """See that it is one: a file that is broken tells nothing."""
    try:
        with _reading(run.path) as db:
            db.execute("SELECT count(*) FROM tests").fetchone()
    except sqlite3.Error as error:
        ours = run.path.parent.absolute() == runs_folder().absolute()
        hint = f"be rid of it: wynot runs delete {run.id}" if ours else "see which runs there are: wynot runs"
        raise UsageError(f"{run.path} is not a readable journal of a run: {error}", hint) from None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def stdin_of(run: Run) -> bytes:
    """What the command of a run read from standard input."""
    found = run.content("stdin")
    return found if isinstance(found, bytes) else b""


def _rows(db: sqlite3.Connection, query: str, *values: object) -> Iterator[Any]:
    """What a journal says; nothing where it is older than the question, or broken."""
    try:
        yield from db.execute(query, values).fetchall()
    except sqlite3.Error:
        return


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a journal to read it; one that nobody writes to is left without a trace of that."""
    still = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro{still}", uri=True)) as db:
        yield db


# A summary of a recorded run, and the command that repeats it.


Claims = Callable[[], tuple[tuple[Content, Outcome], ...]]
"""Gives contents, and the outcomes that they have."""


@dataclass(frozen=True, slots=True)
class ResultSummary:
    """A result as the record keeps it; numbers of `before` and `after` are of the same unit."""

    before: int
    after: int
    unit: str = "bytes"
    view: dict[str, Any] = field(default_factory=dict)
    """What is special about the kind of run, as JSON has it."""
    contents: dict[str, Content] = field(default_factory=dict)
    claims: Claims = tuple
    """What the result says of itself; to be asked for only where it is to be proved."""


def summarise(result: object) -> ResultSummary | None:
    """What is to be told of a result that needs nothing else to be understood."""
    match result:
        case Reduced():
            return _reduced(result)
        case Isolated():
            return _isolated(result)
        case ReducedRecording():
            view = {"names": list(result.names), "induced": result.induced, "more": result.more}
            contents: dict[str, Content] = {"result": result.data}
            contents |= {f"result {number}": each for number, each in enumerate(result.causes[1:], 2)}
            claims = tuple((each, FAIL) for each in (result.data, *result.causes[1:]))
            return ResultSummary(result.before, len(result.names), "actions", view, contents, lambda: claims)
        case Explained():
            return _explained(result)
    return None


def _reduced(result: Reduced) -> ResultSummary:
    names = ("result", *(f"result {number}" for number in range(2, len(result.found) + 1)))
    return ResultSummary(
        size(result.original),
        size(result.found[0]),
        view={"causes": len(result.found), "more": result.more, "tried": sorted(result.tried)},
        contents=dict(zip(names, result.found, strict=True)),
        claims=lambda: tuple((each, FAIL) for each in result.found),
    )


def _isolated(result: Isolated) -> ResultSummary:
    sides: list[tuple[str, Content]] = [("passing", result.passing), ("failing", result.failing)]
    for number, each in enumerate(result.causes[1:], 2):
        sides += ((f"passing {number}", each.passing), (f"failing {number}", each.failing))
    return ResultSummary(
        len(result.original),
        abs(len(result.failing) - len(result.passing)),
        view={"deltas": result.deltas, "causes": len(result.causes), "more": result.more},
        contents=dict(sides),
        claims=lambda: tuple((each, FAIL if name.startswith("failing") else PASS) for name, each in sides),
    )


def _explained(result: Explained) -> ResultSummary:
    expected = PASS if result.preventing else FAIL
    causes = [
        {
            "names": list(each.names),
            "fixed": list(each.fixed),
            "words": list(each.setting.words(".")),
            "typed": each.setting.typed() if not each.setting.files else "",
        }
        for each in result.causes
    ]
    return ResultSummary(
        result.deltas,
        len(result.causes[0].names) if result.causes else result.deltas,
        "circumstances",
        {"causes": causes, "preventing": result.preventing, "more": result.more},
        claims=lambda: tuple((each.setting, expected) for each in result.causes),
    )


# The command of a run once more, to go on with it or to prove it: what is asked has to be what was asked.


FILES = frozenset({"reduce", "isolate", "events"})
"""What these are about is a file, or a folder, that has a name."""


@dataclass(slots=True)
class RepeatedRun:
    """A run whose command is repeated. It may make several runs; the one in question is known by its place."""

    run: Run
    command: str
    """What the user would type to begin another one."""
    _opened: int = field(default=0)

    def mine(self) -> bool:
        """Whether the next session is the one in question."""
        self._opened += 1
        return self._opened - 1 == int(self.run.facts.get("part", 0))

    def same(self, inputs: Sequence[Content]) -> list[bool]:
        """Of each input, whether it is as it was."""
        known = [each["digest"] for each in self.run.facts.get("inputs", [])]
        now = [digest(each).hex() for each in inputs]
        return [one == other for one, other in zip_longest(known, now)]


@dataclass(slots=True)
class ContinuedRun(RepeatedRun):
    """A run that is to go on."""

    def check(self, inputs: Sequence[Content], name: str) -> None:
        """See that the next session is no other run, if it is the one in question."""
        if not self.mine() or name == self.run.id:
            return
        raise UsageError(
            f"run {self.run.short} cannot go on: {self._changed(inputs)} has changed since",
            f"put it back as it was; or begin another run: {self.command}",
        )

    def _changed(self, inputs: Sequence[Content]) -> str:
        """What is not as it was."""
        same = self.same(inputs)
        if all(same):
            return "the test, the program that it runs, or wynot itself"
        if not same[0] and self.run.kind in FILES:
            return str(self.run.facts.get("shown", "its input"))
        return "what it is about"
