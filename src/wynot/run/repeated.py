"""After the search: whether a failure that was taken for steady is, by more runs of the result.

An input that fails in 70 % of its runs fails three times in a row in a third of all cases. A search that takes this for
steady keeps parts that are not needed. The further runs come at the end, where candidates are small.
"""

from __future__ import annotations

from collections.abc import Sequence

from wynot.core.artifact import Content, digest, size
from wynot.core.counted import counted
from wynot.core.events import Said, Warned
from wynot.core.outcome import FAIL, Outcome
from wynot.errors import UsageError, WynotError
from wynot.run.confirm import unsteady
from wynot.run.costs import Budget
from wynot.run.lab import Lab
from wynot.run.programs import ProgramBench

RUNS = 10
"""Runs of the result. With the three of the input, a failure that shows in 70 % of the runs is taken for steady in 1 %
of all cases, and one that shows in 90 % in a quarter of them."""
MOST_SECONDS = 60.0
"""No further run after this time."""
REPEATED = "repeated"
"""The fact that names the results that were run again, and failed each time."""


def fails_each_time(lab: Lab[Content], results: Sequence[Content]) -> bool:
    """Whether results fail each time that they are run again. An unsteady failure needs no such runs."""
    if not isinstance(lab.bench, ProgramBench) or unsteady(lab):
        return True
    known = lab.journal.fact(REPEATED) if lab.journal is not None else None
    done = set(known) if isinstance(known, list) else set()
    budget, lab.budget = lab.budget, Budget()  # the search is over
    try:
        for result in results:
            if digest(result).hex() not in done and not _fails(lab, result):
                return False
            done.add(digest(result).hex())
    except (KeyboardInterrupt, WynotError) as error:
        if isinstance(error, UsageError):  # such as a file of the user's that a test has changed
            lab.listener(Warned(str(error)))
        lab.listener(Warned("the result was not run again: whether the failure is steady is known by few runs only"))
        return True
    finally:
        lab.budget = budget
    if lab.journal is not None:
        lab.journal.state(REPEATED, sorted(done))
    return True


def holds_still(lab: Lab[Content], claims: Sequence[tuple[Content, Outcome]]) -> bool:
    """Whether a result of which all was known from an earlier attempt holds when it is run once more.

    The same for the latest candidate that did not fail: most often one of those that show that nothing can be left out.
    Not all that a failure depends on is watched: a variable, a library of the system, or a service may have changed.
    """
    if not isinstance(lab.bench, ProgramBench) or unsteady(lab):
        return True
    budget, lab.budget = lab.budget, Budget()  # the search is over
    try:
        for content, outcome in claims:
            report = lab.repeats(digest(content), content, size(content), 1)[0]
            if report.outcome is not outcome and not report.kills:
                ended = f"its result is now {report.outcome.value} ({report.why})"
                lab.listener(Said(f"the outcomes of earlier runs are set aside: {ended}"))
                return False
        if lab.recalled is not None:
            key, make, many = lab.recalled
            if lab.repeats(key, make(), many, 1)[0].outcome is FAIL:
                lab.listener(Said("the outcomes of earlier runs are set aside: what did not fail fails now"))
                return False
    except WynotError as error:
        if isinstance(error, UsageError):  # as above
            lab.listener(Warned(str(error)))
        return True
    finally:
        lab.budget = budget
    return True


def _fails(lab: Lab[Content], result: Content) -> bool:
    key, seconds, runs = digest(result), 0.0, 0
    while runs < RUNS and seconds < MOST_SECONDS:
        reports = lab.repeats(key, result, size(result), min(lab.jobs, RUNS - runs))
        runs += len(reports)
        seconds += sum(report.seconds for report in reports)
        others = [report for report in reports if report.outcome is not FAIL and not report.kills]
        if others:
            lab.doubted = others[0].why
            ended = f"the test said {others[0].outcome.value} ({others[0].why}) within {counted(runs, 'run')}"
            again = "the failure shows only sometimes: the search begins again, with several runs for each outcome"
            lab.listener(Said(f"the result was run again, and {ended}: {again}"))
            return False
    return True
