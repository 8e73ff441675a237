"""Programs that read `--json` and exit codes find what is recorded: the same fields with the same types."""

from __future__ import annotations

import pytest

from tests.golden.json_fields import FIELDS, SCENARIOS, described, usage_errors
from tests.support.stage import Stage


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_fields_are_the_recorded_ones(name: str, stage: Stage) -> None:
    assert described(stage, SCENARIOS[name]) == (FIELDS / f"{name}.txt").read_text()


def test_exit_codes_of_help_and_unknown_options_are_the_recorded_ones() -> None:
    assert usage_errors() == (FIELDS / "usage.txt").read_text()


def test_each_file_is_compared() -> None:
    assert {path.stem for path in FIELDS.iterdir()} == {*SCENARIOS, "usage"}
