"""How `wynot reduce` tells of its result; loaded while the first tests run."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from wynot.cli.hints import hint_for_clean_ups, hint_for_weak_test
from wynot.cli.run_summary import keep_with_run, print_result
from wynot.core.artifact import size
from wynot.engine.files.output_file import numbered
from wynot.engine.results import Reduced
from wynot.errors import NoFailureError
from wynot.report.result_json import reduced_json
from wynot.report.result_text import reduced_text
from wynot.report.terminal_output import show


def _refuse(result: Reduced, path: str, command: tuple[str, ...], given: dict[str, Any]) -> NoReturn:
    """Say that there is no result: the failure shows without the input, too."""
    summary = reduced_json(result)
    if given["as_json"]:
        show(summary)
    keep_with_run(summary)
    raise NoFailureError(
        f"the smallest input that fails is empty: no result is written for {path}",
        hint_for_weak_test(path, command, given),
    )


def print_reduced(
    result: Reduced, target: Path | None, path: str, command: tuple[str, ...], given: dict[str, Any], *, to_stdout: bool
) -> None:  # fmt: skip
    """Tell of a result, where it is, and what to type next."""
    if result.weak and not size(result.found[0]):
        _refuse(result, path, command, given)
    if target is not None:
        paths = [numbered(target, i + 1) for i in range(len(result.found))]
        result = replace(result, outputs=tuple(map(str, paths)))
    if to_stdout:
        sys.stdout.buffer.write(result.data)
        sys.stdout.buffer.flush()
    print_result(reduced_json(result), lambda _colour: reduced_text(result), given, err=to_stdout)
    if result.weak and not given["quiet"]:
        show(hint_for_weak_test(path, command, given), err=True)
    if hint := hint_for_clean_ups(result, given):
        show(hint)
