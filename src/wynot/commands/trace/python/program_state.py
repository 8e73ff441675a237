"""The state of a program at a line: saved in one run, put into another one."""

from __future__ import annotations

import json
import os
import pickle
import sys
from types import ModuleType
from typing import Any

_PLAIN = (ModuleType, type, type(lambda: 0), type(len))


def variables(frame: Any) -> dict[str, Any]:
    """The variables that hold data: those of the frame, and those of its file."""
    found = {f"global {name}": value for name, value in frame.f_globals.items() if not name.startswith("__")}
    if frame.f_locals is not frame.f_globals and frame.f_code.co_name != "<module>":
        found.update(frame.f_locals)
    return {name: value for name, value in found.items() if not isinstance(value, _PLAIN)}


def saved(frame: Any) -> dict[str, list[str]]:
    """Each variable that can be kept: its bytes, and how it reads."""
    kept = {}
    for name, value in variables(frame).items():
        try:
            data = pickle.dumps(value, 4)
            pickle.loads(data)  # noqa: S301 - our own
            kept[name] = [data.hex(), repr(value)[:200]]
        except Exception:  # noqa: BLE001, S112 - what cannot be kept is left as it is
            continue
    return kept


def put(frame: Any, values: dict[str, list[str]], names: list[str]) -> None:
    """Set variables to values of another run."""
    own = frame.f_locals  # once: until Python 3.12 each look at it takes the old values again
    for name in names:
        value = pickle.loads(bytes.fromhex(values[name][0]))  # noqa: S301 - our own
        if name.startswith("global "):
            frame.f_globals[name[7:]] = value
        else:
            own[name] = value


class Watching:
    """Waits for a line, then saves the state, or changes it."""

    def __init__(self, options: dict[str, Any], plan: str | None) -> None:
        self.file, self.line, self.path = options["file"], options["line"], options["values"]
        self.names: list[str] | None = None
        if plan is not None:
            with open(plan, "rb") as file:
                self.names = file.read().decode().splitlines()
        self.save = options["save"] if plan is None else None

    def install(self) -> None:
        """Begin."""
        sys.settrace(self._called)

    def _called(self, frame: Any, _event: str, _arg: Any) -> Any:
        return self._stepped if os.path.abspath(frame.f_code.co_filename) == self.file else None

    def _stepped(self, frame: Any, event: str, _arg: Any) -> Any:
        if event != "line" or frame.f_lineno != self.line:
            return self._stepped
        sys.settrace(None)
        frame.f_trace = None
        if self.save is not None:
            with open(self.save, "w", encoding="utf-8") as file:
                json.dump(saved(frame), file)
        elif self.names:
            with open(self.path, encoding="utf-8") as file:
                put(frame, json.load(file), self.names)
        return None
