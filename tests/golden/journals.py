"""Journals that an earlier version has written, as the SQL that makes them again.

`finished` and `interrupted` are runs of one command. In the SQL, `{folder}` is the folder where they were begun, and
`{run}` the name of the run: a digest of the question, of which the script's path and wynot's version are parts. Users
have such journals, so new versions have to read them: a new form of journals is a new file beside the old one.

    python -m tests.golden.journals finished
    python -m tests.golden.journals interrupted
"""

from __future__ import annotations

import argparse
import json
import signal
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.stage import Stage, eventually, open_stage

JOURNALS = Path(__file__).with_name("journals")
INPUT = "".join(f"line {number}\n" for number in range(12)) + "a bug, a large one\n" + "the end\n" * 3
RESULT = b"bug,l"
WORDS = ("reduce", "in.txt", "--test", "./check")
SOME = 12
"""An interrupted run has at least this many outcomes."""


def posed(stage: Stage) -> Path:
    """Pose the problem; gives the folder of journals."""
    stage.file("in.txt", INPUT)
    stage.logging("check", "grep -q 'bug,.*l' \"$1\"")
    return stage.home / "runs"


def restored(stage: Stage, name: str, run: str) -> Path:
    """Pose the problem, and put a recorded journal in its place, as that of a run with this name."""
    runs = posed(stage)
    runs.mkdir(exist_ok=True)
    script = (JOURNALS / f"{name}.sql").read_text().replace("{folder}", str(stage.work)).replace("{run}", run)
    path = runs / f"{run}.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)
    return path


def name_here(stage: Stage) -> str:
    """The name of the run that the command has here; the stage is as before."""
    runs = posed(stage)
    run: str = stage.here(*WORDS, "--budget-tests", "1", "--json").json["run"]
    for path in (*runs.iterdir(), stage.folder / "log", stage.work / "in.reduced.txt"):
        path.unlink(missing_ok=True)
    return run


def outcomes(path: Path) -> int:
    """How many outcomes a journal has."""
    with closing(sqlite3.connect(path)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'tests'").fetchone():
            return 0
        return int(db.execute("SELECT count(*) FROM tests").fetchone()[0])


def dumped(path: Path, folder: Path) -> str:
    """The SQL that makes a journal, without what is of this machine only."""
    with closing(sqlite3.connect(path)) as db:
        record, baseline = fact(db, "record"), fact(db, "baseline")
        record["versions"]["system"] = "Linux"
        baseline["program"] = {}  # with PYTHONPATH, wynot's own modules
        for name, value in (("record", record), ("baseline", baseline)):
            db.execute("UPDATE facts SET value = ? WHERE name = ?", (json.dumps(value), name))
        script = "".join(f"{line}\n" for line in db.iterdump())
    return script.replace(str(folder), "{folder}").replace(path.stem, "{run}")


def fact(db: sqlite3.Connection, name: str) -> Any:
    """A fact of the journal."""
    return json.loads(db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()[0])


def main() -> None:
    """Record one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=["finished", "interrupted"])
    name = parser.parse_args().name
    with tempfile.TemporaryDirectory() as place, open_stage(Path(place)) as stage:
        runs = posed(stage)
        process = stage.start(*WORDS)
        if name == "interrupted":
            eventually(lambda: any(outcomes(path) >= SOME for path in runs.glob("*.db")), "some tests are done")
            process.send_signal(signal.SIGINT)
        assert stage.ended(process).code == {"finished": 0, "interrupted": 130}[name]
        JOURNALS.mkdir(exist_ok=True)
        (path,) = runs.glob("*.db")
        (JOURNALS / f"{name}.sql").write_text(dumped(path, stage.work))


if __name__ == "__main__":
    main()
