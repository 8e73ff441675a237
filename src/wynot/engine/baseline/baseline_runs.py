"""Before the search: whether the failure shows, what it looks like, how steady it is, how long a test may take."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, Any

from wynot.core.artifact import AnyContent, Content, digest, size
from wynot.core.call import Call
from wynot.core.outcome import FAIL, NOTHING, ONLY_FAIL, PASS
from wynot.core.run_events import Caution, Note
from wynot.core.text import counted
from wynot.engine.baseline.as_typed import TypedAndSandboxed, commands_of, files_beside, place_of, refuse_output
from wynot.engine.baseline.repeated_runs import Looks, Observer, agreed, failing, look
from wynot.engine.executors.executor import Executor, ProgramExecutor, TestSettings
from wynot.engine.executors.sandbox import PATIENCE, Limits
from wynot.engine.files.program_watch import changed_since
from wynot.engine.tester import NOTHING_TO_DO, Tester
from wynot.errors import BudgetEnded, NoFailureError
from wynot.oracles.protocol import CONSTRUCTION, FLOODED, Oracle, Report, Wrapper
from wynot.oracles.script import Script

if TYPE_CHECKING:  # loaded where a command is run
    from wynot.oracles.script import Conditions

REPEATS = 3
"""Runs to see whether a failure is steady..."""
PERSISTENCE = 10
"""...so many before it is said not to show at all, unless each of the first few runs hangs..."""
SAMPLE = 30
"""...and for one that is not steady at least this many, until it has failed this many times..."""
LARGEST_SAMPLE = 300
"""...or was run this many times: PASS is tested against the rate that these runs give."""
HIGHEST = 0.98
"""The rate of a failure that was seen not to show, though all runs of the input itself have failed."""
ENOUGH_SECONDS = 120.0
"""No further repetition after this time."""
_HANG = "if that is the failure: --fail-if-hang 10s; "
LAST, LONGEST = 6, 200
"""Lines that are shown of what a build said that did not work, and characters of each."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The failing end of the search."""

    rate: float
    """How often the failure shows: 1.0 is always."""
    seconds: float
    """The longest run seen."""
    looked_for: str
    runs: int = 1
    """How many runs gave the rate."""


def baseline(
    tester: Tester[AnyContent], data: AnyContent, name: str, meanwhile: Iterator[None] = NOTHING_TO_DO
) -> Baseline:  # fmt: skip
    """Test the input itself; from now on tests look for its failure, and have their time limit.

    While tests run, steps of `meanwhile` are done, as many as there is time for.
    """
    executor = tester.executor
    tester.odds.go_on_from(size(data))
    if not isinstance(executor, ProgramExecutor):
        report = tester.probe(digest(data), data, size(data), ONLY_FAIL)
        if report.outcome is not FAIL:
            raise NoFailureError(f"the failure does not show on {name}: the test says {report.outcome.value}")
        return Baseline(1.0, report.seconds, looked_for(executor))
    wanted = executor.oracle
    with tester.observing():
        found = _recalled(tester, executor, data, meanwhile) or _observed(tester, executor, data, name, meanwhile)
    if tester.program is not None:
        beside = (each for command in commands_of(executor.oracle) for each in command.beside)
        tester.program.watch_copied(each.target for each in beside if each.copied and each.target)
    executor.limit_to(executor.limits.settled(found.seconds, executor.crowd))
    tester.outcomes.forget_time_outs(executor.limits.seconds)
    tester.listener(Note(f"looking for: {found.looked_for}"))
    for caution in _cautions(wanted, executor.oracle):
        tester.listener(Caution(caution))
    if executor.server:
        from wynot.engine.executors.fork_server import serve  # noqa: PLC0415 - for those who ask for it

        executor.prepare_with(partial(serve, executor, data, tester.listener))
    if found.rate < 1:
        alone = " (if tests that run at once disturb one another: -j 1)" if tester.jobs > 1 else ""
        rate = f"the failure shows in about {found.rate:.0%} of the runs"
        tester.listener(Note(f"{rate}: each outcome is decided by several runs{alone}"))
    return found


def shows(tester: Tester[AnyContent], data: AnyContent) -> bool:
    """Whether one look at something else sees a failure: the two ends may be the wrong way round."""
    executor, key = tester.executor, digest(data)
    if not isinstance(executor, ProgramExecutor):
        return tester.probe(key, data, size(data), ONLY_FAIL).outcome is FAIL
    report = tester.probe(key, data, size(data), NOTHING, settings=_observing(executor))
    return report.outcome is FAIL


def _observing(executor: ProgramExecutor) -> TestSettings:
    """For a look at an end of the search, before its time limit is known."""
    return TestSettings(Observer(executor.oracle), executor.limits.looking())


def heed_passing(tester: Tester[AnyContent], passing: AnyContent) -> bool:
    """Learn what a passing run prints, before the failing one is looked at; gives whether a program was run for it.

    What a passing run prints, too, says nothing of the failure: warnings, for example.
    """
    from wynot.oracles.message_values import command_in  # noqa: PLC0415 - where a command is run

    executor, key = tester.executor, digest(passing)
    if not isinstance(executor, ProgramExecutor) or command_in(executor.oracle) is None:
        return False
    known = tester.journal.fact("passing") if tester.journal is not None else None
    if isinstance(known, dict):
        executor.examine_with(executor.oracle.recall(known))
        return False
    report = tester.probe(key, passing, size(passing), NOTHING, settings=_observing(executor))
    if report.outcome is PASS and report.learnt is not None:
        executor.examine_with(report.learnt)
        if tester.journal is not None:
            tester.journal.state("passing", executor.oracle.memory())
    return True


def _cautions(wanted: Oracle, oracle: Oracle) -> list[str]:
    """What the user should know of the comparison."""
    from wynot.oracles.message_values import command_in, compares_values  # noqa: PLC0415 - where a command is run

    command = command_in(oracle)
    if command is None:
        return []
    if compares_values(wanted) and not command.precision.values:
        return ["the values in its message change from run to run: they are not compared"]
    return command.cautions()


def _recalled(
    tester: Tester[AnyContent], executor: ProgramExecutor, data: AnyContent, meanwhile: Iterator[None]
) -> Baseline | None:  # fmt: skip
    """What an earlier process of the same run has observed, if the input still fails so."""
    known = tester.journal.fact("baseline") if tester.journal is not None else None
    if tester.journal is None or not isinstance(known, dict):
        return None
    oracle = executor.oracle.recall(known["oracle"])
    rate, runs, seconds = known["rate"], known.get("runs", SAMPLE), known["seconds"]
    if not tester.journal.frozen and (
        _changed(known, oracle) or not _still_shows(tester, executor, data, oracle, known, meanwhile)
    ):
        return None
    executor.examine_with(_shown_in(rate, runs, oracle, tester))
    return Baseline(rate, seconds, executor.oracle.looked_for(), runs)


def _still_shows(
    tester: Tester[AnyContent], executor: ProgramExecutor, data: AnyContent, oracle: Oracle, known: dict[str, Any],
    meanwhile: Iterator[None],
) -> bool:  # fmt: skip
    """Whether the failure of an earlier process shows now, as typed and where tests run, on the same files.

    The input is the same, so the values in its message are, too, unless they have changed from run to run before.
    """
    from wynot.oracles.message_values import with_values  # noqa: PLC0415 - where a command is run

    rate, constant = known["rate"], known.get("constant", False)
    compared = TypedAndSandboxed(tester, executor, data, oracle)
    compared.look(meanwhile)
    if constant and not all(map(with_values(oracle).shows, failing(compared.looks))):
        return False
    if known.get("said") and _said(compared.looks) not in {"", known["said"]}:
        return False
    shown = _shown(oracle, compared.looks), not compared.seen or _shown(oracle, compared.seen)
    if tester.program is not None and tester.program.unsettled:
        compared.look()
    while rate < 1 and not all(shown) and len(compared.looks) < PERSISTENCE:
        compared.look()
        shown = _shown(oracle, compared.looks), not compared.seen or _shown(oracle, compared.seen)
    return all(shown) and compared.oracle == oracle


def _said(looks: Looks) -> str:
    """Which failure these runs print, without values; nothing where they print none that is known, or several."""
    from wynot.oracles.readers import loaded_readers  # noqa: PLC0415
    from wynot.oracles.signature import essence  # noqa: PLC0415 - where a command is run

    found = {loaded_readers.diagnose(report.evidence) for _, report in looks if report.outcome is FAIL}
    said = {
        f"{each.reader} {each.kind} {essence(each.message, frozenset())}" if each is not None else "" for each in found
    }
    return said.pop() if len(said) == 1 else ""


def _changed(known: dict[str, Any], oracle: Oracle) -> str:
    """What is not as it was: the place, a file beside the input, or one of the program's own; nothing where all is."""
    if known.get("files") and known.get("place") != place_of(oracle):
        return "the command runs in another folder"
    now = files_beside(oracle)
    changed = [path for path, state in known.get("files", {}).items() if list(now.get(path) or ()) != (state or [])]
    changed += filter(None, [changed_since(known.get("program", {}))])
    return f"{os.path.relpath(changed[0])} has changed" if changed else ""


def _constant(oracle: Oracle, learnt: Sequence[Oracle]) -> bool:
    """Whether all runs of the input have failed with the same values in their message."""
    from wynot.oracles.message_values import with_values  # noqa: PLC0415 - where a command is run

    return all(map(with_values(oracle).shows, learnt))


def _otherwise(before: Oracle, now: Oracle) -> str:
    """Why outcomes of tests that looked for a failure are of no use now."""
    from wynot.oracles.message_values import with_values  # noqa: PLC0415 - where a command is run

    if not with_values(before).shows(now):
        return f"the failure was another one ({before.looked_for()})"
    layouts = ([(each.argv, each.beside, each.within) for each in commands_of(oracle)] for oracle in (before, now))
    if next(layouts) != next(layouts):
        return "tests have to be laid out otherwise now, to end as the command does as typed"
    return "the failure did not show in the first runs"


def _shown(oracle: Oracle, looks: Looks) -> bool:
    """Whether one of these runs shows the failure that is looked for."""
    return any(oracle.shows(learnt) for learnt in failing(looks))


def _observed(
    tester: Tester[AnyContent], executor: ProgramExecutor, data: AnyContent, name: str, meanwhile: Iterator[None]
) -> Baseline:  # fmt: skip
    compared = TypedAndSandboxed(tester, executor, data, executor.oracle)
    try:
        compared.settle(meanwhile)
        oracle, looks, typed = compared.oracle, compared.looks, compared.seen[:1]
        while lacking := _lacking(looks, len(typed), doubted=tester.outcomes.doubted is not None):
            looks += look(tester, executor, oracle, data, min(lacking, tester.jobs), meanwhile)
    except BudgetEnded as ended:
        raise _out_of_time(ended, compared.oracle, name, [*compared.seen, *compared.looks]) from None
    fails = failing(looks)
    if not fails:
        reports = [report for _, report in (*typed, *looks)]
        raise _not_shown(oracle, name, reports, executor.limits.looking(), _by_hand(oracle, data, _plain(name)))
    common = agreed(fails)
    if tester.program is not None and tester.program.output is not None:
        refuse_output(common, tester.program.output)
    times = sum(map(common.shows, fails))
    rate = times / len(looks) if tester.outcomes.doubted is None else min(times / len(looks), HIGHEST)
    seconds = _longest([report for _, report in looks])
    if tester.journal is not None:
        known = tester.journal.fact("baseline")
        if isinstance(known, dict):
            before = oracle.recall(known["oracle"])
            said = known.get("said") and _said(looks) != known["said"] and "the input fails with another message"
            sometimes = rate < known["rate"] == 1 and "the failure shows only sometimes"
            reason = _changed(known, before) or said or sometimes or _otherwise(before, common)
            tester.journal.set_aside()
            tester.outcomes.forget()
            tester.listener(Note(f"the outcomes of earlier runs are set aside: {reason}"))
        measured = {"rate": rate, "runs": len(looks), "seconds": seconds, "constant": _constant(common, fails)}
        program = tester.program.digests() if tester.program is not None else {}
        files: dict[str, Any] = {"files": files_beside(common), "place": place_of(common), "program": program}
        if common == oracle:  # nothing was learnt: the user says what the failure is
            files["said"] = _said(looks)
        tester.journal.state("baseline", {"oracle": common.memory(), **measured, **files})
    executor.examine_with(_shown_in(rate, len(looks), common, tester))  # once an earlier run's outcomes are set aside
    tester.outcomes.overrule(digest(data), Report(FAIL, f"failed in {times} of {len(looks)} runs", seconds), size(data))
    return Baseline(rate, seconds, executor.oracle.looked_for(), len(looks) + (len(typed) if rate == 1 else 0))


def _shown_in(rate: float, runs: int, oracle: Oracle, tester: Tester[AnyContent]) -> Oracle:
    """The oracle for a failure that shows at this rate, as measured by this many runs."""
    if rate == 1:
        return oracle
    from wynot.oracles.failure_rate import RepeatedOracle  # noqa: PLC0415 - where it is needed

    return RepeatedOracle(oracle, rate, runs, of_result=tester.outcomes.compared)


def _lacking(looks: Looks, typed: int, *, doubted: bool) -> int:
    """How many more looks there have to be, as far as one can tell by now; none: it is clear what the input does.

    A run as typed that ended alike counts as one. `doubted`: a search has shown that the failure is not steady.
    """
    runs, fails = len(looks), sum(report.outcome is FAIL for _, report in looks)
    if sum(report.seconds for _, report in looks) > ENOUGH_SECONDS:
        return 0
    if not fails:
        return max(0, (REPEATS if all(report.cut for _, report in looks) else PERSISTENCE) - runs - typed)
    learnt = failing(looks)
    shown = sum(map(agreed(learnt).shows, learnt))
    if shown == runs and not doubted:
        return max(0, REPEATS - runs - typed)
    return max(SAMPLE - runs, min(SAMPLE - shown, LARGEST_SAMPLE - runs), 0)


def _longest(reports: list[Report]) -> float:
    """How long a test takes.

    One that never ends does not count, unless just that is the failure: then the limit that showed it is to stay.
    """
    return max(r.seconds / PATIENCE if r.cut else r.seconds for r in reports if r.outcome is FAIL or not r.cut)


def _built(report: Report) -> tuple[str, ...]:
    """The last words of a build that did not work."""
    said = [line for line in report.evidence.splitlines() if line.strip()] if report.phase == CONSTRUCTION else []
    return tuple(line[:LONGEST] for line in said[-LAST:])


def _not_shown(oracle: Oracle, name: str, reports: list[Report], limits: Limits, by_hand: str) -> NoFailureError:
    """What to say, and what to type, when there is nothing to explain."""
    report, runs = reports[0], len(reports)
    evidence = _built(report)
    if all(each.cut for each in reports):
        longer = "if it only takes its time, give it more: --timeout 1h"
        hang = _HANG if _may_hang(oracle) else ""
        return NoFailureError(f"the test of {name} does not end within {limits.seconds:g} s", hang + longer, evidence)
    if all(each.why == FLOODED for each in reports):
        return NoFailureError(
            f"the test of {name} prints more than --output-limit allows",
            "allow more: --output-limit 1G; or let it print less: > /dev/null",
            evidence,
        )
    ending = f" ({report.why})" if report.why else ""
    message = (
        f"the failure does not show on {name} in {counted(runs, 'run')}: the test says {report.outcome.value}{ending}"
    )
    room = "it may need more than --memory allows; " if limits.memory is not None else ""
    return NoFailureError(message, f"{room}{by_hand}", evidence, "not shown")


def _out_of_time(ended: BudgetEnded, oracle: Oracle, name: str, looks: Looks) -> BudgetEnded:
    """The end of a budget before any look at the input has shown anything: it may hang, and that may be the failure."""
    if not all(report.cut for _, report in looks):
        return ended
    hang = _HANG if _may_hang(oracle) else ""
    message = f"{ended}, and the test of {name} has not ended"
    return BudgetEnded(message, f"{hang}if it only takes its time, give it more: --budget-time 1h")


def _by_hand(oracle: Oracle, data: Content, name: str) -> str:
    """How to try a test as it is run: a script finds nothing but the input in its folder."""
    if not isinstance(oracle, Script) or oracle.inside or isinstance(data, Call):
        return f"try it by hand: {oracle.by_hand(name)}; echo $?"
    own = quote(os.path.basename(os.path.abspath(name)))  # noqa: PTH100, PTH119
    tried = f'd=$(mktemp -d) && cp -r {quote(name)} "$d" && (cd "$d" && {quote(oracle.path)} "$d"/{own}); echo $?'
    return f"it finds only the input in its folder; try it by hand: {tried}"


def _plain(name: str) -> str:
    """A name that no program takes for an option."""
    return f"./{name}" if name.startswith("-") else name


def _may_hang(oracle: Oracle) -> bool:
    """Whether it could be told that a hang is the failure."""
    conditions = _conditions(oracle)
    return conditions is not None and conditions.hang is None


def by_the_clock(executor: Executor[AnyContent]) -> bool:
    """Whether the failure is that it takes long."""
    oracle = executor.oracle if isinstance(executor, ProgramExecutor) else None
    conditions = _conditions(oracle)
    return conditions is not None and conditions.slower is not None


def _conditions(oracle: Oracle | None) -> Conditions | None:
    """What the user says of the failure of a command; None where it is no command that is run."""
    inner: object = oracle
    while isinstance(inner, Wrapper):
        inner = inner.inner
    found: Conditions | None = getattr(inner, "conditions", None)
    return found


def looked_for(executor: Executor[AnyContent]) -> str:
    """The failure in plain words."""
    return executor.oracle.looked_for() if isinstance(executor, ProgramExecutor) else "the test function says FAIL"
