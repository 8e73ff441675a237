"""What recorded programs call: the list of numbers, and the marks of generators and coroutines."""

from __future__ import annotations

import _thread
import array
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.util import decode_source
from itertools import count
from typing import Any

from .recorder import BACK, OUT, Recorder

EVENTS: list[int] = []
_numbers = count()


def open_(mark: int) -> int:
    """A generator or coroutine begins: it gets a number of its own."""
    own = BACK - next(_numbers)
    EVENTS.append(mark)
    EVENTS.append(own)
    return own


def out(value: Any) -> Any:
    """It is left."""
    EVENTS.append(OUT)
    return value


def back(own: int, value: Any) -> Any:
    """It is entered again."""
    EVENTS.append(own)
    return value


class Yielded:
    """One `yield`, with whatever comes back: a value, an exception, the end."""

    def __init__(self, own: int, value: Any) -> None:
        self.own, self.value = own, value

    def __iter__(self) -> Yielded:
        return self

    def __next__(self) -> Any:
        return out(self.value) if not self._begun() else self.send(None)

    def _begun(self) -> bool:
        begun, self.begun = getattr(self, "begun", False), True
        return begun

    def send(self, value: Any) -> Any:
        """A value comes back."""
        raise StopIteration(back(self.own, value))

    def throw(self, kind: Any, value: Any = None, trace: Any = None) -> Any:
        """An exception comes back."""
        back(self.own, None)
        error = kind if isinstance(kind, BaseException) else value if value is not None else kind()
        raise error.with_traceback(trace) if trace is not None else error

    def close(self) -> None:
        """The generator is closed: its last statements may run."""
        back(self.own, None)


class Through:
    """`yield from` and `await`: what is inside is left and entered again."""

    def __init__(self, own: int, inner: Any) -> None:
        self.own, self.inner, self.away = own, inner, False

    def __iter__(self) -> Through:
        return self

    __await__ = __iter__

    def __next__(self) -> Any:
        return self.send(None)

    def _enter(self) -> None:
        if self.away:
            back(self.own, None)
        self.away = False

    def _leave(self, value: Any) -> Any:
        self.away = True
        return out(value)

    def send(self, value: Any) -> Any:
        """On with it."""
        self._enter()
        return self._leave(next(self.inner) if value is None else self.inner.send(value))

    def throw(self, *error: Any) -> Any:
        """An exception for it."""
        self._enter()
        if hasattr(self.inner, "throw"):
            return self._leave(self.inner.throw(*error))
        raise error[0]

    def close(self) -> None:
        """The end of it."""
        self._enter()
        if hasattr(self.inner, "close"):
            self.inner.close()


def through(own: int, inner: Iterable[Any]) -> Through:
    """`yield from`."""
    return Through(own, iter(inner))


def awaited(own: int, inner: Any) -> Through:
    """`await`; a coroutine is its own iterator, more or less."""
    if hasattr(inner, "send") and not hasattr(inner, "__iter__"):
        return Through(own, _Coroutine(inner))
    return Through(own, inner.__await__() if hasattr(inner, "__await__") else inner)


class _Coroutine:
    def __init__(self, inner: Any) -> None:
        self.send, self.throw, self.close = inner.send, inner.throw, inner.close

    def __next__(self) -> Any:
        return self.send(None)


class Context:
    """`async with`: entry and exit are waited for."""

    def __init__(self, own: int, inner: Any) -> None:
        self.own, self.inner = own, inner

    def __aenter__(self) -> Through:
        return awaited(self.own, type(self.inner).__aenter__(self.inner))

    def __aexit__(self, *error: Any) -> Through:
        return awaited(self.own, type(self.inner).__aexit__(self.inner, *error))


class Items:
    """`async for`: each item is waited for."""

    def __init__(self, own: int, inner: Any) -> None:
        self.own, self.inner = own, type(inner).__aiter__(inner)

    def __aiter__(self) -> Items:
        return self

    def __anext__(self) -> Through:
        return awaited(self.own, type(self.inner).__anext__(self.inner))


def rounds(number: int, items: Iterable[Any]) -> Iterator[Any]:
    """A `for` that says itself when it takes the next item."""
    each = iter(items)
    while True:
        try:
            item = next(each)
        except StopIteration:
            return
        yield item
        EVENTS.append(number)


async def arounds(number: int, items: Any) -> Any:
    """The same for `async for`."""
    async for item in items:
        yield item
        EVENTS.append(number)


NAMES = {
    "__wynot__": EVENTS, "__wynot_open__": open_, "__wynot_out__": out, "__wynot_back__": back,
    "__wynot_yield__": Yielded, "__wynot_through__": through, "__wynot_await__": awaited, "__wynot_actx__": Context,
    "__wynot_aiter__": Items, "__wynot_rounds__": rounds, "__wynot_arounds__": arounds,
}  # fmt: skip


class Recording:
    """A recording under way: the files seen, and where it is written in the end."""

    rewriter = Recorder

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

    def add(self, path: str, source: bytes, numbering: Recorder, _code: Any) -> None:
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
