"""`wynot runs`: which runs there are; go on with one, delete some."""

from __future__ import annotations

import json
import os
import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import NoReturn

import click

from wynot.cli.commands import completion
from wynot.cli.rerun import resume_words
from wynot.cli.run_command import exit_on_errors, fail
from wynot.core.text import counted
from wynot.engine.record.read import Run, all_runs, delete_run, find_run, stdin_of
from wynot.errors import UsageError
from wynot.report.escape import show, show_json
from wynot.report.run_table import run_table_json, run_table_text

_EPILOG = """\b
Examples:
  wynot runs                          # all runs, the latest first
  wynot runs resume last              # continue the latest run
  wynot runs delete 3f2a 91c0
  wynot runs delete --older-than 30d

\b
RUN is the name of a run or a unique beginning of it, `last`, or the path of
its journal. Journals are in WYNOT_HOME, or in the user's cache folder.
"""
_AGE = re.compile(r"(\d+)\s*([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}


@click.group("runs", short_help="List, resume or delete runs", invoke_without_command=True, epilog=_EPILOG)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.pass_context
def runs_command(context: click.Context, *, as_json: bool) -> None:
    """List the runs that there are: when, what, how they ended, how large their journals are."""
    if context.invoked_subcommand is None:
        with exit_on_errors():
            runs = all_runs()
            if as_json:
                show_json(run_table_json(runs))
            else:
                show(run_table_text(runs))


@runs_command.command("resume", epilog=_EPILOG)
@click.argument("run", shell_complete=completion.runs)
def resume_command(run: str) -> None:
    """Run the command of RUN again, where it was run: what it has found out is known.

    If its input, its test or its program has changed since, it would be another run: that is refused.
    """
    with exit_on_errors():
        found = find_run(run)
        words, folder = resume_words(found)
        _become(words, folder, stdin_of(found))


def _become(words: list[str], folder: Path, stdin: bytes) -> NoReturn:
    """Let the command take our place: Ctrl-C and other signals are its own, and so is the terminal."""
    if stdin:
        with TemporaryFile() as file:
            file.write(stdin)
            file.seek(0)
            os.dup2(file.fileno(), 0)
    os.chdir(folder)
    sys.stdout.flush()
    os.execv(words[0], words)  # noqa: S606 - no shell is needed


@runs_command.command("delete", epilog=_EPILOG)
@click.argument("runs", nargs=-1, shell_complete=completion.runs)
@click.option("--all", "every", is_flag=True, help="All of them.")
@click.option("--older-than", metavar="AGE", help="Those that nobody has used for so long: 12h, 30d, 8w.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of words.")
def delete_command(runs: tuple[str, ...], *, every: bool, older_than: str | None, as_json: bool) -> None:
    """Delete the journals of runs, records and all. Results that were written stay."""
    with exit_on_errors():
        if sum((bool(runs), every, older_than is not None)) != 1:
            raise UsageError("which runs are to be deleted?", "name them, or: --all, --older-than 30d")
        limit = _limit(older_than) if older_than is not None else None
        chosen = list({run.id: run for run in map(find_run, runs)}.values()) if runs else _chosen(limit)
        freed, kept = 0, []
        for run in chosen:
            try:
                delete_run(run)
                freed += run.size
            except UsageError as error:
                kept.append(error)
        gone = len(chosen) - len(kept)
        deleted = {"deleted": gone, "bytes": freed}
        if as_json or gone or not (kept and runs):
            show(json.dumps(deleted) if as_json else f"{counted(gone, 'run')} deleted, {freed / 1e6:.1f} MB")
        if kept and runs:
            fail(kept[0])


def _chosen(limit: str | None) -> list[Run]:
    return [run for run in all_runs() if limit is None or max(run.changed, run.begun) < limit]


def _limit(age: str) -> str:
    match = _AGE.fullmatch(age)
    if match is None:
        raise UsageError(f"--older-than {age}: no age", "for example: --older-than 30d, 12h or 8w")
    then = datetime.now(UTC) - timedelta(hours=int(match[1]) * _HOURS[match[2]])
    return then.isoformat(timespec="seconds")
