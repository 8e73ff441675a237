"""What to type to see the failure of a run."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

from wynot.engine.record.read import Run
from wynot.report.patch_hint import git_apply_command, prefix


def repro_command(run: Run, view: dict[str, Any]) -> str:
    """What can be typed in the folder of the run; nothing where what it would need is not known."""
    command = str(run.facts.get("by_hand") or "")
    match run.kind:
        case "changes":
            return _with_patch(run, view, command)
        case "bisect":
            return _at_commit(run, view, command)
        case "options":
            causes = view.get("causes", [])
            return str(causes[0].get("typed", "")) if causes and not view.get("preventing") else ""
    return command


def _with_patch(run: Run, view: dict[str, Any], command: str) -> str:
    """The old one, in a place of its own, with the changes that break it."""
    old, patch = view.get("old"), run.facts.get("output")
    if not old or not patch or "breaks" not in view:
        return ""
    name, here = str(run.facts["name"]), Path(run.facts["cwd"])
    new = here / str(run.facts.get("shown", ""))
    if not (here / old).is_dir() and new.is_dir() and prefix(new) != Path():
        return ""  # only a part of the revision was tested
    copied = f"cp -r {quote(old)} {quote(name)}" if (here / old).is_dir() else _checked_out(name, old)
    return "\n".join((copied, git_apply_command(patch, Path(name), here), command))


def _at_commit(run: Run, view: dict[str, Any], command: str) -> str:
    """The first revision that fails."""
    suspects = view.get("suspects", [])
    name = str(run.facts["name"])
    return f"{_checked_out(name, suspects[-1]['sha'][:12])}\n{command}" if suspects else ""


def _checked_out(name: str, revision: str) -> str:
    return f"git worktree add --detach {quote(name)} {quote(revision)}"
