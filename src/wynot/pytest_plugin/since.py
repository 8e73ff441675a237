"""A failing test that passed at an earlier revision: the changes since then because of which it fails."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator

import pytest

from wynot.pytest_plugin.order_investigation import forwarded, jobs_of
from wynot.pytest_plugin.suite_start import STARTED

_BESIDE = ("looking for", "  | ")
"""What begins lines that are not the message: the failure that is looked for, and quoted output."""
MOST = 60
"""Lines that are shown of an answer."""


def changed_since(config: pytest.Config, victim: str, revision: str) -> str:
    """What `wynot changes REVISION .` finds out about one test, in words."""
    with tempfile.TemporaryDirectory(prefix="wynot-") as folder:
        words = [sys.executable, "-m", "wynot", "changes", revision, ".", "--breaks", "-o", f"{folder}/culprit.patch"]
        limit = config.getoption("--wynot-time")
        budget = [] if limit is None else ["--budget-time", f"{limit:g}s"]
        command = [*words, "-j", str(jobs_of(config)), *budget, "--", *_testing(config), victim]
        done = subprocess.run(
            command, cwd=config.rootpath, env=dict(STARTED.environment), capture_output=True, text=True, check=False
        )
    if done.returncode in {0, 3}:
        lines = [line for line in done.stdout.splitlines() if not line.startswith(("written to", "outcomes:"))]
        more = [f"... {len(lines) - MOST} more lines"] if len(lines) > MOST else []
        return "\n".join([f"since {revision}:", *lines[:MOST], *more])
    said = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith(_BESIDE)]
    return "\n".join([f"since {revision}: nothing was found", *said[-2:]])


def _testing(config: pytest.Config) -> Iterator[str]:
    """Pytest in a copy of the project: nothing may lead to the original."""
    yield from (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    if config.pluginmanager.hasplugin("xdist"):
        yield "-n0"
    yield from forwarded(config)
