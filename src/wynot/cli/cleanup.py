"""The clean-ups that may be asked for after a search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_HELP = {
    "comments": "Then cut all comments that can go.",
    "literals": "Then make numbers small, strings short or empty.",
    "rename": "Then give short names to things: a, b, c.",
    "whitespace": "Then squeeze blank lines, indentation, blanks.",
    "chars": "Then leave out single characters.",
    "clang-delta": "C and C++: then use the transformations of clang_delta, too (apt install cvise).",
}


def cleanup_options(function: F) -> F:
    """Add one flag for each clean-up."""
    for name, text in reversed(_HELP.items()):
        function = click.option(f"--{name}", is_flag=True, help=text)(function)
    return function


def cleanups(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Those that were asked for."""
    return tuple(name for name in _HELP if given[name.replace("-", "_")])
