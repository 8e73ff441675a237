"""The same stages as for the room `run`, and a failure to look at."""

import pytest

from tests.run.conftest import commoner, stage
from tests.run.stage import Stage

__all__ = ["TEXT", "commoner", "problem", "stage"]

TEXT = "".join(f"line {number}\n" for number in range(6)) + "bug\n"


@pytest.fixture
def problem(stage: Stage) -> Stage:
    """Seven lines, of which the last one fails; the check writes down that it was called."""
    return stage.posed(TEXT)
