"""The two ends of a search among changes: the new tree fails, and the old one passes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING

from wynot.core.artifact import digest, size
from wynot.core.events import Said
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, ONLY_PASS, PASS
from wynot.errors import NoFailureError
from wynot.oracles.ends_as import End, EndsAs, end_of
from wynot.oracles.steady import Steady
from wynot.oracles.words import CONSTRUCTION, Oracle, Report
from wynot.oracles.wrapping import Wrapping
from wynot.run.anew import afresh
from wynot.run.baseline import baseline, heed_passing, shows
from wynot.run.confirm import unsteady
from wynot.run.lab import Lab
from wynot.run.programs import ProgramBench
from wynot.run.weak import independent

if TYPE_CHECKING:  # it runs tests, and is loaded where it is needed
    from wynot.oracles.command import Command


@dataclass(frozen=True, slots=True)
class Ends:
    """The two trees, as the user knows them."""

    old: Folder
    new: Folder
    shown: tuple[str, str]
    command: str = "changes"
    """The command of wynot that compares them."""
    name: str = "tree"
    """What the folder is called that tests get."""

    @property
    def typed(self) -> str:
        """What is typed to compare them."""
        return f"wynot {self.command} {quote(self.shown[0])} {quote(self.shown[1])}"


def new_fails(lab: Lab[Folder], ends: Ends) -> float:
    """How often; where the old one fails instead, they are the wrong way round."""
    old, new = ends.shown
    if heed_passing(lab, ends.old):
        afresh(lab)
    try:
        return baseline(lab, ends.new, new).rate
    except NoFailureError as error:
        if not shows(lab, ends.old):
            raise unused(lab, ends, error) from None
        swapped = f"wynot changes {quote(new)} {quote(old)} -- COMMAND"
        raise NoFailureError(
            f"{old} fails and {new} does not: they are the wrong way round",
            f"the one that works comes first: {swapped}",
            reason="swapped",
        ) from None


def unused(lab: Lab[Folder], ends: Ends, error: NoFailureError) -> NoFailureError:
    """The error for a new tree that does not fail, with the reason if its files are not used at all."""
    from wynot.run.why_old_fails import not_used  # noqa: PLC0415 - where it is needed

    return not_used(lab, ends, error)


def old_passes(lab: Lab[Folder], ends: Ends) -> None:
    """Whether it does; if not, why."""
    afresh(lab)
    old = ends.old
    _recall_end(lab)
    report = lab.probe(digest(old), old, size(old), ONLY_PASS)
    if report.outcome is PASS or _accept_end(lab, ends, report):
        return
    from wynot.run.why_old_fails import why_old_fails  # noqa: PLC0415 - where it is needed

    raise why_old_fails(lab, ends, report)


LIKE_OLD = "runs that end like that pass, too"
_OLD_ENDS = "old ends"
"""What the journal calls the end of the old tree's run, where it passes by that."""


def _recall_end(lab: Lab[Folder]) -> None:
    """Let runs pass that end as an earlier process of the same run has seen the old tree end."""
    known = lab.journal.fact(_OLD_ENDS) if lab.journal is not None else None
    if isinstance(known, dict):
        _let_pass(lab, End(known["exit"], known["said"]))


def _accept_end(lab: Lab[Folder], ends: Ends, report: Report) -> bool:
    """Where the user says what the failure is, and the old tree only ends in another way than by exit 0: accept it."""
    bench, old = lab.bench, ends.old
    if not isinstance(bench, ProgramBench) or report.outcome is FAIL or report.cut or report.phase == CONSTRUCTION:
        return False
    command = command_of(bench.oracle)
    if command is None or not command.conditions:
        return False
    from wynot.run.trial_run import trial_run  # noqa: PLC0415 - where it is needed

    seen = trial_run(bench.oracle, ends.name, old, bench.limits, lab.budget, ())
    lab.counts.baseline += 1
    end = end_of(seen.ended) if seen.ended is not None else None
    if end is None or end.exit == 0 or seen.report.outcome is not report.outcome:
        return False
    said = f": {end.said}" if end.said else ""
    lab.listener(Said(f"{ends.shown[0]} ends with exit {end.exit}{said}; {LIKE_OLD}"))
    _let_pass(lab, end)
    lab.overrule(digest(old), replace(seen.report, outcome=PASS, phase="", evidence=""), size(old))
    if lab.journal is not None:
        lab.journal.state(_OLD_ENDS, end._asdict())
    return True


def _let_pass(lab: Lab[Folder], end: End) -> None:
    bench = lab.bench
    if isinstance(bench, ProgramBench):
        oracle = bench.oracle
        if isinstance(oracle, Steady):
            bench.oracle = replace(oracle, inner=EndsAs(oracle.inner, end))
        else:
            bench.oracle = EndsAs(oracle, end)


def command_of(oracle: Oracle) -> Command | None:
    """The command that an oracle runs in the end; None for a script."""
    from wynot.oracles.command import Command  # noqa: PLC0415 - not needed for scripts

    inner: object = oracle
    while isinstance(inner, Wrapping):
        inner = inner.inner
    return inner if isinstance(inner, Command) else None


def still_passes(lab: Lab[Folder], old: Folder, name: str) -> None:
    """See after the search that a failure that comes and goes does not do so in the old tree as well."""
    if unsteady(lab):
        afresh(lab)
        if independent(lab, old):
            raise NoFailureError(
                f"{name} does not pass the test: it fails, as often as the new one",
                "name an older one that works",
                reason="old fails",
            )
