"""The command of a run, once more: what to type, and what to run.

`python -m wynot.cli.rerun JOURNAL COMMAND WORDS...` is what `wynot runs resume` starts where the run was. The words are
run as ever; but if what they ask is not what the run of this journal was asked, they are refused, and COMMAND is what
to type.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wynot.errors import UsageError

if TYPE_CHECKING:  # loaded by those who have a run to go on with
    from wynot.engine.record.read import Run


def shown_command(run: Run) -> str:
    """The command, as it is to be typed here."""
    typed, folder = shlex.join(("wynot", *run.argv)), Path(run.facts["cwd"])
    here = folder.is_dir() and folder.samefile(Path.cwd())
    return typed if here else f"cd {shlex.quote(str(folder))} && {typed}"


def words_again(run: Run) -> list[str]:
    """The words of a run's command: a run that was to begin anew has begun, and a trace's day is that of its record."""
    words = without_fresh(run.argv)
    end = words.index("--") if "--" in words else len(words)
    if run.kind == "trace" and not any(word.partition("=")[0] == "--clock" for word in words[:end]):
        words[1:1] = ["--clock", f"{run.begun[:10]}T12:00+00:00"]
    return words


def without_fresh(argv: Sequence[str]) -> list[str]:
    """The words but for `--fresh`, which belongs to us only before `--`.

    >>> without_fresh(["reduce", "--fresh", "a", "--", "prog", "--fresh"])
    ['reduce', 'a', '--', 'prog', '--fresh']
    """
    end = argv.index("--") if "--" in argv else len(argv)
    return [word for place, word in enumerate(argv) if word != "--fresh" or place > end]


def resume_words(run: Run) -> tuple[list[str], Path]:
    """What to run to go on with a run, and where."""
    if not run.argv:
        raise UsageError(
            f"it is not known how run {run.short} was started", "type its command again: it goes on by itself"
        )
    folder = Path(run.facts["cwd"])
    if not folder.is_dir():
        raise UsageError(f"the folder of run {run.short} is gone: {folder}", f"it was: {shown_command(run)}")
    words = [
        sys.executable,
        "-m",
        "wynot.cli.rerun",
        str(run.path.absolute()),
        shown_command(run),
        *words_again(run),
    ]
    return words, folder


def _resume(journal: str, command: str, *words: str) -> None:
    from wynot.__main__ import main  # noqa: PLC0415 - as a process of its own only
    from wynot.engine.record.read import ContinuedRun, read_run  # noqa: PLC0415
    from wynot.engine.run_options import Resumed  # noqa: PLC0415

    sys.argv[:] = ["wynot", *words]
    main(Resumed(ContinuedRun(read_run(Path(journal)), command)))


if __name__ == "__main__":
    _resume(*sys.argv[1:])
