"""Two inputs as a coloured difference in context."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rich.text import Text

from wynot.domains.syntax.incremental_validity import differing
from wynot.report.escape import coloured, visible

CONTEXT = 3
WIDTH = 160
"""Longer lines are shown around what differs in them."""
MOST = 20
"""Lines shown of one side."""
STRETCH = 1000
"""Characters shown of what differs in a line."""


def show_difference(passing: bytes, failing: bytes, *, colour: bool) -> str:
    """The lines that differ, what differs in them marked, and some lines around."""
    old, new = (_lines(side) for side in (passing, failing))
    head, stop, new_stop = differing(old, new)
    text = Text()
    for line in old[max(0, head - CONTEXT) : head]:
        text.append(f"  {_short(line)}\n", "dim")
    _changed(text, old[head:stop], new[head:new_stop])
    for line in old[stop : stop + CONTEXT]:
        text.append(f"  {_short(line)}\n", "dim")
    stream = StringIO()
    console = Console(file=stream, force_terminal=colour, no_color=not colour, width=WIDTH + 8, soft_wrap=True)
    console.print(text, end="")
    return coloured(stream.getvalue())


def _lines(data: bytes) -> list[str]:
    """The lines of a text, not yet fit for a terminal: few of many are shown."""
    *lines, last = data.decode("utf-8", "surrogateescape").split("\n")
    return [*lines, f"{last} (no line end)"] if last else lines


def _changed(text: Text, old: list[str], new: list[str]) -> None:
    """The lines in between: side by side where there are as many, else all of one side, then all of the other."""
    if len(old) != len(new):
        for sign, lines, style in (("-", old, "red"), ("+", new, "green")):
            for line in lines[:MOST]:
                text.append(f"{sign} {_short(line)}\n", style)
            if len(lines) > MOST:
                text.append(f"{sign} … {len(lines) - MOST} more lines\n", style)
        return
    for before, after in zip(old[:MOST], new[:MOST], strict=True):
        if before == after:
            text.append(f"  {_short(before)}\n", "dim")
            continue
        start, *stops = differing(before, after)
        for sign, line, style, stop in (("-", before, "red", stops[0]), ("+", after, "green", stops[1])):
            head, changed, tail = _parts(line, start, stop)
            text.append(f"{sign} {head}", style)
            text.append(changed, f"bold reverse {style}")
            text.append(f"{tail}\n", style)
    if len(old) > MOST:
        text.append(f"  … {len(old) - MOST} more lines\n", "dim")


def _short(line: str) -> str:
    """A line as it is shown: the head of a long one."""
    return "".join(_parts(line, 0, 0))


def _parts(line: str, start: int, stop: int) -> tuple[str, str, str]:
    """What a line has before, in and after a stretch, as it is shown: of a long line what is around the stretch."""
    begin = max(0, min(start - WIDTH // 3, len(line) - WIDTH)) if len(line) > WIDTH else 0
    end = min(len(line), max(begin + WIDTH, stop + WIDTH // 3))
    changed = visible(line[start : min(stop, start + STRETCH)])
    if stop - start > STRETCH:
        changed += f"… {stop - start - STRETCH} more characters …"
    before, after = "…" if begin else "", "…" if end < len(line) else ""
    return before + visible(line[begin:start]), changed, visible(line[stop:end]) + after
