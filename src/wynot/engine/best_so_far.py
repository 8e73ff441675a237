"""The simplest failing artifact so far, and where it is kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from wynot.core.artifact import AnyContent, Content, size
from wynot.core.outcome import FAIL
from wynot.core.run_events import Improved, Listener

if TYPE_CHECKING:
    from wynot.engine.baseline.result_checks import Claim
    from wynot.engine.session import Session

Kept_contra = TypeVar("Kept_contra", bound=Content, contravariant=True)


class Keeper(Protocol[Kept_contra]):
    """Whoever keeps the best so far where it is not lost."""

    def offer(self, data: Kept_contra) -> None:
        """Keep it, unless that was done a moment ago."""
        ...

    def put(self, data: Kept_contra) -> None:
        """Keep it now."""
        ...

    def withdraw(self) -> None:
        """Keep nothing: there is no result."""
        ...


class BestSoFar(Generic[AnyContent]):
    """The simplest failing artifact so far."""

    def __init__(self, content: AnyContent, keeper: Keeper[AnyContent], listener: Listener) -> None:
        self.content, self.keeper, self.listener = content, keeper, listener
        self.trail: list[Callable[[], AnyContent]] = []
        """What was best in this search so far, where the failure shows only sometimes."""
        self.watch: Callable[[AnyContent], None] | None = None
        """Is given each simpler one."""

    def look_again(self, session: Session) -> None:
        """The search ended early: what it found since the last second look gets one now."""
        if self.trail:
            from wynot.engine.baseline.result_checks import last_confirmed  # noqa: PLC0415 - where failures show only sometimes

            self.keeper.put(self.content)  # whatever comes
            self.content = self.trail[last_confirmed(session, [partial(_claim, step) for step in self.trail])]()

    def improve(self, content: AnyContent) -> None:
        """A simpler one."""
        self.content = content
        if self.watch is not None:
            self.watch(content)
        self.keeper.offer(content)
        self.listener(Improved(size(content), lambda: content))


def _claim(candidate: Callable[[], Content]) -> list[Claim]:
    return [(candidate(), FAIL)]
