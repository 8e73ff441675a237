"""`wynot changes`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from wynot.cli.common_options import TreeOptions, apart_option, causes_option, flag, make_options, option, with_options
from wynot.cli.oracle_options import CommandSplit, make_oracle
from wynot.cli.patch_outputs import BuildProducts, PatchTargets, targets
from wynot.cli.run_command import best_found, exit_on_errors, fail, live_progress
from wynot.cli.summaries import hint_for_newer_test, hint_to_copy, print_result
from wynot.commands.changes.changes_result import ChangesQuestion, ChangesResult
from wynot.commands.changes.coverage_filter import read_coverage
from wynot.commands.changes.investigation import changes
from wynot.commands.changes.old_and_new import patch_sources, sources
from wynot.core.run_events import Caution
from wynot.domains.changes.group_tree import LEVELS
from wynot.errors import NoFailureError, UsageError
from wynot.report.changes_report import changes_text
from wynot.report.result_json import changes_json

CRITERIA = (*LEVELS, "commit", "date")
_EPILOG = """\b
Examples:
  wynot changes v1.2 HEAD -- pytest tests/test_x.py     # two git revisions
  wynot changes v1.2 . -- make check                    # the working tree
  wynot changes old/ new/ --build make -- ./run tests   # two folders
  wynot changes old/ --patch update.patch --test ./check

\b
COMMAND works on OLD and fails on NEW. It runs inside the tree that is
tested: its words name files of that tree. A test script also runs there
and gets the path of the tree; exit 0: it fails; 125: unresolved; else: it
passes.

\b
Without --algorithm, groups of changes are searched from coarse to fine and
missing changes are added. Algorithms for single changes: dd1999, ddplus,
ddmin, dd, ddmax, sweep. Folders and repositories are never modified.
The same command continues a run that was stopped or killed.
"""


@dataclass(frozen=True)
class ChangesOptions(TreeOptions):
    """The options of `wynot changes`."""

    output: str | None = option(
        "-o",
        metavar="PATCH",
        help="Where to write what breaks OLD; what repairs NEW goes to NAME.repair.patch "
        "[culprit.patch, repair.patch].",
        brief="Write the guilty changes here",
    )
    breaks: bool = flag(help="Find only what breaks OLD: the smallest set that, applied to it, fails.")
    repairs: bool = flag(help="Find only what repairs NEW: the smallest set without which it passes.")
    patches: tuple[str, ...] = option(
        "--patch",
        multiple=True,
        metavar="FILE",
        help="NEW is OLD with this patch (or mailbox, or quilt series). Repeatable.",
        brief="NEW is OLD with this patch",
    )
    build: str | None = option(
        metavar="COMMAND",
        help="Build each tree by this shell command; a tree that does not build is unresolved.",
        brief="Build each tree by this shell command",
    )
    apart: int = apart_option()
    group_by: str = option(
        metavar="CRITERIA",
        default=",".join(LEVELS),
        show_default=True,
        help=f"How to group changes, coarse to fine, separated by commas: {', '.join(CRITERIA)}; or none.",
    )
    no_resolve: bool = flag(help="Do not search messages of unresolved tests for missing changes.")
    coverage: bool = option(
        "--coverage/--no-coverage",
        default=True,
        help="First exclude changes to code that the failing run does not execute (confirmed by a test).  [on]",
    )
    coverage_from: str | None = option(
        metavar="FILE", help="What NEW executes: LCOV, Cobertura, gcov or coverage.py data."
    )
    ordered: bool = flag(help="Test only prefixes of the history: a change always comes with all earlier commits.")
    causes: int = causes_option()
    lines: bool = flag(help="Narrow the changes that break OLD down to single lines.")


@click.command("changes", cls=CommandSplit, short_help="Find the code changes that broke a program", epilog=_EPILOG)
@click.argument("ends", nargs=-1, metavar="OLD NEW [-- COMMAND...]")
@with_options(ChangesOptions)
def changes_command(given: ChangesOptions, ends: tuple[str, ...]) -> None:
    """Find the changes that make NEW fail although OLD works: folders, or git revisions.

    There are two answers: the changes that break OLD, and those whose removal repairs NEW.
    """
    with exit_on_errors():
        question, (old, new, command) = _question(given), _ends(ends, given.patches)
        patches = tuple(map(Path, given.patches))
        places = targets(given.output, question)
        compare = partial(patch_sources, old, patches) if patches else partial(sources, old, new)
        found = compare(apart=given.apart, without=places.own)
        shown = old, new or f"{old} with the patch{'es' if len(patches) > 1 else ''}"
        paths = {*found.old.entries, *found.new.entries}
        inside = BuildProducts(paths, found.repository) if given.build is not None else paths
        oracle = make_oracle(given, command, inside, given.build)
        executed = read_coverage(Path(given.coverage_from), found.new) if given.coverage_from is not None else None
        with live_progress(given, f"changes {shown[0]} {shown[1]}", len(found.changes), unit="changes") as progress:
            for note in found.notes:
                progress(Caution(note))
            options = make_options(given, progress, output=places.breaks)
            search = partial(
                changes, found, oracle, options, question, executed=executed, shown=shown, repair=places.repairs
            )
            try:
                result, ended = best_found(ChangesResult, search)
            except NoFailureError as error:
                trees = found.old.entries, found.new.entries
                raise hint_for_newer_test(_by_hand(error, new, patches), command, trees, old) from None
        _tell(result, shown, places, given)
        if ended is not None:
            fail(ended)


def _question(given: ChangesOptions) -> ChangesQuestion:
    """What is to be found out."""
    both = given.breaks == given.repairs
    named = given.algorithm is not None or given.ordered
    if named and given.repairs:
        raise UsageError(
            "--algorithm and --ordered search for what breaks the old one",
            "leave out --repairs, or leave out the other",
        )
    if given.lines and given.repairs and not given.breaks:
        raise UsageError("--lines is about what breaks OLD", "leave out --repairs, or --lines")
    if given.causes > 1 and (named or not (both or given.breaks)):
        raise UsageError(
            "--causes goes with the default search, for what breaks OLD",
            "leave out --algorithm, --ordered and --repairs, or leave out --causes",
        )
    if named and given.lines:
        raise UsageError("--lines goes with the default search", "leave out --algorithm and --ordered")
    by = tuple(word.strip() for word in given.group_by.split(",")) if given.group_by != "none" else ()
    for name in by:
        if name not in CRITERIA:
            hint = f"choose some of: {','.join(CRITERIA)}; or none"
            raise UsageError(f"--group-by: there are no groups by {name!r}", hint)
    return ChangesQuestion(
        both or given.breaks,
        (both or given.repairs) and not named,
        by,
        not given.no_resolve,
        given.coverage,
        given.lines,
        given.ordered,
        causes=given.causes,
    )


def _ends(words: Sequence[str], patches: Sequence[str]) -> tuple[str, str, tuple[str, ...]]:
    """Old, new, and what was written of the command; with patches there is no new one."""
    ends, command = CommandSplit.parts(words)
    wanted = 1 if patches else 2
    if len(ends) < wanted:
        missing = "OLD and NEW are" if not ends else "NEW is"
        raise UsageError(
            f"{missing} missing: which ones are to be compared?",
            "for example: wynot changes v1.2 HEAD -- COMMAND; for the working tree, NEW is .",
        )
    if patches and len(ends) == 2 and not command:
        raise UsageError("give NEW or patches, not both", f"leave out {ends[1]}, or leave out --patch")
    return ends[0], ends[1] if wanted == 2 else "", (*ends[wanted:], *command)


def _by_hand(error: NoFailureError, new: str, patches: Sequence[Path]) -> NoFailureError:
    """What to type where the new one is no folder in which a command could be run."""
    if patches and error.reason == "swapped":
        return NoFailureError(f"{str(error).partition(':')[0]}: the patch repairs it", "there is nothing to look for")
    if error.reason != "not shown" or (new and Path(new).is_dir()):
        return error
    if patches:
        hint = "NEW is to be the one that fails; try it by hand, in a copy of the folder, after git apply"
        return NoFailureError(str(error), hint, error.evidence, error.reason)
    return hint_to_copy(error, "NEW", new)


def _tell(result: ChangesResult, shown: tuple[str, str], places: PatchTargets, given: ChangesOptions) -> None:
    answers = ((result.breaks, places.breaks), (result.repairs, places.repairs))
    others = [str(path) for path in places.others[: len(result.causes)]]
    outputs = (*(str(path) for answer, path in answers if answer is not None and path is not None), *others)
    result = replace(result, outputs=outputs)
    if places.stdout:
        for answer, _ in answers:
            sys.stdout.buffer.write(answer.patch if answer is not None else b"")
        sys.stdout.buffer.flush()
    print_result(
        changes_json(result), lambda colour: changes_text(result, shown, colour=colour), given, err=places.stdout
    )
