"""Two inputs as a coloured difference in context."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from rich.console import Console
from rich.text import Text

_VISIBLE = {code: f"\\x{code:02x}" for code in (*range(32), 127)} | {9: "\\t", 13: "\\r"}
CONTEXT = 3
WIDTH = 160
"""Longer lines are shown around what differs in them."""
MOST = 20
"""Lines shown of one side."""


def show_difference(passing: bytes, failing: bytes, *, colour: bool) -> str:
    """The lines that differ, what differs in them marked, and some lines around."""
    old, new = (_lines(side) for side in (passing, failing))
    head, tail = _shared(old, new)
    text = Text()
    for line in old[max(0, head - CONTEXT) : head]:
        text.append(f"  {_short(line, 0, 0)[0]}\n", "dim")
    _changed(text, old[head : len(old) - tail], new[head : len(new) - tail])
    for line in old[len(old) - tail :][:CONTEXT]:
        text.append(f"  {_short(line, 0, 0)[0]}\n", "dim")
    stream = StringIO()
    console = Console(file=stream, force_terminal=colour, no_color=not colour, width=WIDTH + 8, soft_wrap=True)
    console.print(text, end="")
    return stream.getvalue()


def _lines(data: bytes) -> list[str]:
    """The lines of a text, with what cannot be seen written out."""
    *lines, last = (line.translate(_VISIBLE) for line in data.decode("utf-8", "backslashreplace").split("\n"))
    return [*lines, f"{last} (no line end)"] if last else lines


def _changed(text: Text, old: list[str], new: list[str]) -> None:
    """The lines in between: side by side where there are as many, else all of one side, then all of the other."""
    if len(old) != len(new):
        for sign, lines, style in (("-", old, "red"), ("+", new, "green")):
            for line in lines[:MOST]:
                text.append(f"{sign} {_short(line, 0, 0)[0]}\n", style)
            if len(lines) > MOST:
                text.append(f"{sign} … {len(lines) - MOST} more lines\n", style)
        return
    for before, after in zip(old, new, strict=True):
        if before == after:
            text.append(f"  {_short(before, 0, 0)[0]}\n", "dim")
            continue
        start, rest = _shared(before, after)
        for sign, line, style in (("-", before, "red"), ("+", after, "green")):
            stop = len(line) - rest
            shown, at = _short(line, start, stop)
            text.append(f"{sign} ", style)
            text.append(shown[:at], style)
            text.append(shown[at : at + stop - start], f"bold reverse {style}")
            text.append(shown[at + stop - start :] + "\n", style)


def _shared(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How much two rows share at their heads, and at their tails."""
    most = min(len(before), len(after))
    head = next((i for i in range(most) if before[i] != after[i]), most)
    most -= head
    tail = next((i for i in range(most) if before[-1 - i] != after[-1 - i]), most)
    return head, tail


def _short(line: str, start: int, stop: int) -> tuple[str, int]:
    """A long line cut down to what is around start..stop; and where that now is."""
    if len(line) <= WIDTH:
        return line, start
    begin = max(0, min(start - WIDTH // 3, len(line) - WIDTH))
    end = max(begin + WIDTH, stop + WIDTH // 3)
    before, after = "…" if begin else "", "…" if end < len(line) else ""
    return f"{before}{line[begin:end]}{after}", start - begin + len(before)
