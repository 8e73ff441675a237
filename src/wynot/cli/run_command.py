"""Run a command: its live progress, errors as lines, exit codes."""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

import click

from wynot.cli.common_options import BEGUN, CommonOptions, run_mode
from wynot.core.text import pasted
from wynot.engine.budget import Budget, budget_alarm
from wynot.engine.files.file_states import changed_by_killed
from wynot.engine.run_options import Verifying
from wynot.errors import TOO_EARLY, BudgetEnded, Ended, Interrupted, NoFailureError, PlaceError, UsageError, WynotError
from wynot.report.escape import show
from wynot.report.live.progress import Progress, RunInfo


def live_progress(given: CommonOptions, title: str, size: int, **more: Any) -> Progress:
    """The progress of a command; `title` says what it does to what."""
    about = RunInfo(f"wynot {title}", budget_tests=given.budget_tests, budget_time=given.budget_time, **more)
    return Progress(size, about, quiet=given.quiet)


# How commands tell of errors and ends: one clear line, what to type next, and an exit code.


MORE_TIME = "give it more time: --budget-time 1h"

Result = TypeVar("Result")


def fail(error: WynotError) -> NoReturn:
    """One clear line, what to type next, and the exit code."""
    line = str(error).replace("\n", "\\n")  # names of files may have anything in them
    show(f"wynot: {line}", err=True)
    for said in error.evidence if isinstance(error, NoFailureError) else ():
        show(f"  | {said}", err=True)
    if error.hint:
        show(f"  {error.hint}", err=True)
    raise SystemExit(error.exit_code)


def best_found(
    kind: type[Result] | Callable[[], type[Result]], search: Callable[[], Result]
) -> tuple[Result, Ended | None]:  # fmt: skip
    """What a search finds; where it ends early the best so far, and how it ended.

    `kind`: what the result is, or what loads that: it need not be known before there is one.
    """
    try:
        return search(), None
    except Ended as ended:
        known: type[Result] = kind if isinstance(kind, type) else kind()
        if not isinstance(ended.best, known):
            raise
        return ended.best, ended


@contextmanager
def exit_on_errors() -> Iterator[None]:
    """Turn what goes wrong into lines and exit codes; SIGTERM and SIGHUP end a run as Ctrl-C does.

    The time budget counts from here on: files and configurations are read before the run begins.
    """
    wished = (signal.SIGTERM, signal.SIGHUP)
    heard = [number for number in wished if signal.getsignal(number) is not signal.SIG_IGN]  # nohup wishes not to
    before = {number: signal.signal(number, _interrupt) for number in heard}
    context = click.get_current_context(silent=True)
    params = {} if context is None or isinstance(run_mode(), Verifying) else context.params
    budget = Budget(seconds=params.get("budget_time"))
    if context is not None:
        context.meta[BEGUN] = budget.begun
    try:
        _report_killed()
        with budget_alarm(budget):
            yield
    except BudgetEnded as ended:
        ended.hint = ended.hint or MORE_TIME
        fail(ended)
    except WynotError as error:
        fail(error)
    except KeyboardInterrupt:
        fail(Interrupted(*TOO_EARLY))
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(PlaceError.exit_code) from None
    except OSError as error:
        if _hung_up(error):
            fail(Interrupted("the terminal was closed"))
        what = f"cannot use {error.filename}" if error.filename else "cannot write to standard output"
        fail(PlaceError(f"{what}: {error.strerror or error}", place_hint(error)))
    except MemoryError:
        fail(UsageError("out of memory", "use a machine with more of it, or a smaller input"))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _report_killed() -> None:
    """Report what has changed since a first run that was killed, before anything is read."""
    for path, before in changed_by_killed():
        show(f"{path} has changed since a run that was killed, by its command or by somebody else", err=True)
        if before:
            show(f"  to put back the content before that run: cp {pasted(before)} {pasted(path)}", err=True)


def place_hint(error: OSError) -> str:
    """What to do where something cannot be written."""
    if error.errno == errno.EBADF:
        return "it is closed: leave out >&-, or write to a file: > output.txt"
    return "check permissions and free space: ls -l; df ."


def _hung_up(error: OSError) -> bool:
    """Whether the terminal was closed that standard output leads to: it also sends SIGHUP."""
    try:
        device = stat.S_ISCHR(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return False
    return error.errno == errno.EIO and error.filename is None and device


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt
