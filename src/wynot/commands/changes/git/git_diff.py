"""git's diff engine, run on just those files that differ, in a private folder where no setting of the user's counts."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from wynot.core.folder import Folder
from wynot.domains.changes.diff_folders import differing
from wynot.domains.changes.file_renames import to_compare
from wynot.domains.text.sequence_diff import PLAIN
from wynot.errors import UsageError

_OPTIONS = (
    *PLAIN,
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--no-indent-heuristic",  # hunks where `diff` has them, so that headers are those that people know
    "--diff-filter=MR",
    "--src-prefix=",
    "--dst-prefix=",
)
_FINE = {0, 1}


def quiet_env(home: str) -> dict[str, str]:
    """An environment in which git knows nothing of the user's settings, and of no repository."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {
        "HOME": home,
        "XDG_CONFIG_HOME": home,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(Path(home).parent),
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def git_diff(old: Folder, new: Folder, *, alike: int = 90) -> bytes:
    """What git says of the files that differ, named by their numbers (see `domains/changes/between`).

    A file that is gone and a new one that have at least `alike` percent in common are one that was renamed; above 100,
    none is, unless nothing else has changed.
    """
    before, after = to_compare(old, new, differing(old, new))
    if not before and not after:
        return b""
    with tempfile.TemporaryDirectory(prefix="wynot-diff-") as home:
        for side, files in (("old", before), ("new", after)):
            Path(home, side).mkdir()
            for number, data in files.items():
                Path(home, side, str(number)).write_bytes(data)
        renames = f"--find-renames={alike}%" if alike <= 100 else "--no-renames"
        return run_git(["diff", *_OPTIONS, renames, "old", "new"], home, fine=_FINE)


def run_git(arguments: list[str], home: str, *, fine: set[int] | None = None) -> bytes:
    """What git prints, run in a private folder."""
    try:
        done = subprocess.run(["git", *arguments], cwd=home, env=quiet_env(home), capture_output=True, check=False)  # noqa: S607
    except FileNotFoundError:
        raise UsageError("git is not installed, and its diff engine is needed", "install it: apt install git") from None
    if done.returncode not in (fine or {0}):
        raise UsageError(f"git failed: {done.stderr.decode(errors='replace').strip()}", "see: git --version")
    return done.stdout
