"""Check the two ends of a search: OLD must pass and NEW must fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from shlex import join, quote
from typing import TYPE_CHECKING, TypeVar

from wynot.commands.changes.trial_run import rebuild_from_nothing
from wynot.core.artifact import digest, size
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, ONLY_PASS, PASS
from wynot.core.run_events import Caution, Note
from wynot.engine.baseline.baseline_runs import heed_passing, shows
from wynot.engine.baseline.result_checks import independent, unsteady
from wynot.engine.executors.executor import ProgramExecutor
from wynot.engine.results import Cost
from wynot.engine.run_options import Options
from wynot.engine.session import Session
from wynot.engine.tester import Tester
from wynot.errors import NoFailureError
from wynot.oracles.differs_from import EndsAs, OldEnding, end_of
from wynot.oracles.failure_rate import RepeatedOracle
from wynot.oracles.message_values import compares_values, without_values
from wynot.oracles.protocol import COMPARISON, CONSTRUCTION, Oracle, Report, Wrapper
from wynot.oracles.python_function import Test

if TYPE_CHECKING:  # it runs tests, and is loaded where it is needed
    from wynot.oracles.command import Command


# Searches among versions of a program: the input is constant, so the values in its messages are compared, too.
#
# Where that gives no answer, as every version prints a value of its own, the search is made once more without them.


WITHOUT_VALUES = "values in the message were not compared: with them there is no answer"
Result = TypeVar("Result")


def with_values_or_without(
    search: Callable[[Oracle | Test, Options], tuple[Result, Session]],
    oracle: Oracle | Test,
    options: Options,
    unanswered: Callable[[Result], int],
) -> tuple[Result, tuple[str, ...]]:
    """Search with the whole message; if that gives no answer, without the values in it, which a note then says.

    `unanswered`: how many suspects a result leaves; 0: it is an answer.
    """
    found, session = search(oracle, options)
    left = unanswered(found)
    if callable(oracle) or not left or not (compares_values(oracle) and session.tester.outcomes.met(COMPARISON)):
        return found, ()
    options.listener(Caution("no answer if the whole message is compared: searching once more without its values"))
    other, _ = search(without_values(oracle), rest_of(options, session.cost()))
    return (other, (WITHOUT_VALUES,)) if unanswered(other) < left else (found, ())


Amount = TypeVar("Amount", int, float)


def rest_of(options: Options, cost: Cost) -> Options:
    """The options for a second search: what the first has used of the budgets is gone."""
    tests = _rest(options.budget_tests, cost.counts.needed)
    if options.begun is not None:  # the time is counted from then on in any case
        return replace(options, budget_tests=tests)
    return replace(options, budget_tests=tests, budget_time=_rest(options.budget_time, cost.wall))


def _rest(budget: Amount | None, used: Amount) -> Amount | None:
    """What is left of a budget: a little at least, so that whoever gets it can say that it has ended."""
    return None if budget is None else max(budget - used, type(budget)(1))


@dataclass(frozen=True, slots=True)
class OldAndNew:
    """The two trees, as the user knows them."""

    old: Folder
    new: Folder
    shown: tuple[str, str]
    command: str = "changes"
    """The command of wynot that compares them."""
    name: str = "tree"
    """What the folder is called that tests get."""
    argv: tuple[str, ...] = ()
    """The command line, as typed; nothing where there is none."""
    absent: tuple[str, ...] = ()
    """Submodules that are not here: neither tree has their files."""

    @property
    def typed(self) -> str:
        """What is typed to compare them, before `-- COMMAND`: with the options that were typed."""
        if "--" in self.argv:
            words = (word for word in self.argv[: self.argv.index("--")] if word != "--fresh")
            return join(("wynot", *words))
        return f"wynot {self.command} {quote(self.shown[0])} {quote(self.shown[1])}"


def check_new_fails(session: Session, ends: OldAndNew) -> None:
    """See that it does; where the old one fails instead, they are the wrong way round."""
    tester, (old, new) = session.tester, ends.shown
    if heed_passing(tester, ends.old):
        rebuild_from_nothing(tester)
    try:
        session.observe(ends.new, new)
    except NoFailureError as error:
        if not shows(tester, ends.old):
            raise unused(tester, ends, error) from None
        swapped = f"wynot changes {quote(new)} {quote(old)} -- COMMAND"
        raise NoFailureError(
            f"{old} fails and {new} does not: they are the wrong way round",
            f"the one that works comes first: {swapped}",
            reason="swapped",
        ) from None


def unused(tester: Tester[Folder], ends: OldAndNew, error: NoFailureError) -> NoFailureError:
    """The error for a new tree that does not fail, with the reason if its files are not used at all."""
    from wynot.commands.changes.why_old_fails import not_used  # noqa: PLC0415 - where it is needed

    return not_used(tester, ends, error)


def check_old_passes(tester: Tester[Folder], ends: OldAndNew) -> None:
    """Whether it does; if not, why."""
    rebuild_from_nothing(tester)
    old = ends.old
    _recall_end(tester)
    report = tester.probe(digest(old), old, size(old), ONLY_PASS)
    if report.outcome is PASS or _accept_end(tester, ends, report):
        return
    from wynot.commands.changes.why_old_fails import why_old_fails  # noqa: PLC0415 - where it is needed

    raise why_old_fails(tester, ends, report)


LIKE_OLD = "runs that end like that pass, too"
_OLD_ENDS = "old ends"
"""What the journal calls the end of the old tree's run, where it passes by that."""


def _recall_end(tester: Tester[Folder]) -> None:
    """Let runs pass that end as an earlier process of the same run has seen the old tree end."""
    known = tester.journal.fact(_OLD_ENDS) if tester.journal is not None else None
    if isinstance(known, dict):
        _let_pass(tester, OldEnding(known["exit"], known["said"]))


def _accept_end(tester: Tester[Folder], ends: OldAndNew, report: Report) -> bool:
    """Where the user says what the failure is, and the old tree only ends in another way than by exit 0: accept it."""
    executor, old = tester.executor, ends.old
    if (
        not isinstance(executor, ProgramExecutor)
        or report.outcome is FAIL
        or report.cut
        or report.phase == CONSTRUCTION
    ):
        return False
    command = command_of(executor.oracle)
    if command is None or not command.conditions:
        return False
    from wynot.commands.changes.trial_run import trial_run  # noqa: PLC0415 - where it is needed

    seen = trial_run(executor.oracle, ends.name, old, executor.limits, tester.budget, ())
    tester.counts.add_baseline()
    end = end_of(seen.ended) if seen.ended is not None else None
    if end is None or end.exit == 0 or seen.report.outcome is not report.outcome:
        return False
    said = f": {end.said}" if end.said else ""
    tester.listener(Note(f"{ends.shown[0]} ends with exit {end.exit}{said}; {LIKE_OLD}"))
    _let_pass(tester, end)
    tester.outcomes.overrule(digest(old), replace(seen.report, outcome=PASS, phase="", evidence=""), size(old))
    if tester.journal is not None:
        tester.journal.state(_OLD_ENDS, end._asdict())
    return True


def _let_pass(tester: Tester[Folder], end: OldEnding) -> None:
    executor = tester.executor
    if isinstance(executor, ProgramExecutor):
        oracle = executor.oracle
        if isinstance(oracle, RepeatedOracle):
            executor.examine_with(replace(oracle, inner=EndsAs(oracle.inner, end)))
        else:
            executor.examine_with(EndsAs(oracle, end))


def command_of(oracle: Oracle) -> Command | None:
    """The command that an oracle runs in the end; None for a script."""
    from wynot.oracles.command import Command  # noqa: PLC0415 - not needed for scripts

    inner: object = oracle
    while isinstance(inner, Wrapper):
        inner = inner.inner
    return inner if isinstance(inner, Command) else None


def check_old_still_passes(tester: Tester[Folder], old: Folder, name: str) -> None:
    """See after the search that a failure that comes and goes does not do so in the old tree as well."""
    if unsteady(tester):
        rebuild_from_nothing(tester)
        if independent(tester, old):
            raise NoFailureError(
                f"{name} does not pass the test: it fails, as often as the new one",
                "name an older one that works",
                reason="old fails",
            )
