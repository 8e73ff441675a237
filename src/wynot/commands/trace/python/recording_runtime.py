"""What recorded programs call: the list of numbers, and the marks of generators and coroutines.

However they go on (by a value, by an exception, by being closed) it is marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from .instrument_recording import BACK, OUT

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


class RecordedContext:
    """`async with`: entry and exit are waited for."""

    def __init__(self, own: int, inner: Any) -> None:
        self.own, self.inner = own, inner

    def __aenter__(self) -> Through:
        return awaited(self.own, type(self.inner).__aenter__(self.inner))

    def __aexit__(self, *error: Any) -> Through:
        return awaited(self.own, type(self.inner).__aexit__(self.inner, *error))


class RecordedItems:
    """`async for`: each item is waited for."""

    def __init__(self, own: int, inner: Any) -> None:
        self.own, self.inner = own, type(inner).__aiter__(inner)

    def __aiter__(self) -> RecordedItems:
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
    "__wynot__": EVENTS,
    "__wynot_open__": open_,
    "__wynot_out__": out,
    "__wynot_back__": back,
    "__wynot_yield__": Yielded,
    "__wynot_through__": through,
    "__wynot_await__": awaited,
    "__wynot_actx__": RecordedContext,
    "__wynot_aiter__": RecordedItems,
    "__wynot_rounds__": rounds,
    "__wynot_arounds__": arounds,
}
