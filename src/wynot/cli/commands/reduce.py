"""The clean-ups that may be asked for after a search."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wynot.cli.commands.grammar import LanguageOptions, given_grammar
from wynot.cli.common_options import (
    CommonOptions,
    SearchCommand,
    check_target,
    flag,
    make_options,
    option,
    same_file,
    with_options,
)
from wynot.cli.oracle_options import make_oracle
from wynot.cli.run_command import best_found, exit_on_errors, fail, live_progress
from wynot.commands.reduce.reduction import reduce
from wynot.core.artifact import size
from wynot.core.run_events import Caution
from wynot.core.text import pasted
from wynot.engine.files.file_states import keep_if_not_ours
from wynot.engine.files.folder_io import real_path
from wynot.engine.files.output_file import mode_of_result, numbered
from wynot.engine.input_source import InputFolder, read_given
from wynot.errors import UsageError
from wynot.oracles.protocol import HOLE

if TYPE_CHECKING:
    from wynot.engine.results import Reduced


@dataclass(frozen=True)
class CleanupOptions:
    """The clean-ups that may be asked for after a search."""

    comments: bool = flag(help="Then remove comments.")
    literals: bool = flag(help="Then simplify numbers and strings.")
    rename: bool = flag(help="Then rename identifiers to a, b, c.")
    whitespace: bool = flag(help="Then remove blank lines and indentation.")
    chars: bool = flag(help="Then remove single characters.")
    clang_delta: bool = flag(help="C and C++: then apply the transformations of clang_delta (apt install cvise).")


def cleanups(given: CleanupOptions) -> tuple[str, ...]:
    """Those that were asked for."""
    return tuple(each.name.replace("_", "-") for each in fields(CleanupOptions) if getattr(given, each.name))


def folder_target(name: str, output: str | None) -> Path:
    """Where the result goes."""
    if output == "-":
        raise UsageError(
            "a folder does not fit into standard output", f"name a folder: -o {pasted(f'{name[:40]}.reduced')}"
        )
    return Path(output) if output is not None else Path(f"{name}.reduced")


def beside_the_copy(command: tuple[str, ...], original: Path) -> Iterator[str]:
    """Warnings for the words of a command that name the original, where the copy was meant most likely."""
    whole = real_path(original)
    for word in command[1:]:
        if word.startswith("-") or HOLE in word or not word:
            continue
        try:
            inside = real_path(Path(word)).relative_to(whole)
            there = Path(word).exists()
        except (OSError, ValueError):
            continue
        if there:
            meant = HOLE if inside == Path() else f"{HOLE}/{inside}"
            yield f"{word} is of the original, and the same in all tests; what is tested is {meant}"
    if any(HOLE in word for word in command):
        return
    for word in command[1:]:
        if word.startswith("/") and whole.is_relative_to(real_path(Path(word))) and whole != real_path(Path(word)):
            yield f"{word} holds the original, which is the same in all tests; name that folder by a relative path"


_EPILOG = """\b
Examples:
  wynot reduce bug.c -- gcc -O2 -c {}           # the command that fails
  wynot reduce bug.c --test ./interesting.sh    # a script, as for creduce
  wynot reduce a.json -j 4 --fail-if-output KeyError -- python3 load.py {}
  wynot reduce fuzz.bin -- ./parser             # without {}: standard input
  wynot reduce project -- make -C {}            # a folder and its files
  wynot reduce sum.x --grammar calc.y -- ./calc {}

\b
Algorithms for trees: hdd, hdd_plus, hdd_star; for lists: sweep (fewest
tests), ddmin, cdd, probdd, dd1999, ddplus. Without --algorithm, wynot
chooses by the input and searches until nothing more can be removed.
The same command continues a run that was stopped or killed.
"""


@dataclass(frozen=True)
class ReduceOptions(LanguageOptions, CleanupOptions, CommonOptions):
    """The options of `wynot reduce`."""

    output: str | None = option(
        "-o",
        metavar="OUT",
        help="Where to write the result; - is standard output [NAME.reduced.EXT here, a folder to NAME.reduced].",
        brief="Write the result here [NAME.reduced.EXT]",
    )
    causes: int = option(
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Find up to N independent causes: remove each one found, then reduce the rest.",
    )
    monotone: bool = flag(help="Assume that any superset of a failing input fails; skip tests whose outcome follows.")


@click.command("reduce", cls=SearchCommand, short_help="Find the smallest input that still fails", epilog=_EPILOG)
@click.argument("path", type=click.Path(readable=False))
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@with_options(ReduceOptions)
def reduce_command(given: ReduceOptions, path: str, command: tuple[str, ...]) -> None:
    """Find the smallest part of PATH, a file or a folder, that still fails.

    COMMAND is the command that fails; {} in it is the path of the input.
    """
    with exit_on_errors():
        oracle = make_oracle(given, command, path=path)
        source = Path(path)
        given_input = read_given(source)  # a bad input is told before anything else
        folder = isinstance(given_input, InputFolder)
        target = folder_target(given_input.name, given.output) if folder else _target(source, given)
        content = given_input.data
        with live_progress(
            given, f"reduce {path}", size(content), name=source.name, best=lambda: content, language=given.language
        ) as progress:
            for warning in beside_the_copy(command, source):
                progress(Caution(warning))
            if target is not None and not folder:
                keep_if_not_ours([numbered(target, number + 1) for number in range(given.causes)], progress)
            options = make_options(
                given,
                progress,
                causes=given.causes,
                monotone=given.monotone,
                language=given.language,
                validity=given.validity,
                cleanups=cleanups(given),
                grammar=given_grammar(given, folder=folder),
                output=target,
                output_mode=None if folder else mode_of_result(source),
            )
            result, ended = best_found(_reduced, partial(reduce, given_input, oracle, options))
        from wynot.cli.summaries import print_reduced  # noqa: PLC0415 - engine.warmup

        print_reduced(result, target, path, command, given)
        if ended is not None:
            fail(ended)


def _reduced() -> type[Reduced]:
    from wynot.engine.results import Reduced  # noqa: PLC0415 - engine.warmup

    return Reduced


def _target(source: Path, given: ReduceOptions) -> Path | None:
    """Where the result goes; the original is never touched."""
    output, causes = given.output, given.causes
    if output == "-" and causes > 1:
        raise UsageError("several causes do not fit into standard output", "name a file: -o small")
    if output == "-":
        return None
    target = Path(output) if output is not None else Path(f"{source.stem}.reduced{source.suffix}")
    other = f"name another file: -o {pasted(f'{source.stem[:40]}.reduced{source.suffix[:20]}')}"
    if any(same_file(numbered(target, number + 1), source) for number in range(causes)):
        raise UsageError("the original is never overwritten", other)
    check_target(target, other, _inside(target, source))
    return target


def _inside(folder: Path, source: Path) -> Path:
    """A name in a folder for what is left of a file, other than that of the file itself."""
    same = os.path.exists(folder / source.name)  # noqa: PTH110 - this one never raises
    return folder / (f"{source.stem}.reduced{source.suffix}" if same else source.name)
