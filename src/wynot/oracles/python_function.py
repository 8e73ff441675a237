"""A Python callable as the test: its outcome, what it raised, and whether it can be called with the arguments."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from wynot.core.outcome import FAIL, PASS, Outcome


class CallMismatch(Exception):  # noqa: N818 - it is only passed on
    """Arguments that the function cannot be called with."""


def check_fit(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """See that a call that failed before its first line was one at all.

    >>> check_fit(len, (3,), {})
    >>> check_fit(len, (), {})
    Traceback (most recent call last):
    ...
    wynot.oracles.python_function.CallMismatch: missing a required argument: 'obj'
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # some built-in functions do not tell
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise CallMismatch(str(error)) from None


Candidate = TypeVar("Candidate")


Test = Callable[[Any], Outcome | bool]
"""Takes the bytes of a file; or, for a folder, the bytes of its files by their paths: dict[str, bytes]."""


def outcome_of(answer: object) -> Outcome:
    """What a callable's answer means: an Outcome as it is; a bool: True = fails.

    >>> outcome_of(True), outcome_of(Outcome.UNRESOLVED)
    (<Outcome.FAIL: 'fail'>, <Outcome.UNRESOLVED: 'unresolved'>)
    """
    if isinstance(answer, Outcome):
        return answer
    if isinstance(answer, bool):
        return FAIL if answer else PASS
    raise TypeError(f"a test must give an Outcome or a bool (True = fails), not {answer!r}")


def asking(test: Callable[[Candidate], Outcome | bool]) -> Callable[[Candidate], Outcome]:
    """The callable, with its answer made an Outcome."""

    def ask(candidate: Candidate) -> Outcome:
        return outcome_of(test(candidate))

    return ask


_EVALUATED = frozenset({"<string>", "<unknown>"})
"""How `eval`, `exec` and `ast` call what they are given."""


@dataclass(frozen=True, slots=True)
class RaisedException:
    """A failure of a call: two are the same if type and place are. The message may speak of the arguments."""

    kind: str
    place: str
    """The file and line where it was raised; nothing where the stack was too deep to tell."""
    message: str = ""

    @classmethod
    def of(cls, error: BaseException, own: str = "") -> RaisedException:
        """How this exception looks. The lines of what is evaluated may be an argument's, unless it is our own file."""
        kind = type(error)
        name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename not in _EVALUATED or frame.filename == own
        ]
        deep = isinstance(error, RecursionError) or not frames
        return cls(name, "" if deep else f"{frames[-1].filename}:{frames[-1].lineno}", _message(error))

    def same(self, other: RaisedException) -> bool:
        """Whether it is the same failure."""
        return (self.kind, self.place) == (other.kind, other.place)

    def __str__(self) -> str:
        said = f": {self.message.splitlines()[0][:200]}" if self.message.strip() else ""
        return f"{self.kind}{said}{f' at {self.place}' if self.place else ''}"


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - whatever the user's class raises
        return ""
