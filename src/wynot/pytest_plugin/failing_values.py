"""Failing values of tests: minimised in the same process, and compared with an older revision."""

from __future__ import annotations

import contextlib
import inspect
import io
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from wynot.api.explain import Explanation, explain
from wynot.domains.values.deconstruct import Arguments
from wynot.engine.run_options import Options
from wynot.errors import Ended, WynotError
from wynot.pytest_plugin.order_investigation import forwarded, jobs_of
from wynot.pytest_plugin.suite_state import STARTED

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


# A failing test that passed at an earlier revision: the changes since then because of which it fails.


_BESIDE = ("looking for", "  | ")
"""What begins lines that are not the message: the failure that is looked for, and quoted output."""
MOST = 60
"""Lines that are shown of an answer."""


def changed_since(config: pytest.Config, victim: str, revision: str) -> str:
    """What `wynot changes REVISION .` finds out about one test, in words."""
    project, test = _project(config, victim)
    with tempfile.TemporaryDirectory(prefix="wynot-") as folder:
        output = f"{folder}/culprit.patch"
        words = [sys.executable, "-m", "wynot", "changes", revision, ".", "--breaks", "-o", output]
        limit = config.getoption("--wynot-time")
        budget = [] if limit is None else ["--budget-time", f"{limit:g}s"]
        command = [*words, "-j", str(jobs_of(config)), *budget, "--", *_testing(config), test]
        done = subprocess.run(
            command, cwd=project, env=dict(STARTED.environment), capture_output=True, text=True, check=False
        )
    if done.returncode in {0, 3}:
        lines = [line for line in done.stdout.splitlines() if not line.startswith(("written to", "outcomes:"))]
        more = [f"... {len(lines) - MOST} more lines"] if len(lines) > MOST else []
        return "\n".join([f"since {revision}:", *lines[:MOST], *more])
    told = done.stderr.replace(f" -o {output}", "")  # a file that is gone has no place in advice
    said = [line for line in told.splitlines() if line.strip() and not line.startswith(_BESIDE)]
    return "\n".join([f"since {revision}: nothing was found", *said[-2:]])


def _project(config: pytest.Config, victim: str) -> tuple[Path, str]:
    """The folder whose revisions are compared, and how the test is named there: a copy of it may be elsewhere."""
    root = config.rootpath
    if any((folder / ".git").exists() for folder in (root, *root.parents)):
        return root, victim
    return config.invocation_params.dir, str(root / victim)


def _testing(config: pytest.Config) -> Iterator[str]:
    """Pytest in a copy of the project: nothing may lead to the original."""
    yield from (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    if config.pluginmanager.hasplugin("xdist"):
        yield "-n0"
    yield from forwarded(config)
