"""`check`: what would be looked for, how steady it is, how long a test takes; nothing is reduced."""

from __future__ import annotations

from dataclasses import dataclass

from wynot.core.artifact import Content, digest
from wynot.core.folder import Folder
from wynot.core.outcome import Outcome
from wynot.engine.baseline.baseline_runs import baseline
from wynot.engine.baseline.result_checks import missing_text
from wynot.engine.executors.executor import ProgramExecutor
from wynot.engine.input_source import Source, read_given
from wynot.engine.run_options import Options
from wynot.engine.session import session
from wynot.oracles.protocol import Oracle
from wynot.oracles.python_function import Test


@dataclass(frozen=True, slots=True)
class FailureCheck:
    """What a first look at a failure shows."""

    looked_for: str
    rate: float
    runs: int
    seconds: float
    """The longest run."""
    limit: float | None
    """The time limit that tests would have."""
    empty: Outcome
    """What the empty input does."""
    missing: str = ""
    """What it says is not installed, in words, where the empty input fails, too."""


def check(
    source: Source, oracle: Oracle | Test, options: Options | None = None, *, name: str | None = None
) -> FailureCheck:
    """Look at a failure as a search would.

    >>> found = check(b"x", lambda data: b"x" in data)
    >>> found.rate, found.empty.value
    (1.0, 'pass')
    """
    given = read_given(source, name)
    with session("check", [given.data], given.name, given.shown, oracle, options or Options()) as opened:
        found = baseline(opened.tester, given.data, given.shown)
        nothing: Content = Folder({}) if isinstance(given.data, Folder) else b""
        empty = opened.tester.probe(digest(nothing), nothing, 0).outcome if given.data != nothing else Outcome.FAIL
        executor = opened.tester.executor
        limit = executor.limits.seconds if isinstance(executor, ProgramExecutor) else None
        missing = missing_text(opened.tester.printed) if empty is Outcome.FAIL else ""
        return FailureCheck(found.looked_for, found.rate, found.runs, found.seconds, limit, empty, missing)
