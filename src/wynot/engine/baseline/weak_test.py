"""Tests that are too weak: the failure shows with nothing of the input at all, so the input does not tell why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic

from wynot.core.artifact import AnyContent, digest, size
from wynot.core.outcome import FAIL
from wynot.core.run_events import Caution
from wynot.engine.baseline.confirm_result import confirmed, seen_again
from wynot.engine.tester import NOTHING_TO_DO, Tester
from wynot.oracles.failure.missing_dependency import missing_dependency

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
