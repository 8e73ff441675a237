"""Whether a function can be called with these arguments at all: if not, that it raises is no failure of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


class Misfit(Exception):  # noqa: N818 - it is only passed on
    """Arguments that the function cannot be called with."""


def check_fit(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """See that a call that failed before its first line was one at all.

    >>> check_fit(len, (3,), {})
    >>> check_fit(len, (), {})
    Traceback (most recent call last):
    ...
    wynot.oracles.fit.Misfit: missing a required argument: 'obj'
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # some built-in functions do not tell
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise Misfit(str(error)) from None
