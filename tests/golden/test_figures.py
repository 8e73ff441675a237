"""The published algorithms test the papers' examples as recorded: order, outcomes and result, byte for byte."""

from __future__ import annotations

import pytest

from tests.golden.figures import FIGURES, figures, recorded
from wynot.core.outcome import PASS

NAMES = sorted(path.stem for path in FIGURES.glob("*.txt"))


@pytest.mark.parametrize("name", NAMES)
def test_the_sequence_is_the_recorded_one(name: str) -> None:
    text = (FIGURES / f"{name}.txt").read_text()
    told = figures(recorded(text.splitlines()))[name]
    assert "".join(f"{line}\n" for line in told()) == text


def test_each_figure_has_a_file() -> None:
    assert sorted(figures(lambda _: PASS)) == NAMES
