"""The program of `wynot trace`, as the options say: what it is, what it reads, where it runs, and when."""

from __future__ import annotations

import os
import re
import select
import stat
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from wynot.cli.common_options import (
    ProgramOptions,
    SearchCommand,
    flag,
    make_options,
    only_here,
    option,
    run_mode,
    with_options,
)
from wynot.cli.oracle_options import conditions_of, full_words, precision_of, script_path, split_words
from wynot.cli.run_command import best_found, exit_on_errors, fail, live_progress
from wynot.cli.summaries import keep_with_run
from wynot.commands.trace.record_run import RunSettings
from wynot.commands.trace.state_search import chain
from wynot.commands.trace.trace_reduction import Criterion, TraceResult, trace
from wynot.commands.trace.tracers import program_of
from wynot.core.text import counted, pasted
from wynot.engine.files.output_file import write_whole
from wynot.engine.input_source import read_file
from wynot.engine.record.read import stdin_of
from wynot.engine.run_options import Verifying
from wynot.errors import UsageError
from wynot.oracles.command import Command, find_debugger
from wynot.oracles.extra_commands import CommandThenScript
from wynot.oracles.same_output import OutputOracle
from wynot.oracles.script import Script
from wynot.report.escape import show, show_json
from wynot.report.trace_report import VIEWS, WHOLE, chain_json, chain_text, trace_json, trace_text, view

PATIENCE = 10.0
"""Seconds to wait for something on standard input."""


def setting_of(given: TraceOptions, command: tuple[str, ...]) -> RunSettings:
    """The program, what it reads, where, and in which world."""
    folder = given.folder or str(Path.cwd())
    if not Path(folder).is_dir():
        raise UsageError(f"{folder}: no such folder", f"make it: mkdir -p {pasted(folder)}")
    program = program_of(tuple(map(_node, full_words(command))))
    options = make_options(given)
    return RunSettings(
        program,
        read_stdin(given.stdin, quiet=given.quiet),
        str(Path(folder).absolute()),
        given.include,
        given.exclude,
        given.seed,
        _clock(given.clock),
        limits=options.limits,
        guarded=options.guarded,
        checkpoints=not given.no_checkpoints,
    )


def _clock(text: str | None) -> int:
    """A time in nanoseconds. Noon, unless told: so the same command goes on where it was, all day."""
    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    try:
        start = noon if text is None else datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        raise UsageError(f"--clock: invalid time {text!r}", "for example: --clock 2026-01-31T18:30") from None
    return int(start.timestamp()) * 10**9


def _node(word: str) -> str:
    """A test of a file, as pytest names it, with the full path of the file."""
    path, two, rest = word.partition("::")
    return f"{Path(path).absolute()}::{rest}" if two and Path(path).is_file() else word


def read_stdin(path: str | None, *, quiet: bool) -> bytes:
    """What the program reads."""
    if path is not None:
        return read_file(Path(path))
    if isinstance(known := run_mode(), Verifying):
        return stdin_of(known.proof.run)
    try:
        fd = sys.stdin.fileno()
        mode = os.fstat(fd).st_mode
    except (OSError, ValueError, AttributeError):
        return b""
    if sys.stdin.isatty() or stat.S_ISCHR(mode):
        return b""
    if not stat.S_ISREG(mode) and not select.select([fd], [], [], PATIENCE)[0]:
        if not quiet:
            show("nothing comes on standard input: taken for empty (else: --stdin FILE)", err=True)
        return b""
    return sys.stdin.buffer.read()


_EPILOG = """\b
Examples:
  wynot trace -- python prog.py ARGS          # what an exception needs
  wynot trace -- python -m pytest tests/test_x.py::test_y
  wynot trace --include '*/yaml/*' -- python load.py bad.yaml
  wynot trace --output-line 'sum = .*' -- perl sample.pl < numbers
  wynot trace --slice --same-output -- ./prog # native: gcc -g -O0, gdb

\b
Standard input is read once and given to each run. The program runs in the
current folder many times, and only in parts: if it deletes or overwrites
files, trace it in a copy (--folder).
Algorithms: sweep (default, coarse to fine); for single events also ddmin,
cdd, probdd, dd1999, ddplus.
The same command continues a run that was stopped or killed.
"""


@dataclass(frozen=True)
class TraceOptions(ProgramOptions):
    """The options of `wynot trace`."""

    same_output: bool = flag(
        help="Explain the output: keep all of it.", brief="Explain the output instead of a failure"
    )
    patterns: tuple[str, ...] = option(
        "--output-line",
        multiple=True,
        metavar="REGEX",
        help="Explain the output lines that match REGEX. Repeatable: a column for each.",
        brief="Explain the output lines that match this",
    )
    include: tuple[str, ...] = option(
        multiple=True,
        metavar="GLOB",
        help="Trace these files [the program's own code].",
        brief="Trace these files [the program's own code]",
    )
    exclude: tuple[str, ...] = option(multiple=True, metavar="GLOB", help="Do not trace these files.")
    stdin: str | None = option(metavar="FILE", help="What the program reads [wynot's own standard input].")
    clock: str | None = option(
        metavar="TIME",
        help="The time at which the program starts, for it: 2026-01-31, 2026-01-31T18:30 [today at noon].",
    )
    no_checkpoints: bool = flag(help="Start every replay at the first statement.")
    folder: str | None = option(metavar="DIR", help="Where the program runs [here].")
    shown: str = option(
        "--view", type=click.Choice(VIEWS), default="trace", show_default=True, help="What to show of the result."
    )
    causes: int = option(
        type=click.IntRange(min=1),
        default=1,
        metavar="N",
        help="Find up to N causes: remove the events of each one found, then search the rest.  [1]",
    )
    sliced: bool = flag(
        "--slice", help="Print the source lines only: as --view slice.", brief="Print the source lines only"
    )
    places: tuple[str, ...] = option(
        "--state",
        multiple=True,
        metavar="[FILE:]LINE",
        help="Isolate the variables that cause the difference to --passing at this line. Repeatable.",
        brief="Find the variables that matter at this line",
    )
    passing: str | None = option(metavar="'COMMAND'", help="For --state: a run of the same Python program that works.")
    passing_stdin: str | None = option(metavar="FILE", help="For --state: what that run reads [the same].")
    output: str | None = option(
        "-o", metavar="OUT", help="Also write the view to this file.", brief="Also write the view to this file"
    )
    test: str | None = option(
        metavar="SCRIPT",
        help="A test script; it gets the path of a file with the output, and finds `stderr` and `exit` beside it. "
        "Exit 0: the behaviour is kept; 125: unresolved; else: it is not.",
    )
    seed: int = option(type=int, default=0, show_default=True, help="For the random numbers of the program.")


@click.command("trace", cls=SearchCommand, short_help="Find the executed statements that matter", epilog=_EPILOG)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@with_options(TraceOptions)
def trace_command(given: TraceOptions, command: tuple[str, ...]) -> None:
    """Reduce the execution trace of a program: the executed statements that its failure, or its output, takes.

    The program is run in part, again and again: the recorded trace says what runs next, statements that are left out
    are skipped. What remains is 1-minimal: without any single one of them the failure does not show.
    """
    with exit_on_errors():
        only_here(given, "a trace is replayed where it was recorded")
        if not command:
            raise UsageError("what is to be traced?", "add the program: wynot trace -- python prog.py ARGS")
        shown = "slice" if given.sliced else given.shown
        criteria = _criteria(given)
        setting = setting_of(given, command)
        if given.places and given.causes > 1:
            raise UsageError("--state compares two runs: it has no --causes", "leave one of them out")
        if given.places:
            _chain(given, setting, criteria)
            return
        with live_progress(given, f"trace {' '.join(command)}", 0, unit="events") as progress:
            options = make_options(given, progress, causes=given.causes, stdin=setting.stdin)
            result, ended = best_found(TraceResult, partial(trace, setting, criteria, options))
        _tell(result, shown, given, early=ended is not None)
        if ended is not None:
            fail(ended)


def _chain(given: TraceOptions, setting: RunSettings, criteria: list[tuple[str, Criterion]]) -> None:
    """`--state`."""
    if given.passing is None and given.passing_stdin is None:
        raise UsageError(
            "--state compares a failing run with a passing one",
            "add it: --passing 'python prog.py good', or --passing-stdin FILE",
        )
    passing = setting
    if given.passing is not None:
        passing = replace(setting, program=program_of(split_words(given.passing, "--passing")))
    if given.passing_stdin is not None:
        passing = replace(passing, stdin=read_stdin(given.passing_stdin, quiet=True))
    places = [_place(word, setting) for word in given.places]
    with live_progress(given, f"trace {setting.program.words[0]}", 0, unit="variables") as progress:
        links = chain(setting, passing, places, criteria[0][1], make_options(given, progress))
    if given.as_json:
        show_json(chain_json(links))
    elif not given.quiet:
        show(chain_text(links))


def _place(word: str, setting: RunSettings) -> tuple[str, int]:
    file, _, line = word.rpartition(":")
    if not line.isdigit():
        raise UsageError(f"--state: {word!r} is no line", "for example: --state 12, or --state prog.py:12")
    path = Path(file or setting.program.words[0])
    if not path.is_file():
        raise UsageError(f"{path}: no such file", "name it: --state FILE:LINE")
    return str(path.absolute()), int(line)


def _criteria(given: TraceOptions) -> list[tuple[str, Criterion]]:
    """What is to be explained: one column for each."""
    conditions = conditions_of(given)
    ways = [given.same_output, bool(given.patterns), given.test is not None, bool(conditions)]
    if sum(ways) > 1:
        raise UsageError(
            "--same-output, --output-line, --test and --fail-if-... each say what is to be explained",
            "give one of them",
        )
    if given.same_output:
        return [("same output", OutputOracle)]
    if given.patterns:
        return [(pattern, _output(pattern)) for pattern in given.patterns]
    if given.test is not None:
        script = Script(script_path(given.test))
        return [(Path(given.test).name, lambda command: CommandThenScript(command, script))]
    precision = precision_of(given.precision)

    def signature(command: Command) -> Command:
        return Command(command.argv, conditions, precision, find_debugger(), stdin=command.stdin, typed=command.typed)

    return [("failure", signature)]


def _output(pattern: str) -> Criterion:
    try:
        re.compile(os.fsencode(pattern))
    except re.error as error:
        raise UsageError(f"--output-line: {error}", "check the pattern, and quote it") from None
    return lambda command: OutputOracle(command, pattern)


def _tell(result: TraceResult, shown: str, given: TraceOptions, *, early: bool) -> None:
    text = view(result, shown)
    if given.output:
        write_whole(Path(given.output), text.encode())
    summary = trace_json(result)
    run = keep_with_run(summary)
    if given.as_json:
        show_json(summary)
    elif not given.quiet:
        show(_beginning(text) if early else text, end="")
        show(f"{trace_text(result)}\n{run}", err=shown == "slice")


def _beginning(text: str) -> str:
    """Of a trace that was hardly reduced, as much as somebody may wish to see who has stopped it."""
    lines = text.splitlines(keepends=True)
    left = len(lines) - WHOLE
    if left <= 0:
        return text
    return f"{''.join(lines[:WHOLE])}… and {counted(left, 'line')} more: -o FILE writes them all\n"
