"""A terminal small enough to read: what is on the screen after a program has written to it."""

from __future__ import annotations

import re

_PIECE = re.compile(r"\x1b\[(?P<args>[0-9;?]*)(?P<final>[A-Za-z])|(?P<text>[^\x1b])", re.DOTALL)


class Screen:
    """Lines of a fixed width; the cursor; what moves it and what erases."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.rows: list[list[str]] = [[]]
        self.row = self.column = 0
        self.hidden = False
        self.colours: set[str] = set()

    def feed(self, text: str) -> Screen:
        """Show what was written."""
        end = 0
        for match in _PIECE.finditer(text):
            assert match.start() == end, f"not understood: {text[end : match.start()]!r}"
            end = match.end()
            if match["text"]:
                self._put(match["text"])
            else:
                self._control(match["final"], match["args"])
        return self

    def _put(self, char: str) -> None:
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self._down()
        else:
            if self.column >= self.width:  # the line is full: it goes on in the next one
                self._down()
                self.column = 0
            line = self.rows[self.row]
            line.extend(" " * (self.column + 1 - len(line)))
            line[self.column] = char
            self.column += 1

    def _down(self) -> None:
        self.row += 1
        if self.row == len(self.rows):
            self.rows.append([])

    def _control(self, final: str, args: str) -> None:
        match final:
            case "A":
                self.row = max(0, self.row - int(args or 1))
            case "K":
                assert args == "2", "only whole lines are erased"
                self.rows[self.row] = []
            case "h" | "l":
                assert args == "?25", "only the cursor is shown and hidden"
                self.hidden = final == "l"
            case "m":
                self.colours |= {code for code in args.split(";") if re.fullmatch(r"[349][0-8]", code)}
            case _:
                raise AssertionError(f"not understood: {args}{final}")

    @property
    def lines(self) -> list[str]:
        """What is to be seen, without blanks at the ends."""
        return [line for row in self.rows if (line := "".join(row).rstrip())]
