"""How `wynot reduce` tells of its result; loaded while the first tests run."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from wynot.cli.plainer import plainer
from wynot.cli.summary import tell
from wynot.cli.weak import tightening
from wynot.report.machine import reduced_json
from wynot.report.text import reduced_text
from wynot.run.reduce import numbered
from wynot.run.result import Reduced


def tell_reduced(
    result: Reduced, target: Path | None, path: str, command: tuple[str, ...], given: dict[str, Any], *, to_stdout: bool
) -> None:  # fmt: skip
    """Tell of a result, where it is, and what to type next."""
    if target is not None:
        paths = [numbered(target, i + 1) for i in range(len(result.found))]
        result = replace(result, outputs=tuple(map(str, paths)))
    if to_stdout:
        sys.stdout.buffer.write(result.data)
        sys.stdout.buffer.flush()
    tell(reduced_json(result), lambda _colour: reduced_text(result), given, err=to_stdout)
    if result.weak and not given["quiet"]:
        click.echo(tightening(path, command, given), err=True)
    if hint := plainer(result, given):
        click.echo(hint)
