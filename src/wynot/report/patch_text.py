"""Patches as text, and how to apply them with git."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from wynot.commands.changes.repository import Repository
from wynot.engine.files.folder_io import real_path
from wynot.errors import UsageError
from wynot.report.escape import coloured, printable

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


# What to type so that git takes a patch, from where the user stands.
#
# Within a repository git reads paths from its top, and passes silently over those that are not below the current
# folder.


def git_apply_command(path: str, tree: Path, here: Path | None = None) -> str:
    """The command that applies a patch of `tree` to it."""
    here = real_path(here or Path.cwd())
    place = real_path(here / tree)
    if place.is_relative_to(here):
        return f"git apply {_directory(prefix(here) / place.relative_to(here))}{quote(path)}"
    patch = quote(str(here / path))
    return f"(cd {quote(str(tree))} && git apply {_directory(prefix(place))}{patch})"


def patched_tree(tree: str, other: str, repository: Repository | None) -> Path:
    """What the paths in a patch of a tree start from: a folder, or, of a revision, what it was compared with."""
    if Path(tree).is_dir():
        return Path(tree)
    top = repository.ask("rev-parse", "--show-toplevel") if repository is not None else None
    root = Path(os.fsdecode(top.rstrip(b"\n"))) if top else None
    if Path(other).is_dir() and (root is None or real_path(Path(other)).is_relative_to(real_path(root))):
        return Path(other)
    return Path(os.path.relpath(root)) if root is not None else Path()


def _directory(place: Path) -> str:
    return f"--directory={quote(place.as_posix())} " if place != Path() else ""


def prefix(folder: Path) -> Path:
    """Where in its repository a folder is; at the top, if it is in none."""
    try:
        found = Repository(folder).ask("rev-parse", "--show-prefix")
    except (UsageError, OSError):
        return Path()
    return Path(os.fsdecode((found or b"").rstrip(b"\n")))
