"""`wynot isolate`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from wynot.cli.common_options import (
    CommonOptions,
    SearchCommand,
    causes_option,
    make_options,
    option,
    same_file,
    with_options,
)
from wynot.cli.oracle_options import make_oracle
from wynot.cli.run_command import best_found, exit_on_errors, fail, live_progress
from wynot.cli.summaries import print_result
from wynot.commands.isolation import isolate
from wynot.core.text import pasted
from wynot.engine.files.file_states import keep_if_not_ours
from wynot.engine.files.output_file import mode_of_result, numbered
from wynot.engine.input_source import read_input
from wynot.engine.results import Isolated
from wynot.errors import UsageError
from wynot.report.result_json import isolated_json
from wynot.report.result_text import isolated_text

_EPILOG = """\b
Examples:
  wynot isolate bug.html -- browser --print {}
  wynot isolate fails.json --passing works.json -o diff -- ./load {}

\b
Algorithms: dd (default), ddmax (grow the passing side only).
"""


@dataclass(frozen=True)
class IsolateOptions(CommonOptions):
    """The options of `wynot isolate`."""

    passing: str | None = option(
        metavar="FILE", help="A passing input [the empty one].", brief="A passing input [the empty one]"
    )
    output: str | None = option(
        "-o",
        metavar="DIR",
        help="Where to write `passing` and `failing` [NAME.isolated here].",
        brief="Write the two inputs here",
    )
    causes: int = causes_option()


@click.command("isolate", cls=SearchCommand, short_help="Find what makes an input fail", epilog=_EPILOG)
@click.argument("failing", type=click.Path(readable=False))
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@with_options(IsolateOptions)
def isolate_command(given: IsolateOptions, failing: str, command: tuple[str, ...]) -> None:
    """Isolate the smallest difference between a passing and a failing input.

    Writes two inputs, one that passes and one that fails, and shows what is between them: what decides.
    """
    with exit_on_errors():
        oracle = make_oracle(given, command, path=failing)
        source = Path(failing)
        given_input = read_input(source)  # a bad input is told before anything else
        folder = Path(given.output) if given.output is not None else Path(f"{source.name}.isolated")
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file", f"name a folder: -o {pasted(f'{folder}.d')}")
        targets = [
            numbered(folder / side, number) for number in range(1, given.causes + 1) for side in ("passing", "failing")
        ]
        for given_file in (source, Path(given.passing) if given.passing else source):
            if any(same_file(each, given_file) for each in targets):
                raise UsageError(
                    "the inputs are never overwritten", f"name another folder: -o {pasted(f'{source.stem}.d')}"
                )
        with live_progress(given, f"isolate {failing}", len(given_input.data), name=given_input.name) as progress:
            keep_if_not_ours(targets, progress)
            options = make_options(
                given, progress, output=folder, output_mode=mode_of_result(source), causes=given.causes
            )
            result, ended = best_found(Isolated, partial(isolate, given_input, oracle, options, passing=given.passing))
        result = replace(result, outputs=tuple(map(str, targets[: 2 * len(result.causes)])))
        print_result(isolated_json(result), lambda colour: _words(result, colour=colour), given)
        if ended is not None:
            fail(ended)


def _words(result: Isolated, *, colour: bool) -> str:
    from wynot.report.isolate_report import show_difference  # noqa: PLC0415 - rich takes a tenth of a second to load

    shown = [show_difference(each.passing, each.failing, colour=colour) for each in result.causes]
    return "\n".join(shown) + isolated_text(result)
