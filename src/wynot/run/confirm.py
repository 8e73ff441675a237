"""A second look at results whose failure shows only sometimes. Failures that are steady need none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

from wynot.core.artifact import AnyContent, Content, digest, size
from wynot.core.events import Said, Warned
from wynot.core.outcome import FAIL, NOTHING, UNRESOLVED, Outcome
from wynot.errors import WynotError
from wynot.oracles.steady import Steady
from wynot.oracles.words import Report
from wynot.run.costs import Budget
from wynot.run.lab import Lab
from wynot.run.programs import ProgramBench
from wynot.run.session import Session

Claim = tuple[Content, Outcome]
"""A candidate, and the outcome that the search took it for."""
Step = Callable[[], Sequence[Claim]]
"""What the search claimed at some time."""


def unsteady(lab: Lab[AnyContent]) -> bool:
    """Whether the failure shows only sometimes."""
    return isinstance(lab.bench, ProgramBench) and isinstance(lab.bench.oracle, Steady)


def seen_again(lab: Lab[AnyContent], candidate: AnyContent) -> Report | None:
    """What a closer look at a candidate tells; None where the failure is steady, and nothing new is to be seen."""
    bench = lab.bench
    if not isinstance(bench, ProgramBench) or not isinstance(bench.oracle, Steady):
        return None
    bench.examiner = bench.oracle.stricter()
    try:
        return lab.probe(digest(candidate), candidate, size(candidate), NOTHING)
    finally:
        bench.examiner = None


def confirmed(lab: Lab[AnyContent], candidate: AnyContent, outcome: Outcome = FAIL) -> bool:
    """Whether a result still fails (or passes) when looked at more closely.

    If not, it was taken for it by mistake: from now on it is unresolved, and the search has to go another way.
    """
    report = seen_again(lab, candidate)
    if report is None or report.outcome is outcome:
        return True
    lab.overrule(digest(candidate), Report(UNRESOLVED, report.why, report.seconds), size(candidate))
    lab.listener(Said(f"a result of {size(candidate)} bytes {report.why} when looked at again: taken back"))
    return False


def last_confirmed(session: Session, steps: Sequence[Step]) -> int:
    """Where to go back to when a search ended early: the last step that holds. The first one needs no look.

    This takes some runs after the end, of which no budget knows. Who stops it once more gets the last step as it is.
    """
    lab, last = session.lab, len(steps) - 1
    if last <= 0 or not unsteady(lab):
        return last
    lab.listener(Said("the failure shows only sometimes: looking at the result again (stop once more to leave it)"))
    look = cache(partial(confirmed, lab))
    try:
        session.renew()
        lab.budget = Budget()
        return next((place for place in range(last, 0, -1) if all(look(*claim) for claim in steps[place]())), 0)
    except (KeyboardInterrupt, WynotError):
        lab.listener(Warned("the result was not looked at again: it may show the failure less often"))
        return last
