"""Record and replay user actions on X11, also on a virtual display (Xvfb)."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from wynot.commands.recordings.replay_settings import LOST, SEEN, ReplayResult, ReplaySettings
from wynot.domains.recordings.recorded_steps import Recording
from wynot.domains.recordings.recording_formats import X11
from wynot.errors import PlaceError, UsageError

# A display of one's own: Xvfb, for as long as it is needed.


_LOCKS = Path("/tmp")  # noqa: S108 - where X servers keep them


@contextmanager
def own_display(screen: str) -> Iterator[str]:
    """Start an X server without a screen; gives its name, such as `:7`."""
    read, write = os.pipe()
    words = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{screen}x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(words, pass_fds=[write], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    os.close(write)
    try:
        number = os.read(read, 16).decode().strip()
        if not number:
            raise PlaceError(f"Xvfb does not start with a screen of {screen}", "try it by hand: Xvfb :99")
        yield f":{number}"
    finally:
        os.close(read)
        server.terminate()
        try:
            server.wait(5)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def stale_displays() -> set[str]:
    """The displays whose server is gone: one that was killed leaves its lock and its socket behind."""
    stale = set()
    for lock in _LOCKS.glob(".X*-lock"):
        with contextlib.suppress(OSError, ValueError):
            if not _lives(int(lock.read_text())):
                stale.add(lock.name.removeprefix(".X").removesuffix("-lock"))
    return stale


def _lives(pid: int) -> bool:
    """Whether there is a process with this number, whoever's it is."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def sweep_displays(before: set[str]) -> None:
    """Remove what servers that were killed since then have left behind."""
    for number in stale_displays() - before:
        for path in (_LOCKS / f".X{number}-lock", _LOCKS / ".X11-unix" / f"X{number}"):
            with contextlib.suppress(OSError):
                path.unlink()


# Record what a user does, by the RECORD extension of X11: a log of all that the server sees and sends.


_KINDS = {
    2: "key_press", 3: "key_release", 4: "button_press", 5: "button_release", 6: "motion", 7: "enter_notify",
    8: "leave_notify", 9: "focus_in", 10: "focus_out", 11: "keymap_notify", 12: "expose", 13: "graphics_expose",
    14: "no_expose", 15: "visibility_notify", 16: "create_notify", 17: "destroy_notify", 18: "unmap_notify",
    19: "map_notify", 20: "map_request", 21: "reparent_notify", 22: "configure_notify", 23: "configure_request",
    24: "gravity_notify", 25: "resize_request", 26: "circulate_notify", 27: "circulate_request", 28: "property_notify",
    29: "selection_clear", 30: "selection_request", 31: "selection_notify", 32: "colormap_notify",
    33: "client_message", 34: "mapping_notify",
}  # fmt: skip
"""The core events of X11 by their numbers."""


def record(program: Sequence[str], screen: str, drive: Sequence[str] | None = None, *, own: bool = True) -> bytes:
    """Run a program and log what happens until it ends, or until `drive` does, which acts in the user's place."""
    with ExitStack() as stack:
        name = stack.enter_context(own_display(screen)) if own else os.environ.get("DISPLAY", "")
        if not name:
            raise UsageError("there is no display to record", "use one of its own: wynot events record --own ...")
        env = {**os.environ, "DISPLAY": name}
        running = subprocess.Popen(program, env=env, stdin=subprocess.DEVNULL)
        stack.callback(running.wait)
        stack.callback(running.kill)
        stage = X11Program(name, running)
        if not stage.ready():
            raise UsageError(f"{program[0]} shows no window", "try it by hand: " + " ".join(program))
        log = _Log(name)
        log.start()
        try:
            if drive is not None:
                subprocess.run(drive, env=env, check=False)
                stage.rest(0.2)
            else:
                running.wait()
        except KeyboardInterrupt:
            pass  # the user has done what there was to do
        return log.stop(screen)


class _Log:
    """The log of a display, taken in a thread of its own."""

    def __init__(self, name: str) -> None:
        from Xlib import XK, display  # noqa: PLC0415 - only where it is needed
        from Xlib.ext import record as extension  # noqa: PLC0415

        self.entries: list[dict[str, Any]] = []
        self._control, self._data = display.Display(name), display.Display(name)
        names = {value: key.removeprefix("XK_") for key, value in vars(XK).items() if key.startswith("XK_")}
        self._names = names
        every = {
            "core_requests": (0, 0), "core_replies": (0, 0), "ext_requests": (0, 0, 0, 0), "ext_replies": (0, 0, 0, 0),
            "delivered_events": (7, 34), "device_events": (2, 6), "errors": (0, 0), "client_started": False,
            "client_died": False,
        }  # fmt: skip
        self._context = self._control.record_create_context(0, [extension.AllClients], [every])
        self._control.sync()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._begun = threading.Event()

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        self._begun.wait(5)

    def _run(self) -> None:
        self._data.record_enable_context(self._context, self._take)
        self._data.record_free_context(self._context)

    def _take(self, reply: Any) -> None:
        from Xlib.protocol import rq  # noqa: PLC0415

        self._begun.set()
        data = reply.data
        while reply.category == 0 and len(data):
            event, data = rq.EventField(None).parse_binary_value(data, self._data.display, None, None)
            self._note(event)

    def _note(self, event: Any) -> None:
        kind = _KINDS.get(event.type & 0x7F, f"event_{event.type & 0x7F}")
        entry: dict[str, Any] = {"type": kind, "time": getattr(event, "time", 0)}
        if kind in {"key_press", "key_release"}:
            symbol = self._control.keycode_to_keysym(event.detail, 0)
            entry |= {"keysym": self._names.get(symbol, ""), "keycode": event.detail}
        elif kind in {"button_press", "button_release", "motion"}:
            entry |= {"x": event.root_x, "y": event.root_y}
            if kind != "motion":
                entry["button"] = event.detail
        self.entries.append(entry)

    def stop(self, screen: str) -> bytes:
        """End, and give the log as JSON lines."""
        time.sleep(0.1)
        self._control.record_disable_context(self._context)
        self._control.flush()
        self._thread.join(5)
        rows = [{"format": X11, "screen": screen}, *self.entries]
        return "".join(json.dumps(row) + "\n" for row in rows).encode()


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
