"""Figure 6 of Cleve & Zeller 2000, on sample.pl itself and on its Python and C versions, in real processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from wynot.commands.trace.record_run import RunSettings
from wynot.commands.trace.trace_reduction import Criterion, TraceResult, trace
from wynot.commands.trace.tracers import program_of
from wynot.oracles.same_output import OutputOracle

EXAMPLES = Path(__file__).parents[3] / "examples" / "trace"
BOTH, SUM, MUL = "(sum|mul) = .*", "sum = .*", "mul = .*"
RUNS = 176
"""What the paper's prototype took."""
LOOP = "8 6 8 6 8 6 8 6 8 6"
"""Five times: the first `sum + a`, with a = 0, and the last `a + 1` do not matter."""


def need(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(f"{program} is missing")
        pytest.skip(f"{program} is not installed")
    return path


def figure(words: tuple[str, ...], *patterns: str) -> TraceResult:
    criteria: list[tuple[str, Criterion]] = [(p, lambda command, p=p: OutputOracle(command, p)) for p in patterns]  # type: ignore[misc]
    setting = RunSettings(program_of(words), b"0\n5\n", str(EXAMPLES))
    return trace(setting, criteria)


def lines(result: TraceResult, column: int, shift: int = 0) -> str:
    """The lines of the events that are left, in order."""
    kept = result.columns[column].kept
    return " ".join(str(result.trace.statement(event).line - shift) for event in kept)


def test_perl() -> None:
    result = figure((need("perl"), str(EXAMPLES / "sample.pl")), BOTH, SUM, MUL)
    assert len(result.trace) == 37
    assert lines(result, 0) == f"1 3 7 {LOOP} 10 11"
    assert lines(result, 1) == f"1 3 {LOOP} 10"
    assert lines(result, 2) == "3 7 11"
    assert list(result.columns[0].kept)[:6] == [0, 2, 6, 7, 10, 12]
    assert all(column.cost.counts.tests + column.cost.counts.baseline <= RUNS for column in result.columns)
    assert all(column.minimality == "1-minimal" for column in result.columns)


def test_python() -> None:
    """An unset name raises: `mul = 1` stays."""
    result = figure((sys.executable, str(EXAMPLES / "sample.py")), BOTH, SUM, MUL)
    assert len(result.trace) == 31, "there is no line with a brace"
    assert lines(result, 0) == f"1 2 3 7 {LOOP} 10 11"
    assert lines(result, 1) == f"1 3 {LOOP} 10"
    assert lines(result, 2) == "2 3 7 11"
    assert all(column.cost.counts.tests + column.cost.counts.baseline <= RUNS for column in result.columns)


def test_c(tmp_path: Path) -> None:
    """One column: gdb takes its time. The statements are four lines further down."""
    need("gdb")
    program = tmp_path / "sample"
    subprocess.run((need("gcc"), "-g", "-O0", "-o", program, EXAMPLES / "sample.c"), check=True)
    result = figure((str(program),), MUL)
    assert len(result.trace) == 31
    assert lines(result, 0, shift=4) == "3 7 11"
