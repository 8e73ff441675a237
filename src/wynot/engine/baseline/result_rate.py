"""The failure rate of a result: what can be left out of it is decided by that rate, not by the input's."""

from __future__ import annotations

from collections.abc import Sequence

from wynot.core.artifact import Content, digest, size
from wynot.core.outcome import FAIL
from wynot.core.run_events import Caution, Note
from wynot.engine.baseline.baseline_runs import ENOUGH_SECONDS, LARGEST_SAMPLE, SAMPLE
from wynot.engine.budget import Budget
from wynot.engine.executors.executor import ProgramExecutor
from wynot.engine.tester import Tester
from wynot.errors import UsageError, WynotError
from wynot.oracles.failure_rate import RepeatedOracle

MEASURED = "measured"
"""The fact that names the results whose rate was measured."""


def fails_less_often(tester: Tester[Content], results: Sequence[Content]) -> bool:
    """Whether a result fails less often than the rate that candidates were compared with.

    Then a part of it can have passed the tests without it because of the result's lower rate alone. From now on
    candidates are compared with the result's rate, and all that did not fail is forgotten.
    """
    executor, journal = tester.executor, tester.journal
    if not isinstance(executor, ProgramExecutor) or not isinstance(executor.oracle, RepeatedOracle):
        return False
    oracle, keys = executor.oracle, sorted(digest(result).hex() for result in results)
    if not results or (journal is not None and (journal.frozen or journal.fact(MEASURED) == keys)):
        return False
    budget, tester.budget = tester.budget, Budget()  # the search is over
    executor.examiner = oracle.inner
    try:
        fails, runs = min((_measured(tester, result) for result in results), key=lambda seen: seen[0] / seen[1])
    except (KeyboardInterrupt, WynotError) as error:
        if isinstance(error, UsageError):  # such as a file of the user's that a test has changed
            tester.listener(Caution(str(error)))
        tester.listener(Caution("the result's failure rate was not measured: it may be lower than the input's"))
        return False
    finally:
        executor.examiner, tester.budget = None, budget
    if fails / runs >= oracle.reference or not fails:
        if journal is not None:
            journal.state(MEASURED, keys)
        return False
    tester.listener(
        Note(
            f"the result fails in {fails} of {runs} runs, less often than before ({oracle.compared:.0%}): the search "
            "goes on, with the result's rate"
        )
    )
    largest = max(map(size, results)) if all(isinstance(result, bytes) for result in results) else None
    tester.compare_with(fails / runs, runs, largest)
    return True


def _measured(tester: Tester[Content], result: Content) -> tuple[int, int]:
    """How often a result fails, in how many runs: measured as the input's rate is."""
    key, fails, runs, seconds = digest(result), 0, 0, 0.0
    while fails < SAMPLE and runs < LARGEST_SAMPLE and seconds <= ENOUGH_SECONDS:
        reports = tester.repeats(key, result, size(result), max(tester.jobs, 1))
        fails += sum(report.outcome is FAIL for report in reports)
        runs += sum(not report.kills for report in reports)
        seconds += sum(report.seconds for report in reports)
    return fails, max(runs, 1)
