"""Record what a user does, by the RECORD extension of X11: a log of all that the server sees and sends."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from wynot.commands.recordings.virtual_display import own_display
from wynot.commands.recordings.x11_replay import X11Program
from wynot.domains.recordings.json_lines import X11
from wynot.errors import UsageError

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
