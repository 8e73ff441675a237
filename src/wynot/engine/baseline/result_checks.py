"""Check a result: the empty input passes, the result fails again, as often and in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Generic

from wynot.core.artifact import AnyContent, Content, digest, size
from wynot.core.outcome import FAIL, NOTHING, UNRESOLVED, Outcome
from wynot.core.run_events import Caution, Note
from wynot.core.text import counted
from wynot.engine.baseline.baseline_runs import ENOUGH_SECONDS, LARGEST_SAMPLE, SAMPLE
from wynot.engine.executors.executor import ProgramExecutor, TestSettings
from wynot.engine.session import Session
from wynot.engine.tester import NOTHING_TO_DO, Tester
from wynot.errors import UsageError, WynotError
from wynot.oracles.failure_rate import RepeatedOracle
from wynot.oracles.protocol import Report
from wynot.oracles.signature import missing_dependency

# How the program fails on the original and on the result: values in a message may differ, which is shown.


def both_failures(session: Session, original: Content, result: Content) -> tuple[str, str] | None:
    """What the program says of the original and of the result; None where that is one input, or it says nothing."""
    from wynot.oracles.message_values import failure_of  # noqa: PLC0415 - where a command is run

    if session.rate < 1 or result == original:
        return None
    said = failure_of(getattr(session.tester.executor, "oracle", None)), session.tester.outcomes.failure(digest(result))
    return said if all(said) else None


# The failure rate of a result: what can be left out of it is decided by that rate, not by the input's.


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
    once = TestSettings(oracle.inner)
    try:
        with tester.without_budget():  # the search is over
            seen = [_measured(tester, result, once) for result in results]
    except (KeyboardInterrupt, WynotError) as error:
        if isinstance(error, UsageError):  # such as a file of the user's that a test has changed
            tester.listener(Caution(str(error)))
        tester.listener(Caution("the result's failure rate was not measured: it may be lower than the input's"))
        return False
    fails, runs = min(seen, key=lambda each: each[0] / each[1])
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
    tester.outcomes.compare_with(fails / runs, runs, largest)
    return True


def _measured(tester: Tester[Content], result: Content, once: TestSettings) -> tuple[int, int]:
    """How often a result fails, in how many runs: measured as the input's rate is."""
    key, fails, runs, seconds = digest(result), 0, 0, 0.0
    while fails < SAMPLE and runs < LARGEST_SAMPLE and seconds <= ENOUGH_SECONDS:
        reports = tester.repeats(key, result, size(result), max(tester.jobs, 1), once)
        fails += sum(report.outcome is FAIL for report in reports)
        runs += sum(not report.kills for report in reports)
        seconds += sum(report.seconds for report in reports)
    return fails, max(runs, 1)


DEPENDS = "depends"
"""The fact that nothing at all fails less often than the input."""


class WeakTestCheck(Generic[AnyContent]):
    """Looks at what is left if all is left out that can be, before a search and after it."""

    def __init__(
        self,
        tester: Tester[AnyContent],
        nothing: AnyContent,
        named: str,
        rest: str,
        other: Callable[[], bool] | None = None,
    ) -> None:
        """`named`: what to call that when speaking of it, and the `rest`.

        `other`: says of nothing at all that it fails, but with other values than the input.
        """
        self._lab, self._nothing, self._named, self._rest = tester, nothing, named, rest
        self._other = other

    def shows(self, meanwhile: Iterator[None] = NOTHING_TO_DO) -> bool:
        """Whether the failure shows without the rest, too: then there is nothing to search for."""
        tester, nothing = self._lab, self._nothing
        report = tester.probe(digest(nothing), nothing, size(nothing), meanwhile=meanwhile)
        if report.outcome is not FAIL or (self._other is not None and self._other()):
            return False
        return confirmed(tester, nothing) and self._told("too")

    def shows_after_all(self) -> bool:
        """Whether a failure that shows only sometimes does so without the rest, when that is looked at again."""
        return independent(self._lab, self._nothing) and self._told("as often as the input")

    def _told(self, how: str) -> bool:
        depends = f"the test is too weak, it does not depend on {self._rest}"
        if size(self._nothing):  # protected text: it may be what causes the failure
            depends = "what stands between the marks is not needed, or the test is too weak"
        depends += missing_text(self._lab.printed)
        self._lab.listener(Caution(f"{self._named} fails, {how}: {depends}"))
        return True


def missing_text(printed: str) -> str:
    """What a test that does not depend on its input says is not installed: often that is the failure.

    >>> missing_text("ModuleNotFoundError: No module named 'six'")
    '; it says that Python module six is missing (python -m pip install six)'
    """
    missing = missing_dependency(printed)
    if missing is None:
        return ""
    return f"; it says that {missing} is missing" + (f" ({missing.install})" if missing.install else "")


def independent(tester: Tester[AnyContent], nothing: AnyContent) -> bool:
    """Whether a failure that shows only sometimes does so with nothing of the input, when that is looked at again.

    Then it is chance alone what a search among the parts of the input finds. One look before the search is not enough:
    it may be wrong once in twenty times.
    """
    if tester.journal is not None and tester.journal.fact(DEPENDS):
        return False
    report = seen_again(tester, nothing)
    if report is None:
        return False
    if report.outcome is FAIL and confirmed(tester, nothing):
        return True
    if tester.journal is not None:
        tester.journal.state(DEPENDS, value=True)
    return False


# Run results again: whether a flaky failure is confirmed, and whether a steady one is steady.


Claim = tuple[Content, Outcome]
"""A candidate, and the outcome that the search took it for."""
Step = Callable[[], Sequence[Claim]]
"""What the search claimed at some time."""


def unsteady(tester: Tester[AnyContent]) -> bool:
    """Whether the failure shows only sometimes."""
    return isinstance(tester.executor, ProgramExecutor) and isinstance(tester.executor.oracle, RepeatedOracle)


def seen_again(tester: Tester[AnyContent], candidate: AnyContent) -> Report | None:
    """What a closer look at a candidate tells; None where the failure is steady, and nothing new is to be seen."""
    executor = tester.executor
    if not isinstance(executor, ProgramExecutor) or not isinstance(executor.oracle, RepeatedOracle):
        return None
    settings = TestSettings(executor.oracle.stricter())
    return tester.probe(digest(candidate), candidate, size(candidate), NOTHING, settings=settings)


def confirmed(tester: Tester[AnyContent], candidate: AnyContent, outcome: Outcome = FAIL) -> bool:
    """Whether a result still fails (or passes) when looked at more closely.

    If not, it was taken for it by mistake: from now on it is unresolved, and the search has to go another way.
    """
    report = seen_again(tester, candidate)
    if report is None or report.outcome is outcome:
        return True
    tester.outcomes.overrule(digest(candidate), Report(UNRESOLVED, report.why, report.seconds), size(candidate))
    tester.listener(Note(f"a result of {size(candidate)} bytes {report.why} when checked again: discarded"))
    return False


def last_confirmed(session: Session, steps: Sequence[Step]) -> int:
    """Where to go back to when a search ended early: the last step that holds. The first one needs no look.

    This takes some runs after the end, of which no budget knows. Who stops it once more gets the last step as it is.
    """
    tester, last = session.tester, len(steps) - 1
    if last <= 0 or not unsteady(tester):
        return last
    tester.listener(Note("the failure is flaky: checking the result again (stop once more to skip this)"))
    look = cache(partial(confirmed, tester))
    try:
        session.renew()
        tester.lift_budget()
        return next((place for place in range(last, 0, -1) if all(look(*claim) for claim in steps[place]())), 0)
    except (KeyboardInterrupt, WynotError):
        tester.listener(Caution("the result was not checked again: it may fail less often"))
        return last


RUNS = 10
"""Runs of the result. With the three of the input, a failure that shows in 70 % of the runs is taken for steady in 1 %
of all cases, and one that shows in 90 % in a quarter of them."""
MOST_SECONDS = 60.0
"""No further run after this time."""
REPEATED = "repeated"
"""The fact that names the results that were run again, and failed each time."""


def fails_each_time(tester: Tester[Content], results: Sequence[Content]) -> bool:
    """Whether results fail each time that they are run again. An unsteady failure needs no such runs.

    If one does not that an earlier process has found, something else may have changed: then nobody `doubted` that the
    failure is steady.
    """
    if not isinstance(tester.executor, ProgramExecutor) or unsteady(tester):
        return True
    known = tester.journal.fact(REPEATED) if tester.journal is not None else None
    done = set(known) if isinstance(known, list) else set()
    try:
        with tester.without_budget():  # the search is over
            for result in results:
                if digest(result).hex() not in done and not _fails(tester, result):
                    return False
                done.add(digest(result).hex())
    except (KeyboardInterrupt, WynotError) as error:
        if isinstance(error, UsageError):  # such as a file of the user's that a test has changed
            tester.listener(Caution(str(error)))
        tester.listener(Caution("the result was not run again: only a few runs show whether the failure is steady"))
        return True
    if tester.journal is not None:
        tester.journal.state(REPEATED, sorted(done))
    return True


def holds_still(tester: Tester[Content], claims: Sequence[tuple[Content, Outcome]], *, all_known: bool) -> bool:
    """Whether what is known of a result from an earlier attempt holds when it is run once more.

    If `all_known`, the same for the latest known candidate that did not fail: most often one of those that show that
    nothing can be left out. Else results that fail are run later (`fails_each_time`). Not all that a failure depends on
    is watched: a variable, a library of the system, or a service may have changed.
    """
    if not isinstance(tester.executor, ProgramExecutor) or unsteady(tester):
        return True
    unprepared = TestSettings(prepared=False)  # for two or three runs, no fork server is started
    try:
        with tester.without_budget():  # the search is over
            for content, outcome in claims:
                if not tester.outcomes.remembers(digest(content)) or (outcome is FAIL and not all_known):
                    continue
                report = tester.repeats(digest(content), content, size(content), 1, unprepared)[0]
                if report.outcome is not outcome and not report.kills:
                    tester.listener(_set_aside(report))
                    return False
            if tester.outcomes.recalled is not None and all_known:
                key, make, many = tester.outcomes.recalled
                if tester.repeats(key, make(), many, 1, unprepared)[0].outcome is FAIL:
                    tester.listener(Note("the outcomes of earlier runs are set aside: what did not fail fails now"))
                    return False
    except WynotError as error:
        if isinstance(error, UsageError):  # as above
            tester.listener(Caution(str(error)))
        return True
    return True


def _fails(tester: Tester[Content], result: Content) -> bool:
    key, seconds, runs = digest(result), 0.0, 0
    while runs < RUNS and seconds < MOST_SECONDS:
        reports = tester.repeats(key, result, size(result), min(tester.jobs, RUNS - runs))
        runs += len(reports)
        seconds += sum(report.seconds for report in reports)
        others = [report for report in reports if report.outcome is not FAIL and not report.kills]
        if others and tester.outcomes.remembers(key):
            tester.listener(_set_aside(others[0]))
            return False
        if others:
            tester.outcomes.doubt(others[0].why)
            ended = f"the test said {others[0].outcome.value} ({others[0].why}) within {counted(runs, 'run')}"
            again = "the failure shows only sometimes: the search begins again, with several runs for each outcome"
            tester.listener(Note(f"the result was run again, and {ended}: {again}"))
            return False
    return True


def _set_aside(report: Report) -> Note:
    ended = f"its result is now {report.outcome.value} ({report.why})"
    return Note(f"the outcomes of earlier runs are set aside: {ended}")
