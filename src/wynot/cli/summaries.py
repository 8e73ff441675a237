"""The summaries that commands print after a run, and hints on what to type next."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NoReturn

from wynot.cli.common_options import OracleOptions, OutputOptions, available, typed
from wynot.cli.rerun import without_fresh
from wynot.core.artifact import size
from wynot.engine.files.output_file import numbered
from wynot.engine.record.read import keep_summary
from wynot.engine.results import Reduced
from wynot.engine.session import SHORT
from wynot.errors import NoFailureError
from wynot.oracles.protocol import HOLE
from wynot.report.escape import show, show_json
from wynot.report.result_json import reduced_json
from wynot.report.result_text import reduced_text

if TYPE_CHECKING:  # it loads this module when it has a result
    from wynot.cli.commands.reduce import ReduceOptions


def print_result(summary: str, words: Callable[[bool], str], given: OutputOptions, *, err: bool = False) -> None:
    """Print a result for machines or in words, as was asked for; `words` are told whether there may be colours."""
    run = keep_with_run(summary)
    if given.as_json:
        show_json(summary, err=err)
    elif not given.quiet:
        colour = (sys.stderr if err else sys.stdout).isatty() and "NO_COLOR" not in os.environ
        show(f"{words(colour)}\n{run}", err=err)


def keep_with_run(summary: str) -> str:
    """Keep what `--json` prints with its run; gives the line that names the run, nothing where there is none."""
    told = json.loads(summary)
    runs = [each["run"] for each in told.get("columns", [told]) if each.get("run")]
    if told.get("along", {}).get("run"):
        runs.insert(0, told["along"]["run"])
    for run in runs:
        keep_summary(run, told)
    return f"run {runs[0][:SHORT]}: wynot report {runs[0][:SHORT]}" if runs else ""


# How `wynot reduce` tells of its result; loaded while the first tests run.


def _refuse(result: Reduced, path: str, command: tuple[str, ...], given: ReduceOptions) -> NoReturn:
    """Say that there is no result: the failure shows without the input, too."""
    summary = reduced_json(result)
    if given.as_json:
        show(summary)
    keep_with_run(summary)
    raise NoFailureError(
        f"the smallest input that fails is empty: no result is written for {path}",
        hint_for_weak_test(path, command, given),
    )


def print_reduced(
    result: Reduced, target: Path | None, path: str, command: tuple[str, ...], given: ReduceOptions
) -> None:
    """Tell of a result, where it is, and what to type next; without a target, it goes to standard output."""
    if result.weak and not size(result.found[0]):
        _refuse(result, path, command, given)
    if target is not None:
        paths = [numbered(target, i + 1) for i in range(len(result.found))]
        result = replace(result, outputs=tuple(map(str, paths)))
    else:
        sys.stdout.buffer.write(result.data)
        sys.stdout.buffer.flush()
    print_result(reduced_json(result), lambda _colour: reduced_text(result), given, err=target is None)
    if result.weak and not given.quiet:
        show(hint_for_weak_test(path, command, given), err=True)
    if hint := hint_for_clean_ups(result, given):
        show(hint)


# What to type next, after an error or beside a result.


_SCRIPT = re.compile(r"[\w./-]{0,200}\w\.[a-z]{1,4}")
"""The name of a file, by its looks."""


def hint_for_newer_test(
    error: NoFailureError, command: Sequence[str], ends: tuple[Container[str], Container[str]], name: str
) -> NoFailureError:
    """What to type where the command names a file that only the new tree has; `name`: what the old one is called."""
    old, new = ends
    for word in command if error.reason == "old fails" else ():
        path = word.partition("::")[0].removeprefix("./")
        if path in new and path not in old:
            hint = f"{path} is newer than {name}: copy it out of the tree, and name the copy: cp {quote(path)} /tmp"
            return NoFailureError(str(error), hint, error.evidence, error.reason)
        if _SCRIPT.fullmatch(path) and path not in old and path not in new and not Path(path).exists():
            hint = f"neither tree has {path}: is that its name? If it is not needed: {error.hint}"
            return NoFailureError(str(error), hint, error.evidence, error.reason)
    return error


def hint_to_copy(error: NoFailureError, end: str, revision: str) -> NoFailureError:
    """What to type where the one that is to fail is no folder; `end`: what it is called on the command line."""
    if error.reason != "not shown":
        return error
    copy = f"git worktree add --detach ../try {quote(revision)}"
    return NoFailureError(
        str(error),
        f"{end} is to be the one that fails; try it by hand, in a copy: {copy}",
        error.evidence,
        error.reason,
    )


LINES = 60
"""What has more lines than these is not made plainer by shorter names."""
LONG = 10.0
"""Seconds after which several tests at once are worth it."""


def hint_for_clean_ups(result: Reduced, given: ReduceOptions) -> str:
    """What to type to make a result plainer, on a terminal, where something is left to ask for; else nothing.

    Searches in plain text go on to single characters anyway.
    """
    for_most = {"--rename": given.rename, "--whitespace": given.whitespace, "--chars": given.chars}
    missing = [name for name, asked in for_most.items() if not asked]
    done = result.status == "done" and result.minimality == "1-tree-minimal" and not result.weak
    if given.as_json or given.quiet or not done or not missing or not result.outputs or not sys.stdout.isatty():
        return ""
    if not result.causes or len(result.data.splitlines()) > LINES:
        return ""
    slow = given.jobs == 1 and not given.cluster and result.cost.wall > LONG and available() > 1
    first, *rest = without_fresh(typed()) or ("reduce",)
    words = ("wynot", first, *missing, *(("-j", "0") if slow else ()), *rest)
    return f"plainer still: {shlex.join(words)}"  # what has been tested is known by then


def hint_for_weak_test(path: str, command: Sequence[str], given: OracleOptions) -> str:
    """How the test could say more, and the command that shows whether it does."""
    words = ["wynot", "check", path]
    if given.test is not None:
        advice = f"let {given.test} exit 0 only if the failure shows"
        words += ["--test", given.test]
    elif given.differs_from is not None:
        advice = "say what a valid input is"
        words += ["--differs-from", given.differs_from, "--valid-if", "COMMAND {}"]
    else:
        advice = "say what the failure prints"
        words += ["--fail-if-output", "TEXT"]
    typed = shlex.join([*words, *(("--", *command) if command else ())])
    if command and not any(HOLE in word for word in command):
        advice += f", or, if it wants a path and not its standard input, add {HOLE} to it"
    return f"tighten the test: {advice}; then look: {typed}"
