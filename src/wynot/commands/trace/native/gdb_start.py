"""The beginning of a traced native program: runs inside gdb, `WYNOT` being the options and, for a replay, the plan.

Lines are events: a breakpoint at each entry of the line table, and skipping is moving the program counter. That is
exact where each line's code stands by itself, as compilers write it without optimisation (-g -O0).
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sys
from typing import Any

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from native_lines import NativeLines  # noqa: E402
from native_steps import NativeRecording, NativeReplay  # noqa: E402

OPTIONS = json.loads(open(WYNOT[0], encoding="utf-8").read())  # type: ignore[name-defined]  # noqa: F821
PLAN = WYNOT[1] if len(WYNOT) > 1 else None  # type: ignore[name-defined]  # noqa: F821


class StopWatcher:
    """How the program stopped last."""

    def __init__(self) -> None:
        self.signal = ""
        self.exit: int | None = None
        gdb.events.stop.connect(self.stopped)
        gdb.events.exited.connect(self.exited)

    def stopped(self, event: Any) -> None:
        """It has stopped."""
        self.signal = event.stop_signal if isinstance(event, gdb.SignalEvent) else ""

    def exited(self, event: Any) -> None:
        """It has ended."""
        self.exit = event.exit_code if hasattr(event, "exit_code") else None

    @property
    def alive(self) -> bool:
        """Whether there is anything to go on with."""
        return gdb.selected_thread() is not None


def say(text: str) -> None:
    """To the standard error of the program."""
    os.write(4, text.encode())


def stack() -> None:
    """Where it crashed, as gdb shows it."""
    frame, number = gdb.newest_frame(), 0
    while frame is not None and number < 40:
        line = frame.find_sal()
        where = f" at {line.symtab.filename}:{line.line}" if line.symtab else ""
        say(f"#{number}  0x{frame.pc():x} in {frame.name() or '??'} (){where}\n")
        try:
            frame, number = frame.older(), number + 1
        except gdb.error:
            break


def leave(watch: StopWatcher) -> None:
    """End as the program did."""
    os.write(1, b"")
    if watch.exit is not None:
        gdb.execute(f"quit {watch.exit}")
    number = getattr(signal, watch.signal, signal.SIGKILL)
    gdb.execute("kill", to_string=True) if watch.alive else None
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _end_if_in_trouble(lines: Any, stage: Any) -> None:
    """End here, and say why, where the lines cannot be traced."""
    if lines.trouble:
        stage.trouble = lines.trouble
        stage.write()
        if gdb.selected_inferior().pid:
            gdb.execute("kill", to_string=True)
        gdb.execute("quit 1")


def main() -> None:
    """Record, or replay."""
    for setting in (
        "pagination off", "confirm off", "disable-randomization on", "startup-with-shell on", "width 0",
        "breakpoint always-inserted on", "debuginfod enabled off", "print thread-events off", "auto-solib-add off",
        "auto-load off", "libthread-db-search-path /nowhere",
    ):  # fmt: skip
        try:
            gdb.execute(f"set {setting}", to_string=True)
        except gdb.error:
            continue
    words = OPTIONS["words"]
    gdb.execute(f"file {shlex.quote(words[0])}", to_string=True)
    gdb.execute(f"set cwd {OPTIONS['folder']}", to_string=True)
    gdb.execute(f"set args {shlex.join(words[1:])} 1>&3 2>&4 3>&- 4>&-", to_string=True)
    watch = StopWatcher()
    lines = NativeLines(OPTIONS)
    stage: Any = NativeRecording(lines, OPTIONS) if PLAN is None else NativeReplay(lines, OPTIONS, PLAN)
    _end_if_in_trouble(lines, stage)
    gdb.execute("starti", to_string=True)
    stage.begin()
    lines.place()
    _end_if_in_trouble(lines, stage)
    while True:
        gdb.execute("continue", to_string=True)
        if not watch.alive:
            break
        if watch.signal:
            if watch.signal in ("SIGALRM", "SIGCHLD", "SIGPROF", "SIGWINCH", "SIGURG", "SIGUSR1", "SIGUSR2"):
                continue
            meaning = re.sub(r"^SIG", "", watch.signal)
            gdb.execute("sharedlibrary", to_string=True)
            say(f"Program received signal {watch.signal}, {meaning}.\n")
            stack()
            break
        if len(gdb.selected_inferior().threads()) > 1:
            stage.trouble = "threads"
            break
        if stage.stop() is False:
            break
    stage.write()
    leave(watch)


try:
    main()
except gdb.error as error:
    say(f"wynot: gdb: {error}\n")
    gdb.execute("quit 1")
