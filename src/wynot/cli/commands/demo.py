"""`wynot demo`: three real failures, explained on the spot. Runs what it shows, as a user would type it."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from shlex import join
from typing import NamedTuple

import click

from wynot.cli.run_command import exit_on_errors
from wynot.errors import Interrupted, Stopped, UsageError, WynotError
from wynot.report.escape import show

_EPILOG = """\b
Examples:
  wynot demo               # takes less than a minute
  wynot demo --keep try    # keep the files in the new folder `try`
"""
PYTHON = "python3"


class DemoStep(NamedTuple):
    """Something to see."""

    why: str
    command: tuple[str, ...]
    """The words after `wynot`."""
    after: Callable[[Path], str]
    """What the result says."""
    needs: str = ""
    """A program that has to be there."""


def _left(folder: Path) -> str:
    return f"All that is left, with the tab made visible: {(folder / 'small.json').read_text()!a}"


STEPS = (
    DemoStep(
        "1. reduce. Python's own JSON reader refuses settings.json, 255 lines.\n"
        "   How little of it is enough for the same failure?",
        ("reduce", "settings.json", "-o", "small.json", "--", PYTHON, "-m", "json.tool", "{}"),
        _left,
    ),
    DemoStep(
        "2. isolate. Yesterday's file was fine, and much has been changed in it since.\n"
        "   Which difference decides between passing and failing?",
        ("isolate", "settings.json", "--passing", "settings.yesterday.json", "-o", "pair",
         "--", PYTHON, "-m", "json.tool", "{}"),
        lambda _folder: "Of all that was changed, one character matters: a tab inside a string.",
    ),
    DemoStep(
        "3. changes. The shop's test passed yesterday, and fails today: the code was changed.\n"
        "   Which changes break it, and which must be reverted?",
        ("changes", "shop/yesterday", "shop/today", "--", PYTHON, "test_bill.py"),
        lambda _folder: "The new pot and the wider bill may stay: repair.patch reverts the rebate only.",
        "git",
    ),
)  # fmt: skip


@click.command("demo", short_help="Show three examples in 60 seconds", epilog=_EPILOG)
@click.option("--keep", metavar="DIR", help="Where the files go, a new folder [a temporary one, which is named].")
def demo_command(keep: str | None) -> None:
    """Show reduce, isolate and changes on small examples: 60 seconds, no compiler needed."""
    with exit_on_errors():
        folder = _folder(keep)
        _copy(folder)
        show(f"$ cd {folder}")
        for step in STEPS:
            _show(step, folder)
        show(f"\nThe files are in {folder}; wynot reduce --help tells how to do it with yours.")


def _folder(keep: str | None) -> Path:
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="wynot-demo-"))
    folder = Path(keep)
    if folder.exists():
        raise UsageError(f"{folder} exists", f"name a new folder: --keep {folder}.2")
    folder.mkdir(parents=True)
    return folder


def _copy(folder: Path) -> None:
    """Lay out the examples. Programs are kept under other names in the package: they are none of its modules."""
    with as_file(files("wynot") / "demo") as examples:
        shutil.copytree(examples, folder, dirs_exist_ok=True)
    for path in folder.rglob("*.txt"):
        path.rename(path.with_suffix(""))


def _show(step: DemoStep, folder: Path) -> None:
    """Say why, run it, say what it means."""
    show(f"\n{step.why}")
    if step.needs and shutil.which(step.needs) is None:
        show(f"   (not shown: {step.needs} is not installed)")
        return
    words = [_python() if word == PYTHON else word for word in step.command]
    typed = join(words).replace("'{}'", "{}")
    show(f"$ wynot {typed}")
    code = _run([words[0], "--fresh", *words[1:]], folder)  # each demo finds it out anew, as the first one did
    if code in {Interrupted.exit_code, -signal.SIGINT}:
        raise Interrupted("interrupted", f"the files are in {folder}")
    if code not in {0, Stopped.exit_code}:
        raise WynotError(f"wynot {step.command[0]} ended with {code}", f"the files are in {folder}")
    show(step.after(folder) if code == 0 else "On with the next one.")


def _run(words: list[str], folder: Path) -> int:
    """Run a wynot to its end. The terminal tells both of Ctrl-C: the one that has something to keep decides."""
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        with subprocess.Popen([sys.executable, "-m", "wynot", *words], cwd=folder) as child:
            try:
                return child.wait()
            except KeyboardInterrupt:  # what ends us ends it
                child.terminate()
                raise
    finally:
        signal.signal(signal.SIGINT, before)


def _python() -> str:
    """What people type, if there is such a thing."""
    return PYTHON if shutil.which(PYTHON) is not None else sys.executable
