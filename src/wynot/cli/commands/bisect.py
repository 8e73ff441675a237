"""`wynot bisect`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import partial

import click

from wynot.cli.common_options import TreeOptions, apart_option, causes_option, flag, make_options, option, with_options
from wynot.cli.oracle_options import CommandSplit, make_oracle
from wynot.cli.patch_outputs import BuildProducts, targets
from wynot.cli.run_command import best_found, exit_on_errors, fail, live_progress
from wynot.cli.summaries import hint_for_newer_test, hint_to_copy, print_result
from wynot.commands.changes.changes_result import ChangesQuestion
from wynot.commands.changes.first_bad_commit import BisectResult, bisect
from wynot.commands.changes.old_and_new import stretch
from wynot.domains.changes.group_tree import LEVELS
from wynot.errors import NoFailureError, UsageError
from wynot.report.changes_report import bisect_json, bisect_text

_EPILOG = """\b
Examples:
  wynot bisect v1.2 HEAD -- pytest tests/test_x.py
  wynot bisect v1.2 HEAD --build make --test ./check

\b
COMMAND works at GOOD and fails at BAD. It runs inside each tree, as in
wynot changes. Revisions that do not build, or fail in another way, are
skipped. A merge counts as one commit; a guilty merge is searched within.
Nothing is checked out.
"""


@dataclass(frozen=True)
class BisectOptions(TreeOptions):
    """The options of `wynot bisect`."""

    output: str | None = option(
        "-o",
        metavar="PATCH",
        help="Where to write the guilty changes [culprit.patch].",
        brief="Write the guilty changes here",
    )
    build: str | None = option(
        metavar="COMMAND",
        help="Build each tree by this shell command; a tree that does not build is skipped.",
        brief="Build each tree by this shell command",
    )
    apart: int = apart_option()
    causes: int = causes_option()
    lines: bool = flag(help="Narrow the guilty changes down to single lines, and their commits.")
    no_resolve: bool = flag(help="Do not search messages of unresolved tests for missing changes.")
    coverage: bool = option(
        "--coverage/--no-coverage", default=True, help="First exclude changes to code that is not executed.  [on]"
    )


@click.command("bisect", cls=CommandSplit, short_help="Find the commits that broke a program", epilog=_EPILOG)
@click.argument("ends", nargs=-1, metavar="GOOD BAD [-- COMMAND...]")
@with_options(BisectOptions)
def bisect_command(given: BisectOptions, ends: tuple[str, ...]) -> None:
    """Find the commits that make BAD fail although GOOD works, and the guilty changes in them.

    A binary search along the revisions gives the first that fails. A failure that takes several commits shows only
    at the last of them: the others are found by a search among the changes up to there.
    """
    with exit_on_errors():
        good, bad, command = _ends(ends)
        question = ChangesQuestion(
            True, False, LEVELS, not given.no_resolve, given.coverage, given.lines, causes=given.causes
        )
        if given.algorithm is not None:
            raise UsageError(
                "bisect has one algorithm only", "leave out --algorithm, or: wynot changes --algorithm ..."
            )
        places = targets(given.output, question)
        between = stretch(good, bad)
        trees = between.folder(0).entries, between.folder(len(between.commits)).entries
        paths = {*trees[0], *trees[1]}
        inside = BuildProducts(paths, between.repository) if given.build is not None else paths
        oracle = make_oracle(given, command, inside, given.build)
        with live_progress(
            given, f"bisect {good} {bad}", len(between.commits), unit="suspects", halving=True
        ) as progress:
            options = make_options(given, progress, output=places.breaks)
            try:
                search = partial(bisect, between, oracle, options, question, (good, bad), apart=given.apart)
                result, ended = best_found(BisectResult, search)
            except NoFailureError as error:
                raise hint_for_newer_test(hint_to_copy(error, "BAD", bad), command, trees, good) from None
        written = places.paths if result.culprits is not None and result.culprits.breaks is not None else []
        others = len(result.culprits.causes) if result.culprits is not None else 0
        outputs = tuple(map(str, (*written, *places.others[:others])))
        culprits = replace(result.culprits, outputs=outputs) if result.culprits is not None else None
        _tell(replace(result, culprits=culprits, outputs=outputs), (good, bad), given, to_stdout=places.stdout)
        if ended is not None:
            fail(ended)


def _ends(words: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    ends, command = CommandSplit.parts(words)
    if len(ends) < 2:
        missing = "GOOD and BAD are" if not ends else "BAD is"
        raise UsageError(
            f"{missing} missing: between which revisions?", "for example: wynot bisect v1.2 HEAD -- COMMAND"
        )
    return ends[0], ends[1], (*ends[2:], *command)


def _tell(result: BisectResult, shown: tuple[str, str], given: BisectOptions, *, to_stdout: bool) -> None:
    answer = result.culprits.breaks if result.culprits is not None else None
    if to_stdout:
        sys.stdout.buffer.write(answer.patch if answer is not None else b"")
        sys.stdout.buffer.flush()
    print_result(bisect_json(result), lambda colour: bisect_text(result, shown, colour=colour), given, err=to_stdout)
