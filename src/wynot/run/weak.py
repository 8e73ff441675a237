"""Tests that are too weak: the failure shows with nothing of the input at all, so the input does not tell why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic

from wynot.core.artifact import AnyContent, digest, size
from wynot.core.events import Warned
from wynot.core.outcome import FAIL
from wynot.run.confirm import confirmed, seen_again
from wynot.run.lab import NOTHING_TO_DO, Lab

DEPENDS = "depends"
"""The fact that nothing at all fails less often than the input."""


class Weak(Generic[AnyContent]):
    """Looks at what is left if all is left out that can be, before a search and after it."""

    def __init__(
        self, lab: Lab[AnyContent], nothing: AnyContent, named: str, rest: str, other: Callable[[], bool] | None = None
    ) -> None:
        """`named`: what to call that when speaking of it, and the `rest`.

        `other`: says of nothing at all that it fails, but with other values than the input.
        """
        self._lab, self._nothing, self._named, self._rest = lab, nothing, named, rest
        self._other = other

    def shows(self, meanwhile: Iterator[None] = NOTHING_TO_DO) -> bool:
        """Whether the failure shows without the rest, too: then there is nothing to search for."""
        lab, nothing = self._lab, self._nothing
        report = lab.probe(digest(nothing), nothing, size(nothing), meanwhile=meanwhile)
        if report.outcome is not FAIL or (self._other is not None and self._other()):
            return False
        return confirmed(lab, nothing) and self._told("too")

    def shows_after_all(self) -> bool:
        """Whether a failure that shows only sometimes does so without the rest, when that is looked at again."""
        return independent(self._lab, self._nothing) and self._told("as often as the input")

    def _told(self, how: str) -> bool:
        depends = f"the test is too weak, it does not depend on {self._rest}"
        if size(self._nothing):  # protected text: it may be what causes the failure
            depends = "what stands between the marks is not needed, or the test is too weak"
        self._lab.listener(Warned(f"{self._named} fails, {how}: {depends}"))
        return True


def independent(lab: Lab[AnyContent], nothing: AnyContent) -> bool:
    """Whether a failure that shows only sometimes does so with nothing of the input, when that is looked at again.

    Then it is chance alone what a search among the parts of the input finds. One look before the search is not enough:
    it may be wrong once in twenty times.
    """
    if lab.journal is not None and lab.journal.fact(DEPENDS):
        return False
    report = seen_again(lab, nothing)
    if report is None:
        return False
    if report.outcome is FAIL and confirmed(lab, nothing):
        return True
    if lab.journal is not None:
        lab.journal.state(DEPENDS, value=True)
    return False
