"""A few rows at the end of what a terminal shows, written anew again and again; lines above them stay.

Rows are never as wide as the terminal: so none of them wraps, and no terminal has to be asked what it does at its edge.
When a terminal becomes narrower, most of them wrap the rows that no longer fit: going back counts with that. One that
cuts them instead may lose a line or two above.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text

from wynot.report.escape import visible

HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
REST, BELOW = "\x1b[K", "\x1b[J"


class TerminalRows:
    """Draws rows, and erases them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._console = Console(
            file=stream, force_terminal=True, no_color="NO_COLOR" in os.environ, legacy_windows=False
        )
        self._drawn: list[int] = []
        """The widths of the rows that are to be seen."""
        self._last: list[Text] = []

    def size(self) -> tuple[int, int]:
        """Columns and rows of the terminal."""
        try:
            columns, rows = os.get_terminal_size(self._stream.fileno())
        except (OSError, ValueError):
            columns = rows = 0
        return columns or 80, rows or 24

    def draw(self, rows: Sequence[Text]) -> None:
        """Show these rows in place of those that are there."""
        columns, _ = self.size()
        painted = [self._painted(row, columns) for row in rows]
        self._write(self._back(columns) + f"{REST}\r\n".join(painted) + REST + BELOW)
        self._drawn, self._last = [min(row.cell_len, columns - 1) for row in rows], list(rows)

    def say(self, line: str) -> None:
        """Print a line that stays, above the rows."""
        rows = self._last
        shown = "\r\n".join(visible(part.expandtabs()) for part in line.split("\n"))
        self._write(f"{self._back(self.size()[0])}{BELOW}{shown}\r\n")
        self._drawn, self._last = [], []
        if rows:
            self.draw(rows)

    def erase(self) -> None:
        """Leave nothing of the rows."""
        if self._drawn:
            self._write(self._back(self.size()[0]) + BELOW + SHOW)
        self._drawn, self._last = [], []

    def leave(self) -> None:
        """Leave the rows where they are, and begin below them the next time. Safe in a signal handler."""
        with contextlib.suppress(OSError, ValueError):
            os.write(self._stream.fileno(), f"{SHOW}\r\n".encode())
        self._drawn, self._last = [], []

    def _back(self, columns: int) -> str:
        """To the beginning of the first row that was drawn."""
        if not self._drawn:
            return HIDE if not self._last else ""
        up = sum(max(1, -(-width // columns)) for width in self._drawn) - 1
        return f"\r\x1b[{up}A" if up else "\r"

    def _painted(self, row: Text, columns: int) -> str:
        shown = visible(row.plain)
        row = row.copy() if shown == row.plain else Text(shown)
        row.truncate(columns - 1, overflow="ellipsis")
        with self._console.capture() as capture:
            self._console.print(row, end="", soft_wrap=True, highlight=False, markup=False)
        return capture.get()

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text.encode(self._stream.encoding or "ascii", "replace").decode(self._stream.encoding))
            self._stream.flush()
        except OSError:  # the terminal is gone; the run ends for other reasons, or goes on without it
            pass
