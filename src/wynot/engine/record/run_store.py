"""The runs that there are: found, deleted, and given their summaries."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from wynot.core.shell_quote import pasted
from wynot.engine.journal import held, runs_folder
from wynot.engine.record.read import SUFFIXES, Run, read_run
from wynot.errors import UsageError


def all_runs(folder: Path | None = None) -> list[Run]:
    """All runs, the latest first."""
    found = [read_run(path) for path in journals(folder or runs_folder())]
    return sorted(found, key=lambda run: (run.begun, run.facts.get("begun_at", 0.0), run.id), reverse=True)


def journals(folder: Path, beginning: str = "") -> list[Path]:
    """The journals in a folder; whatever else has such a name is none."""
    return sorted(path for path in folder.glob(f"{beginning}*.db") if path.is_file())


def siblings(run: Run) -> list[Run]:
    """The runs that the same command made, this one among them, in order."""
    process = run.facts.get("process")
    if process is None:
        return [run]
    found = [each for each in all_runs(run.path.parent) if each.facts.get("process") == process]
    return sorted(found, key=lambda each: int(each.facts.get("part", 0))) or [run]


def find_run(word: str) -> Run:
    """A run by its id, the beginning of it, the path of its journal, or `last`."""
    path = Path(word)
    if path.suffix == ".db" and path.is_file():
        return read_run(path)
    if word == "last":
        runs = all_runs()
        if not runs:
            raise UsageError("there is no run yet", "begin one: wynot reduce --help")
        parts = [run for run in runs if run.facts.get("process", run.id) == runs[0].facts.get("process")]
        return next((run for run in parts if run.kind == "bisect"), runs[0])
    found = journals(runs_folder(), word) if word.isalnum() else []
    if not found:
        raise UsageError(f"there is no run {word}", "see which there are: wynot runs")
    if len(found) > 1:
        names = ", ".join(each.stem for each in found[:5])
        raise UsageError(f"{word} is the beginning of {len(found)} runs: {names}", "give more of it; see: wynot runs")
    return read_run(found[0])


def delete_run(run: Run) -> None:
    """Remove all that there is of a run; one that is under way stays."""
    if held(run.path.with_suffix(".lock")):  # whatever the record says: it is begun after the journal is opened
        raise UsageError(f"run {run.short} is under way", "wait for its end, or press Ctrl-C where it runs")
    try:
        for suffix in SUFFIXES:
            run.path.with_suffix(suffix).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot delete {run.path}: {error.strerror}", f"see who may: ls -ld {pasted(run.path.parent)}"
        ) from None


def keep_summary(run: str, summary: dict[str, Any]) -> None:
    """Keep what `--json` prints; a run without it is a run all the same."""
    path = runs_folder() / f"{run}.db"
    if path.is_file():
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous=NORMAL")  # as in the journal itself
                known = db.execute("SELECT 1 FROM facts WHERE name = 'summary'").fetchone()
                if not known or summary.get("tests") or summary.get("status") != "done":  # not all from memory
                    db.execute("INSERT OR REPLACE INTO facts VALUES ('summary', ?)", (json.dumps(summary),))
        except sqlite3.Error:
            return
