"""Before the search: whether the failure shows, what it looks like, how steady it is, how long a test may take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from wynot.core.artifact import AnyContent, Artifact, digest, size
from wynot.core.counted import counted
from wynot.core.events import Said
from wynot.core.outcome import FAIL, NOTHING, ONLY_FAIL, UNRESOLVED
from wynot.errors import NoFailureError
from wynot.oracles.words import CONSTRUCTION, FLOODED, Examination, Oracle, Report
from wynot.oracles.wrapping import Wrapping
from wynot.run.bench import Bench
from wynot.run.lab import NOTHING_TO_DO, Lab
from wynot.run.limits import PATIENCE, Limits
from wynot.run.programs import ProgramBench

if TYPE_CHECKING:  # loaded where a command is run
    from wynot.oracles.conditions import Conditions

REPEATS = 3
"""Runs to see whether a failure is steady..."""
PERSISTENCE = 10
"""...so many before it is said not to show at all, unless each of the first few runs hangs..."""
SAMPLE = 30
"""...and so many to see how often one that is not steady shows."""
ENOUGH_SECONDS = 120.0
"""No further repetition after this time."""
LAST, LONGEST = 6, 200
"""Lines that are shown of what a build said that did not work, and characters of each."""


@dataclass(frozen=True, slots=True)
class _Observer:
    """Stands in for an oracle at the bench; its reports say what was learnt."""

    oracle: Oracle

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Observe."""
        learnt, report = yield from self.oracle.observe(artifact, folder)
        return replace(report, learnt=learnt)


Looks = list[tuple[Oracle, Report]]
"""What each look at the input has taught, and how it ended."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The failing end of the search."""

    rate: float
    """How often the failure shows: 1.0 is always."""
    seconds: float
    """The longest run seen."""
    looked_for: str


def baseline(
    lab: Lab[AnyContent], data: AnyContent, name: str, meanwhile: Iterator[None] = NOTHING_TO_DO
) -> Baseline:  # fmt: skip
    """Test the input itself; from now on tests look for its failure, and have their time limit.

    While tests run, steps of `meanwhile` are done, as many as there is time for.
    """
    bench, lab.odds.size = lab.bench, size(data)
    if not isinstance(bench, ProgramBench):
        report = lab.probe(digest(data), data, size(data), ONLY_FAIL)
        if report.outcome is not FAIL:
            raise NoFailureError(f"the failure does not show on {name}: the test says {report.outcome.value}")
        return Baseline(1.0, report.seconds, looked_for(bench))
    limits = bench.limits
    bench.limits = limits.looking()
    found = _recalled(lab, bench) or _observed(lab, bench, data, name, meanwhile)
    bench.limits = limits.settled(found.seconds, bench.crowd)
    lab.forget_time_outs(bench.limits.seconds)
    lab.listener(Said(f"looking for: {found.looked_for}"))
    if bench.server:
        from wynot.run.server.serving import serve  # noqa: PLC0415 - for those who ask for it

        bench.preparing = partial(serve, bench, data, lab.listener)
    if found.rate < 1:
        alone = " (if tests that run at once disturb one another: -j 1)" if lab.jobs > 1 else ""
        rate = f"the failure shows in about {found.rate:.0%} of the runs"
        lab.listener(Said(f"{rate}: each outcome is decided by several runs{alone}"))
    return found


def shows(lab: Lab[AnyContent], data: AnyContent) -> bool:
    """Whether one look at something else sees a failure: the two ends may be the wrong way round."""
    bench, key = lab.bench, digest(data)
    if not isinstance(bench, ProgramBench):
        return lab.probe(key, data, size(data), ONLY_FAIL).outcome is FAIL
    bench.examiner = _Observer(bench.oracle)
    report = lab.probe(key, data, size(data), NOTHING)
    bench.examiner = None
    return report.outcome is FAIL


def _recalled(lab: Lab[AnyContent], bench: ProgramBench) -> Baseline | None:
    """What an earlier process of the same run has observed."""
    known = lab.journal.fact("baseline") if lab.journal is not None else None
    if not isinstance(known, dict):
        return None
    oracle = bench.oracle.recall(known["oracle"])
    bench.oracle = _shown_in(known["rate"], oracle)
    return Baseline(known["rate"], known["seconds"], bench.oracle.looked_for())


def _observed(
    lab: Lab[AnyContent], bench: ProgramBench, data: AnyContent, name: str, meanwhile: Iterator[None]
) -> Baseline:  # fmt: skip
    oracle, key = bench.oracle, digest(data)
    bench.examiner = _Observer(oracle)
    looks: Looks = []
    while lacking := _lacking(looks):
        reports = lab.looks(key, data, size(data), min(lacking, lab.jobs), meanwhile)
        looks += [(report.learnt or oracle, report) for report in reports]
    bench.examiner = None
    failing = [learnt for learnt, report in looks if report.outcome is FAIL]
    if not failing:
        reports = [report for _, report in looks]
        raise NoFailureError(*_not_shown(oracle, name, reports, bench.limits), evidence=_built(reports[0]))
    agreed = failing[0].agreed(failing[1:])
    failing = [learnt for learnt in failing if agreed.shows(learnt)]
    rate = len(failing) / len(looks)
    bench.oracle = _shown_in(rate, agreed)
    seconds = _longest([report for _, report in looks])
    lab.overrule(key, Report(FAIL, f"failed in {len(failing)} of {len(looks)} runs", seconds), size(data))
    if lab.journal is not None:
        lab.journal.state("baseline", {"oracle": agreed.memory(), "rate": rate, "seconds": seconds})
    return Baseline(rate, seconds, bench.oracle.looked_for())


def _shown_in(rate: float, oracle: Oracle) -> Oracle:
    """The oracle for a failure that shows in so many of the runs."""
    if rate == 1:
        return oracle
    from wynot.oracles.steady import Steady  # noqa: PLC0415 - where it is needed

    return Steady(oracle, rate)


def _lacking(looks: Looks) -> int:
    """How many more looks there have to be, as far as one can tell by now; none: it is clear what the input does."""
    runs, fails = len(looks), sum(report.outcome is FAIL for _, report in looks)
    if not runs:
        return 1
    if sum(report.seconds for _, report in looks) > ENOUGH_SECONDS:
        return 0
    if not fails:
        return max(0, (REPEATS if all(report.cut for _, report in looks) else PERSISTENCE) - runs)
    first, *others = [learnt for learnt, report in looks if report.outcome is FAIL]
    agreed = first.agreed(others)
    steady = fails == runs and all(agreed.shows(other) for other in others)
    return max(0, (REPEATS if steady else SAMPLE) - runs)


def _longest(reports: list[Report]) -> float:
    """How long a test takes.

    One that never ends does not count, unless just that is the failure: then the limit that showed it is to stay.
    """
    return max(r.seconds / PATIENCE if r.cut else r.seconds for r in reports if r.outcome is FAIL or not r.cut)


def _built(report: Report) -> tuple[str, ...]:
    """The last words of a build that did not work."""
    said = [line for line in report.evidence.splitlines() if line.strip()] if report.phase == CONSTRUCTION else []
    return tuple(line[:LONGEST] for line in said[-LAST:])


def _not_shown(oracle: Oracle, name: str, reports: list[Report], limits: Limits) -> tuple[str, str]:
    """What to say, and what to type, when there is nothing to explain."""
    report, runs = reports[0], len(reports)
    if all(each.cut for each in reports):
        longer = "if it only takes its time, give it more: --timeout 1h"
        hang = "if that is the failure: --fail-if-hang 10s; " if _may_hang(oracle) else ""
        return f"the test of {name} does not end within {limits.seconds:g} s", hang + longer
    if all(each.why == FLOODED for each in reports):
        return (
            f"the test of {name} prints more than --output-limit allows",
            "allow more: --output-limit 1G; or let it print less: > /dev/null",
        )
    ending = f" ({report.why})" if report.why else ""
    message = (
        f"the failure does not show on {name} in {counted(runs, 'run')}: the test says {report.outcome.value}{ending}"
    )
    needy = limits.memory is not None and report.outcome is UNRESOLVED
    room = "it may need more than --memory allows; " if needy else ""
    return message, f"{room}try it by hand: {oracle.by_hand(_plain(name))}; echo $?"


def _plain(name: str) -> str:
    """A name that no program takes for an option."""
    return f"./{name}" if name.startswith("-") else name


def _may_hang(oracle: Oracle) -> bool:
    """Whether it could be told that a hang is the failure."""
    conditions = _conditions(oracle)
    return conditions is not None and conditions.hang is None


def by_the_clock(bench: Bench[AnyContent]) -> bool:
    """Whether the failure is that it takes long."""
    oracle = bench.oracle if isinstance(bench, ProgramBench) else None
    conditions = _conditions(oracle)
    return conditions is not None and conditions.slower is not None


def _conditions(oracle: Oracle | None) -> Conditions | None:
    """What the user says of the failure of a command; None where it is no command that is run."""
    found: Conditions | None = getattr(oracle.inner if isinstance(oracle, Wrapping) else oracle, "conditions", None)
    return found


def looked_for(bench: Bench[AnyContent]) -> str:
    """The failure in plain words."""
    return bench.oracle.looked_for() if isinstance(bench, ProgramBench) else "the test function says FAIL"
