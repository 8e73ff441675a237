"""A failure to look at."""

import pytest

from tests.support.stage import Stage

TEXT = "".join(f"line {number}\n" for number in range(6)) + "bug\n"


@pytest.fixture
def problem(stage: Stage) -> Stage:
    """Seven lines, of which the last one fails; the check writes down that it was called."""
    return stage.posed(TEXT)
