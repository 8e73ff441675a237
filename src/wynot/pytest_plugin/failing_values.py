"""Failing values of tests, made small in the same process."""

from __future__ import annotations

import contextlib
import inspect
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wynot.api.explain import Explanation, explain
from wynot.domains.values.deconstruct import Arguments
from wynot.engine.run_options import Options
from wynot.errors import Ended, WynotError

TESTS, SECONDS = 1000, 30.0


def marked(item: pytest.Function, marker: pytest.Mark) -> str:
    """Make the values of a marked test small; nothing where there is nothing to make small."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    names = [name for name in item._fixtureinfo.argnames if name in (marker.args or params)]  # noqa: SLF001
    if not names or inspect.iscoroutinefunction(item.obj):
        return ""
    fixed = {name: item.funcargs[name] for name in item._fixtureinfo.argnames if name not in names}  # noqa: SLF001
    values: list[Any] = [item.funcargs[name] for name in names]
    with tempfile.TemporaryDirectory(prefix="wynot-") as folder:
        files = [value.name if isinstance(value, Path) and value.is_file() else None for value in values]

        def test(*small: Any) -> None:
            given = [
                each if file is None else _laid(Path(folder, file), each)
                for each, file in zip(small, files, strict=True)
            ]
            item.obj(**fixed, **dict(zip(names, given, strict=True)))

        test.__name__ = item.originalname
        contents = [v if file is None else v.read_bytes() for v, file in zip(values, files, strict=True)]
        return simplified(test, Arguments(tuple(contents)), names, **marker.kwargs)


def _laid(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def simplified(
    function: Callable[..., Any],
    given: Arguments,
    names: list[str] | None = None,
    *,
    tests: int = TESTS,
    seconds: float = SECONDS,
) -> str:
    """What is left of the arguments, in words; what the calls print is not shown."""
    options = Options(budget_tests=tests, budget_time=seconds)
    note = ""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            found = explain(function, given, options=options)
        except Ended as ended:
            if not isinstance(ended.best, Explanation):
                return f"not made small: {ended}"
            found, note = ended.best, f" ({ended})"
        except WynotError as error:
            return f"not made small: {error}"
    shown = repr(found.failing)
    if names is not None:
        shown = "(" + ", ".join(f"{name}={value!r}" for name, value in zip(names, found.args, strict=True)) + ")"
    other = found.original is not None and found.original.message != found.raised.message
    original = f"\nthe original: {found.original}" if other else ""
    return f"{found.name}{shown}\nfails in the same way: {found.raised}{original}\n{found.tests} calls{note}"
