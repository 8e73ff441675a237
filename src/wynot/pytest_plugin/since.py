"""A failing test that passed at an earlier revision: the changes since then because of which it fails."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from wynot.pytest_plugin.order_investigation import forwarded, jobs_of
from wynot.pytest_plugin.suite_start import STARTED

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
