"""What the summary says cannot be removed from a result cannot: each edit that its words exclude is tried."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.effort import effort, few
from wynot.commands.reduce import prove_single_edits

ROOT = Path(__file__).parents[2]


def _benchmark() -> ModuleType:
    """The benchmark that tries thousands of problems."""
    spec = spec_from_file_location("minimality", ROOT / "benchmarks/minimality.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


minimality = _benchmark()


@settings(few, max_examples=effort(60, 200))
@given(number=st.integers(0, 10**6))
def test_nothing_refutes_a_promise(number: int) -> None:
    _, _, found = minimality.solve(number)
    assert not found, "\n".join(map(str, found))


def test_without_the_last_pass_promises_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the check sees what it has to see."""
    assert not minimality.solve(820041)[2]
    monkeypatch.setattr(prove_single_edits, "single_edits", lambda *_, **__: iter(()))
    (found,) = minimality.solve(820041)[2]
    assert found.what == "token b'.' at 13 removed"
