"""A program on a real terminal, and what is on its screen."""

from __future__ import annotations

import re
import termios
import time
from collections.abc import Callable

import pexpect
import pyte

from tests.support.stage import PATIENT, WYNOT, Stage

_COLOUR = re.compile(r"\x1b\[([0-9;]*)m")


class Terminal:
    """A wynot on a terminal of so many columns, and its screen."""

    def __init__(self, stage: Stage, *args: object, width: int = 100, height: int = 24) -> None:
        words = [*stage.before, *WYNOT, *map(str, args)]
        self.child = pexpect.spawn(
            words[0], words[1:], cwd=str(stage.work), env=stage.env, dimensions=(height, width), encoding="utf-8"
        )
        self.before = termios.tcgetattr(self.child.child_fd)
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.Stream(self.screen)
        self.text = ""
        """All that was written, as it came."""

    @property
    def rows(self) -> list[str]:
        """What is to be seen, without blanks at the ends."""
        return [row.rstrip() for row in self.screen.display]

    @property
    def lines(self) -> list[str]:
        """The rows that are not empty."""
        return [row for row in self.rows if row]

    @property
    def shown(self) -> str:
        """All of it."""
        return "\n".join(self.lines)

    @property
    def hidden(self) -> bool:
        """Whether the cursor is."""
        return bool(self.screen.cursor.hidden)

    @property
    def colours(self) -> set[str]:
        """The colours that were ever asked for."""
        codes = {code for found in _COLOUR.findall(self.text) for code in found.split(";")}
        return {code for code in codes if re.fullmatch(r"[349][0-8]|10[0-7]", code)}

    @property
    def restored(self) -> bool:
        """Whether the terminal is set as it was in the beginning."""
        return termios.tcgetattr(self.child.child_fd) == self.before

    def until(self, true: Callable[[], object], what: str) -> None:
        """Read until it is true."""
        end = time.monotonic() + PATIENT
        while not true():
            assert time.monotonic() < end, f"waited in vain: {what}\n{self.shown}"
            assert self._read(), f"it has ended: {what}\n{self.shown}"

    def until_seen(self, *words: str) -> None:
        """Read until all of these are on the screen."""
        self.until(lambda: all(word in self.shown for word in words), f"to see {words}")

    def end(self) -> int:
        """Read until the end; gives the exit code."""
        until = time.monotonic() + PATIENT
        while self._read():
            assert time.monotonic() < until, f"it does not end\n{self.shown}"
        self.child.wait()
        code = self.child.exitstatus
        assert code is not None, f"signal {self.child.signalstatus}"
        return int(code)

    def press(self, key: str) -> None:
        """Type a key."""
        self.child.send(key)

    def resize(self, width: int, height: int = 24) -> None:
        """Make the terminal another one; what no longer fits is cut, as xterm does."""
        self.child.setwinsize(height, width)
        self.screen.resize(height, width)

    def _read(self) -> bool:
        try:
            text = self.child.read_nonblocking(65536, 0.1)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.text += text
        self._stream.feed(text)
        return True
