"""How commands tell of errors and ends: one clear line, what to type next, and an exit code."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn, TypeVar

import click

from wynot.errors import TOO_EARLY, Ended, Interrupted, NoFailureError, PlaceError, UsageError, WynotError

Result = TypeVar("Result")


def fail(error: WynotError) -> NoReturn:
    """One clear line, what to type next, and the exit code."""
    line = str(error).replace("\n", "\\n")  # names of files may have anything in them
    click.echo(f"wynot: {line}", err=True)
    for said in error.evidence if isinstance(error, NoFailureError) else ():
        click.echo(f"  | {said}", err=True)
    if error.hint:
        click.echo(f"  {error.hint}", err=True)
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
def telling_errors() -> Iterator[None]:
    """Turn what goes wrong into lines and exit codes; SIGTERM and SIGHUP end a run as Ctrl-C does."""
    wished = (signal.SIGTERM, signal.SIGHUP)
    heard = [number for number in wished if signal.getsignal(number) is not signal.SIG_IGN]  # nohup wishes not to
    before = {number: signal.signal(number, _interrupt) for number in heard}
    try:
        yield
    except WynotError as error:
        fail(error)
    except KeyboardInterrupt:
        fail(Interrupted(*TOO_EARLY))
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(PlaceError.exit_code) from None
    except OSError as error:
        what = f"cannot use {error.filename}" if error.filename else "cannot write to standard output"
        fail(PlaceError(f"{what}: {error.strerror or error}", "check permissions and free space: ls -l; df ."))
    except MemoryError:
        fail(UsageError("out of memory", "use a machine with more of it, or a smaller input"))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt
