"""What to type so that git takes a patch, from where the user stands.

Within a repository git reads paths from its top, and passes silently over those that are not below the current folder.
"""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote

from wynot.commands.changes.git.repository import Repository
from wynot.engine.files.folder_io import real_path
from wynot.errors import UsageError


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
