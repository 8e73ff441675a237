"""A recording under way: which files there are, what keeps it from being replayed, where it is written."""

from __future__ import annotations

import _thread
import array
import json
import os
import sys
import time
from collections.abc import Callable
from importlib.util import decode_source
from typing import Any

from .instrument_recording import RecordingInstrumenter
from .recording_runtime import EVENTS, NAMES


class PythonRecording:
    """A recording under way: the files seen, and where it is written in the end."""

    rewriter = RecordingInstrumenter

    def __init__(self, path: str, limit: int) -> None:
        self.path, self.limit = path, limit
        self.files: list[dict[str, Any]] = []
        self.trouble = ""
        self.codes: set[int] = set()
        self._pid = os.getpid()
        self._written = False

    def places(self, _path: str) -> tuple[int, int]:
        """Where the numbers of a new file begin: of its statements, of its functions."""
        last = self.files[-1] if self.files else None
        if last is None:
            return 0, 0
        return last["base"] + len(last["statements"]), last["first"] + len(last["functions"])

    def known(self, _path: str, _source: bytes) -> Any:
        """The code of a file that was rewritten before: none."""
        return None

    def add(self, path: str, source: bytes, numbering: RecordingInstrumenter, _code: Any) -> None:
        """A file was rewritten."""
        self.files.append(
            {
                "path": path,
                "source": decode_source(source),
                "base": numbering.base,
                "first": numbering.first,
                "statements": numbering.statements,
                "functions": numbering.functions,
            }
        )

    def own(self, code: Any) -> None:
        """Remember the code of a file: it must not run in another thread."""
        self.codes.add(id(code))
        for constant in code.co_consts:
            if hasattr(constant, "co_consts"):
                self.own(constant)

    def watch(self) -> None:
        """Stop what goes on for ever; see other threads and processes."""
        begin, pause = _thread.start_new_thread, time.sleep

        def look() -> None:
            while len(EVENTS) < self.limit:
                pause(0.05)
            self.trouble = self.trouble or "long"
            self.write()
            _exit(1)

        begin(look, ())
        self._see_threads()
        leave = os._exit

        def _exit(status: int) -> None:
            self.write()
            leave(status)

        os._exit = _exit  # type: ignore[assignment]
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)

    def _forked(self) -> None:
        with open(self.path + ".forked", "w"):
            pass

    def _see_threads(self) -> None:
        def check(frame: Any, _event: str, _arg: Any) -> None:
            if id(frame.f_code) in self.codes:
                self.trouble = self.trouble or "threads"

        def traced(function: Callable[..., Any]) -> Callable[..., Any]:
            def run(*args: Any, **more: Any) -> Any:
                sys.settrace(check)
                return function(*args, **more)

            return run

        def wrap(start: Callable[..., Any]) -> Callable[..., Any]:
            def started(function: Callable[..., Any], *args: Any, **more: Any) -> Any:
                return start(traced(function), *args, **more)

            return started

        for module in (_thread, sys.modules.get("threading")):
            for which in ("start_new_thread", "_start_new_thread", "start_joinable_thread", "_start_joinable_thread"):
                if hasattr(module, which):
                    setattr(module, which, wrap(getattr(module, which)))

    def write(self) -> None:
        """Write it down, once, and in the first process only."""
        if self._written or os.getpid() != self._pid:
            return
        self._written = True
        if os.path.exists(self.path + ".forked"):
            self.trouble = self.trouble or "forks"
        values = array.array("i", EVENTS)
        head = {"files": self.files, "trouble": self.trouble, "count": len(values)}
        with open(self.path, "wb") as file:
            file.write(json.dumps(head).encode() + b"\n")
            values.tofile(file)


__all__ = ["EVENTS", "NAMES", "PythonRecording"]
