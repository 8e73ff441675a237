"""What has to be done, but not before the next test has begun: no worker should wait for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable


class Errands:
    """Done in order, and all of them at the latest when the search ends, however it does."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def add(self, errand: Callable[[], None]) -> None:
        """Do this, too, when there is time."""
        self._waiting.append(errand)

    def run(self) -> None:
        """There is time now. What is interrupted is done again."""
        while self._waiting:
            self._waiting[0]()
            self._waiting.popleft()
