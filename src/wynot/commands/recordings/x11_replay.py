"""Replay on a real X server, by the XTEST extension. The program's own output and end are what is judged."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from wynot.commands.recordings.replay_settings import LOST, SEEN, ReplayResult, ReplaySettings
from wynot.commands.recordings.virtual_display import own_display
from wynot.domains.recordings.recorded_steps import Recording

QUIET = 3
"""Looks in a row at which a program has to be idle."""
START = 30.0
"""Seconds until the first window has to be there."""


class X11Replayer:
    """A display of its own, on which a program is started for each recording."""

    def __init__(self, how: ReplaySettings, program: Sequence[str]) -> None:
        self.how, self.program = how, list(program)
        self._stack = ExitStack()
        self.name = self._stack.enter_context(own_display(how.screen))

    def replay(self, recording: Recording, wanted: Callable[[], bool]) -> ReplayResult:
        """Start the program, do what was recorded, and give its end and what it said."""
        env = {**os.environ, "DISPLAY": self.name}
        with tempfile.TemporaryFile() as said:
            running = subprocess.Popen(self.program, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
            stage = X11Program(self.name, running)
            try:
                code, text = self._act(stage, recording, wanted)
            finally:
                running.kill()
                running.wait()
                stage.close()
            said.seek(0)
            return ReplayResult(code, said.read().decode("utf-8", "replace") + text)

    def _act(self, stage: X11Program, recording: Recording, wanted: Callable[[], bool]) -> tuple[int, str]:
        running = stage.running
        if not stage.ready():
            return running.poll() or LOST, f"{self.program[0]} shows no window"
        for step in recording.steps:
            if running.poll() is not None or not wanted():
                break
            stage.play(step.raw)
            time.sleep(self.how.pace)
        stage.rest(self.how.settle)
        if self.how.check:
            return _checked(self.how.check, {**os.environ, "DISPLAY": self.name})
        return _ended(running, self.program[0])

    def close(self) -> None:
        """End the display."""
        self._stack.close()


def _checked(command: str, env: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(shlex.split(command), env=env, capture_output=True, check=False)
    return (SEEN, f"the check {command} says so") if done.returncode == 0 else (0, "")


def _ended(running: subprocess.Popen[bytes], name: str) -> tuple[int, str]:
    """How the program has ended, if it has."""
    code = running.poll()
    if code is not None and code < 0:
        return SEEN, f"{name} was ended by {signal.Signals(-code).name}"
    return code or 0, ""


class X11Program:
    """A display with a program on it."""

    def __init__(self, name: str, running: subprocess.Popen[bytes]) -> None:
        from Xlib import X, display  # noqa: PLC0415 - only where it is needed

        self.x, self.display, self.running = X, display.Display(name), running
        self.root = self.display.screen().root
        self._down: dict[tuple[str, int], None] = {}
        """The keys and buttons that are held down."""

    def ready(self) -> bool:
        """Wait for the first window, and until the program is idle."""
        until = time.monotonic() + START
        while time.monotonic() < until and self.running.poll() is None:
            if any(w.get_attributes().map_state == self.x.IsViewable for w in self.root.query_tree().children):
                self.rest(0.05)
                return True
            time.sleep(0.01)
        return False

    def rest(self, seconds: float = 0.0) -> None:
        """Wait until the program has done what it has to do: it sleeps, and goes on sleeping."""
        time.sleep(seconds)
        quiet, until = 0, time.monotonic() + START
        while quiet < QUIET and self.running.poll() is None and time.monotonic() < until:
            self.display.sync()
            quiet = quiet + 1 if _sleeps(self.running.pid) else 0
            time.sleep(0.001)

    def play(self, event: dict[str, Any]) -> None:
        """Do one recorded event."""
        from Xlib.ext import xtest  # noqa: PLC0415

        kind = event["type"]
        if "x" in event:  # a click goes where it went, whatever moved the pointer there
            xtest.fake_input(self.display, self.x.MotionNotify, x=event["x"], y=event["y"])
            self.display.sync()
        if kind.startswith(("key_", "button_")):
            what, _, how = kind.partition("_")
            self._fake(what, self.keycode(event) if what == "key" else int(event["button"]), press=how == "press")
        self.rest()

    def _fake(self, what: str, detail: int, *, press: bool) -> None:
        from Xlib.ext import xtest  # noqa: PLC0415

        kinds = {"key": (self.x.KeyRelease, self.x.KeyPress), "button": (self.x.ButtonRelease, self.x.ButtonPress)}
        xtest.fake_input(self.display, kinds[what][press], detail)
        self.display.sync()
        if press:
            self._down[what, detail] = None
        else:
            self._down.pop((what, detail), None)

    def close(self) -> None:
        """Leave the display as it was: nothing is held down, the pointer is in its corner."""
        for what, detail in list(self._down):
            self._fake(what, detail, press=False)
        self.root.warp_pointer(0, 0)
        self.display.sync()
        self.display.close()

    def keycode(self, event: dict[str, Any]) -> int:
        """The key with this name on this keyboard."""
        from Xlib import XK  # noqa: PLC0415

        code = self.display.keysym_to_keycode(XK.string_to_keysym(str(event.get("keysym", ""))))
        return int(code or event.get("keycode", 0))


def _sleeps(pid: int) -> bool:
    """Whether a program and all its children wait for something."""
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            if (task / "stat").read_text().rpartition(")")[2].split()[0] not in "SZ":
                return False
            if not all(_sleeps(int(child)) for child in (task / "children").read_text().split()):
                return False
    except OSError:
        return True
    return True
