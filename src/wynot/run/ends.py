"""The two ends of a search among changes: the new tree fails, and the old one passes."""

from __future__ import annotations

from shlex import quote

from wynot.core.artifact import digest, size
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, ONLY_PASS, PASS
from wynot.errors import NoFailureError
from wynot.run.anew import afresh
from wynot.run.baseline import baseline, shows
from wynot.run.confirm import unsteady
from wynot.run.lab import Lab
from wynot.run.sources import Sources
from wynot.run.weak import independent


def new_fails(lab: Lab[Folder], sources: Sources, shown: tuple[str, str]) -> float:
    """How often; where the old one fails instead, they are the wrong way round."""
    old, new = shown
    try:
        return baseline(lab, sources.new, new).rate
    except NoFailureError:
        if not shows(lab, sources.old):
            raise
        swapped = f"wynot changes {quote(new)} {quote(old)} -- COMMAND"
        raise NoFailureError(
            f"{old} fails and {new} does not: they are the wrong way round",
            f"the one that works comes first: {swapped}",
        ) from None


def old_passes(lab: Lab[Folder], old: Folder, name: str) -> None:
    """Whether it does; if not, what it says instead."""
    afresh(lab)
    report = lab.probe(digest(old), old, size(old), ONLY_PASS)
    if report.outcome is PASS:
        return
    says = "fails, too" if report.outcome is FAIL else f"is unresolved ({report.why})"
    last = report.evidence.strip().splitlines()[-1:] if report.evidence else []
    hint = "name an older one that works" if report.outcome is FAIL else "see that the test runs there"
    raise NoFailureError(": ".join((f"{name} does not pass the test: it {says}", *last)), hint)


def still_passes(lab: Lab[Folder], old: Folder, name: str) -> None:
    """See after the search that a failure that comes and goes does not do so in the old tree as well."""
    if unsteady(lab):
        afresh(lab)
        if independent(lab, old):
            raise NoFailureError(
                f"{name} does not pass the test: it fails, as often as the new one", "name an older one that works"
            )
