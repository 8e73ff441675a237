"""What the user wishes while tests run, done: to stop, to skip a pass. A pause is for whoever begins tests to make."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wynot.core.controls import Controls, Request
from wynot.errors import Stopped


class PassSkipped(Exception):  # noqa: N818 - a way out, not an error
    """The user does not wait for this pass; only raised where whoever runs it is prepared for that."""


class UserRequests:
    """Asks the user, and does what is wished for."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._skippable = False

    @contextmanager
    def skippable(self) -> Iterator[None]:
        """What is done in here may raise Skipped."""
        self._skippable = True
        try:
            yield
        finally:
            self._skippable = False

    def heed(self, wait: float = 0.0) -> Request:
        """Ask, and do what is wished for; a pause is only told."""
        wish = self._controls.wish(wait)
        if wish is Request.STOP:
            raise Stopped("stopped: this is the best so far")
        if wish is Request.SKIP and self._skippable:
            raise PassSkipped
        return wish
