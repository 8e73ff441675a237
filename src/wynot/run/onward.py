"""How to go on with a run that ended early."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from wynot.errors import Ended, Interrupted
from wynot.run.journal import Journal

SHORT = 8
"""So much of a run's name is enough to type."""


@contextmanager
def telling_how(journal: Journal | None, typed: Sequence[str]) -> Iterator[None]:
    """A command that ends early says what to type to go on: that is true with --fresh, too.

    Where there is no command, or nothing could be kept of the run, there is nothing to go on with. Who presses Ctrl-C
    once more, while what was found is put away or processes are ended, is told so, too.
    """
    try:
        yield
    except Ended as early:
        _tell(early, journal, typed)
        raise
    except KeyboardInterrupt as once_more:
        first = _first(once_more) or Interrupted("interrupted")
        _tell(first, journal, typed)
        raise first from None


def _tell(early: Ended, journal: Journal | None, typed: Sequence[str]) -> None:
    if typed and journal is not None and journal.broken is None:
        early.hint = early.hint or f"go on with: wynot runs resume {journal.run[:SHORT]}"


def _first(error: BaseException) -> Ended | None:
    """The end that was under way when Ctrl-C came once more; it carries what was found."""
    before = error.__context__
    while before is not None and not isinstance(before, Ended):
        before = before.__context__
    return before
