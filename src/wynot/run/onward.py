"""How to go on with a run that ended early."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from wynot.errors import Ended
from wynot.run.journal import Journal

SHORT = 8
"""So much of a run's name is enough to type."""


@contextmanager
def telling_how(journal: Journal | None, typed: Sequence[str]) -> Iterator[None]:
    """A command that ends early says what to type to go on: that is true with --fresh, too.

    Where there is no command, or nothing could be kept of the run, there is nothing to go on with.
    """
    try:
        yield
    except Ended as early:
        if typed and journal is not None and journal.broken is None:
            early.hint = early.hint or f"go on with: wynot runs resume {journal.run[:SHORT]}"
        raise
