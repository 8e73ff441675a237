"""Executors, testers and sessions change by their own methods only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src" / "wynot"
OWNERS = {"executor", "bench", "tester", "lab", "session", "opened"}
PARTS = {"budget", "counts", "odds", "outcomes"}
"""Objects that belong to a tester: only itself may change them."""


def assigned(text: str) -> Iterator[str]:
    """Attributes of others that this text assigns."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for each in target.elts if isinstance(target, ast.Tuple) else [target]:
                if not isinstance(each, ast.Attribute):
                    continue
                *before, last = (word.lstrip("_") for word in ast.unparse(each.value).split("."))
                if last in OWNERS or (last in PARTS and before != ["self"]):
                    yield ast.unparse(each)


def test_nobody_else_assigns_their_attributes() -> None:
    files = (path for path in SOURCES.rglob("*.py") if "pytest_plugin" not in path.parts)  # pytest has sessions, too
    found = {f"{path.relative_to(SOURCES)}: {each}" for path in files for each in assigned(path.read_text("utf-8"))}
    assert not found


@pytest.mark.parametrize(
    "text", ["executor.limits = x", "self.tester.budget, y = x", "run.executor.runs += 1", "tester.counts.tests += 1"]
)
def test_such_assignments_are_found(text: str) -> None:
    assert list(assigned(text))


@pytest.mark.parametrize("text", ["self.executor = x", "self.counts.tests += 1", "executor = x"])
def test_others_are_not(text: str) -> None:
    assert not list(assigned(text))
