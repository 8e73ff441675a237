"""The public Python API is the recorded one.

tests/core/test_vocabulary.py compares the tree of errors with its picture; here neither changes unnoticed.
"""

from __future__ import annotations

from tests.golden.python_api import API, described


def test_names_and_signatures_are_the_recorded_ones() -> None:
    assert described() == API.read_text()
