"""`python -m wynot`, and the command `wynot`."""

import atexit
import contextlib
import gc
import io
import os
import sys
import threading

_UNWRITTEN = 2
"""The exit code where standard output cannot be written to."""
SELDOM = 100
"""So many times as many objects as by default have to be new before circles of them are looked for..."""


def main(mode: object = None) -> None:
    """Load what there is, and run it; Ctrl-C may come before all is loaded.

    `mode` is one of `wynot.engine.run_options.Mode`; None: live.
    """
    _open_streams()
    first, *others = gc.get_threshold()
    gc.set_threshold(SELDOM * first, *others)  # ...as hardly anything here refers to itself, and most of it stays
    try:
        from wynot.cli.main import main as run  # noqa: PLC0415
    except KeyboardInterrupt:
        print("wynot: interrupted before there was anything to keep\n  begin again: the same command", file=sys.stderr)
        raise SystemExit(130) from None
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files may have any bytes in them: told as they are
        sys.stdout.reconfigure(errors="surrogateescape")
    try:
        run(obj=mode)
    except SystemExit as end:
        if isinstance(end.code, int) and not _awaited():
            _leave(end.code)
        raise
    finally:
        gc.freeze()  # all ends with the process: nobody has to look for what could go before


def _open_streams() -> None:
    """Open standard input, output and errors where they are closed: else the next files would get their numbers.

    Standard output cannot be written to then, so that a result is not lost without an error.
    """
    ways = (os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)
    for fd, way in enumerate(ways):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, way)  # gets the lowest number that is free
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _awaited() -> bool:
    """Whether anybody has something to do when we have ended: other threads, or who watches how we run."""
    monitoring = getattr(sys, "monitoring", None)  # since Python 3.12
    tools = [] if monitoring is None else [monitoring.get_tool(number) for number in range(6)]
    watched = any(each is not None for each in (sys.gettrace(), sys.getprofile(), *tools))
    return watched or threading.active_count() > 1 or bool(sys.flags.interactive or sys.flags.inspect)


def _leave(code: int) -> None:
    """End at once: to take apart all that was loaded takes as long as a short test, and nobody needs it.

    What is registered for the end is done, and what was printed is written. Where that fails, it is an error.
    """
    atexit._run_exitfuncs()  # noqa: SLF001 - nothing else does them
    try:
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):
        code = code or _UNWRITTEN
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
