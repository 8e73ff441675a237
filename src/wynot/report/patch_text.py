"""A patch as people read it: no more of it than shows what has changed, and nothing that a terminal would obey."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO
from typing import NamedTuple

from wynot.report.escape import printable
from wynot.report.terminal_output import coloured

LONG = 400
"""Longer lines are cut."""
MANY = 60
"""So many lines of a hunk are shown."""
_STYLES = {"+": "green", "-": "red", " ": "dim", "\\": "dim", "@": "magenta"}
_UNSAID = ("index ", "--- ", "+++ ")


class PatchLine(NamedTuple):
    """A line, and how it looks."""

    text: str
    style: str = ""


def patch_lines(patch: bytes) -> Iterator[PatchLine]:
    """The lines of a patch that tell something."""
    shown, binary = -1, False  # lines of this hunk so far; -1 outside of hunks
    for row in patch.decode("utf-8", "backslashreplace").split("\n"):
        if row.startswith("diff --git "):
            yield from _rest(shown)
            shown, binary = -1, False
            yield PatchLine(_named(row), "bold")
        elif row.startswith("@@ ") and not binary:
            yield from _rest(shown)
            shown = 0
            yield PatchLine(row, _STYLES["@"])
        elif shown >= 0 and row[:1] in _STYLES:
            shown += 1
            if shown <= MANY:
                yield PatchLine(_visible(row), _STYLES[row[0]])
        elif row.startswith("GIT binary patch"):
            binary = True
            yield PatchLine("  (a binary file)", "dim")
        elif row and shown < 0 and not binary and not row.startswith(_UNSAID):
            yield PatchLine(f"  {_visible(row)}")
    yield from _rest(shown)


def _rest(shown: int) -> Iterator[PatchLine]:
    """What is not shown of a long hunk."""
    if shown > MANY:
        yield PatchLine(f"  … {shown - MANY} more lines", "dim")


def _named(row: str) -> str:
    """The path in `diff --git a/path b/path`; both where they differ."""
    both = row.removeprefix("diff --git ")
    half = len(both) // 2
    one, other = both[:half].replace("a/", "", 1), both[half + 1 :].replace("b/", "", 1)
    return one if one == other else both


def _visible(row: str) -> str:
    text = printable(row)
    return text if len(text) <= LONG else f"{text[:LONG]}…"


def painted(lines: Iterable[PatchLine], *, colour: bool) -> str:
    """The lines, with colours or without."""
    if not colour:
        return "\n".join(printable(line.text) for line in lines)
    from rich.console import Console  # noqa: PLC0415 - rich takes a tenth of a second to load
    from rich.text import Text  # noqa: PLC0415

    stream = StringIO()
    console = Console(file=stream, force_terminal=True, soft_wrap=True, highlight=False)
    for line in lines:
        console.print(Text(printable(line.text), line.style), soft_wrap=True)
    return coloured(stream.getvalue().removesuffix("\n"))
