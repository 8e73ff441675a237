from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.stage import Stage, give_away, open_stage, unprivileged
from wynot.engine.executors.local import LocalExecutor
from wynot.engine.executors.sandbox import Limits
from wynot.oracles.protocol import Oracle

Benches = Callable[..., LocalExecutor]


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """A stage, for programs that are started and for what is run in this process."""
    with open_stage(tmp_path) as opened:
        for name, value in opened.changed.items():
            monkeypatch.setenv(name, value)
        for name in opened.unset:
            monkeypatch.delenv(name, raising=False)
        yield opened


@pytest.fixture
def commoner() -> Iterator[Stage]:
    """A stage whose `wynot` has no more rights than any user; its folder can be reached by all."""
    words = unprivileged()
    if isinstance(words, str):
        pytest.skip(words)
    with tempfile.TemporaryDirectory(prefix="wynot-stage-") as name, open_stage(Path(name)) as opened:
        opened.before = words
        give_away(opened.folder)
        yield opened
        if os.geteuid() == 0:
            opened.clear()


@pytest.fixture
def executors(stage: Stage) -> Iterator[Benches]:
    """Makes executors that are closed in the end."""
    made: list[LocalExecutor] = []

    def make(oracle: Oracle, jobs: int = 1, limits: Limits | None = None, name: str = "input.txt") -> LocalExecutor:
        made.append(LocalExecutor(oracle, name, jobs, limits or Limits(seconds=60)))
        return made[-1]

    yield make
    for executor in made:
        if Path(executor._root).exists():
            executor.close()
