"""`wynot events`, `wynot events replay`, `wynot events record`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from wynot.cli.common_options import (
    ProgramOptions,
    SearchCommand,
    available,
    causes_option,
    duration,
    flag,
    make_options,
    only_here,
    option,
    same_file,
    with_options,
)
from wynot.cli.oracle_options import full_words, make_calling_oracle, make_oracle
from wynot.cli.run_command import best_found, exit_on_errors, fail, live_progress
from wynot.cli.summaries import print_result
from wynot.commands.recordings import replay_client
from wynot.commands.recordings.action_search import events, read_actions
from wynot.commands.recordings.replay_server import keeping
from wynot.commands.recordings.replay_settings import LOST, ReplaySettings, check_x11, find_browser, replay, state_of
from wynot.commands.recordings.x11_replay import record, stale_displays, sweep_displays
from wynot.core.text import pasted
from wynot.domains.recordings.recorded_steps import Recording
from wynot.engine.files.file_states import keep_if_not_ours
from wynot.engine.files.output_file import PRIVATE, mode_of_result, numbered, write_whole
from wynot.engine.input_source import read_input
from wynot.engine.results import ReducedRecording
from wynot.errors import UsageError
from wynot.oracles.protocol import HOLE, Oracle
from wynot.oracles.same_output import ReplayCommand
from wynot.report.escape import show
from wynot.report.options_report import events_json, events_text

_EPILOG = """\b
Examples:
  wynot events shop.json                       # from Chrome's DevTools
  wynot events shop.json --serve ./site -j 4   # pages from a folder
  wynot events shop.json --fail-if-text NaN    # the page shows NaN
  wynot events record -o log.jsonl -- ./editor # record a program on X11
  wynot events log.jsonl -j 4 -- ./editor      # which actions crash it?
  wynot events log.jsonl -- ./my-replayer {}   # with your own replayer

\b
Formats: DevTools Recorder (JSON), Playwright scripts in Python (.py), JSON
lines, X11 logs of `wynot events record`.
"""


@dataclass(frozen=True)
class ReplayOptions:
    """How to replay a recording, and what its failure is."""

    browser: str | None = option(metavar="PATH", help="The browser [Chromium or Chrome, if installed].")
    serve: str | None = option(
        metavar="DIR",
        help="Serve the recorded site from this folder; each replay has its own server.",
        brief="Serve the recorded site from this folder",
    )
    patience: float = option(type=duration, default="100ms", show_default=True, help="How long to wait for an element.")
    settle: float = option(
        type=duration, default="200ms", show_default=True, help="How long to wait after the last action."
    )
    pace: float | None = option(type=duration, metavar="TIME", help="Wait between two actions [not at all].")
    strict: bool = flag(help="A replay is unresolved if an action cannot be performed [the action is skipped].")
    screen: str = option(default="1024x768", show_default=True, help="The screen of an X11 program.")
    fail_if_text: str | None = option(
        metavar="TEXT",
        help="It fails if this text is on the page at the end.",
        brief="It fails if the page has this text",
    )
    fail_if_selector: str | None = option(metavar="CSS", help="It fails if this element is visible.")
    fail_if_script: str | None = option(metavar="JS", help="It fails if this expression is true in the page.")
    fail_if_console: str | None = option(metavar="REGEX", help="It fails if a console line matches this.")
    fail_if_error: str | None = option(
        metavar="REGEX",
        help="It fails if an uncaught error matches this [any error or crash].",
        brief="It fails if an uncaught error matches this",
    )
    check: str | None = option(
        metavar="COMMAND", help="It fails if this exits 0; it reads the HTML, or sees the display."
    )


@dataclass(frozen=True)
class EventsOptions(ReplayOptions, ProgramOptions):
    """The options of `wynot events reduce`."""

    output: str | None = option(
        "-o",
        metavar="OUT",
        help="Where to write the result [NAME.reduced.EXT here].",
        brief="Write the result here [NAME.reduced.EXT]",
    )
    causes: int = causes_option()


def _how(given: ReplayOptions) -> ReplaySettings:
    serve = given.serve
    if serve is not None and not Path(serve).is_dir():
        raise UsageError(f"{serve}: no such folder", f"check the path: ls -ld {pasted(serve)}")
    return ReplaySettings(
        browser=given.browser,
        serve=None if serve is None else str(Path(serve).absolute()),
        served="" if serve is None else state_of(Path(serve)),
        patience=given.patience,
        settle=given.settle,
        pace=given.pace or 0.0,
        strict=given.strict,
        screen=given.screen,
        text=given.fail_if_text,
        selector=given.fail_if_selector,
        script=given.fail_if_script,
        console=given.fail_if_console,
        error=given.fail_if_error,
        check=given.check,
    )


class _Group(click.Group):
    """`wynot events FILE` is short for `wynot events reduce FILE`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put in the word that is left out."""
        if args and args[0] not in {*self.commands, "-h", "--help"}:
            args = ["reduce", *args]
        return super().parse_args(ctx, args)


@click.group("events", cls=_Group, short_help="Find the user actions that cause a failure", epilog=_EPILOG)
def events_command() -> None:
    """Find the user actions that a failure needs: `wynot events RECORDING` (see `wynot events reduce --help`)."""


@events_command.command("reduce", cls=SearchCommand, short_help="Find the actions that a failure needs", epilog=_EPILOG)
@click.argument("recording", type=click.Path(readable=False))
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
@with_options(EventsOptions)
def reduce_command(given: EventsOptions, recording: str, program: tuple[str, ...]) -> None:
    """Leave out the recorded actions that the failure does not need."""
    with exit_on_errors():
        only_here(given, "a replay is done by a browser or on a display that is kept open here")
        source = Path(recording)
        given_input = read_input(source)
        found = read_actions(given_input).recording
        target = Path(given.output) if given.output is not None else Path(f"{source.stem}.reduced{source.suffix}")
        if same_file(target, source):
            raise UsageError(
                "the original is never overwritten", f"name another file: -o {pasted(f'{source.stem}.small')}"
            )
        targets = [numbered(target, number) for number in range(1, given.causes + 1)]
        if any(same_file(each, source) for each in targets):
            raise UsageError("the original is never overwritten", "name another file: -o /some/folder/small.json")
        with (
            live_progress(given, f"events reduce {recording}", found.actions, unit="actions") as progress,
            _replaying(given, recording, found, program) as oracle,
        ):
            keep_if_not_ours(targets, progress)
            options = make_options(
                given, progress, output=target, output_mode=mode_of_result(source), causes=given.causes
            )
            result, ended = best_found(ReducedRecording, partial(events, given_input, oracle, options))
        result = replace(result, outputs=tuple(map(str, targets[: len(result.causes)])))
        print_result(events_json(result), lambda _colour: events_text(result), given)
        if ended is not None:
            fail(ended)


@contextmanager
def _replaying(given: EventsOptions, path: str, found: Recording, program: tuple[str, ...]) -> Iterator[Oracle]:
    """What replays: the user's own program or script; or keepers of ours, for as long as it takes."""
    if given.test is not None or any(HOLE in word for word in program):
        yield make_oracle(given, program, path=path)
        return
    how = _how(given)
    _ready(found, how, program)
    words = full_words(program) if program else ()
    asking = (sys.executable, "-I", "-S", replay_client.__file__, found.format, how.dumps(), *words, HOLE)
    before = stale_displays()
    try:
        with keeping(found.format, how, words, given.jobs or available()):
            oracle = make_calling_oracle(given, asking)
            yield ReplayCommand(oracle, LOST)
    finally:
        sweep_displays(before)


def _ready(found: Recording, how: ReplaySettings, program: tuple[str, ...]) -> None:
    """See that there is all that a replay needs."""
    if found.format == "lines":
        raise UsageError("nobody here knows how to replay these actions", "give a command that does: -- ./replay {}")
    if found.format != "x11":
        find_browser(how.browser)
        return
    check_x11()
    if not program:
        raise UsageError("which program is to be acted on?", "add it: wynot events RECORDING -- PROGRAM")


_REPLAYING = """\b
Examples:
  wynot events replay recording.json
  wynot events replay session.jsonl --pace 50ms -- ./editor   # slower
"""
_RECORDING = """\b
Examples:
  wynot events record -o session.jsonl -- ./editor
  wynot events record -o log.jsonl --drive 'sh clicks.sh' -- ./editor
"""


@events_command.command("replay", epilog=_REPLAYING)
@click.argument("recording", type=click.Path(readable=False))
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
@with_options(ReplayOptions)
def replay_command(given: ReplayOptions, recording: str, program: tuple[str, ...]) -> None:
    """Replay a recording once and print what is seen. Exit: 0 nothing; 1 the failure; 125 it cannot be replayed."""
    with exit_on_errors():
        found, how = read_actions(read_input(Path(recording))).recording, _how(given)
        _ready(found, how, program)
        seen = replay(Path(recording), how, full_words(program) if program else ())
        show(seen.text, err=True)
        raise SystemExit(seen.code)


@events_command.command("record", epilog=_RECORDING)
@click.argument("program", nargs=-1, type=click.UNPROCESSED, required=True)
@click.option("-o", "--output", metavar="OUT", required=True, help="Where to write the log (JSON lines).")
@click.option("--own", is_flag=True, help="On a display of its own (Xvfb), not on the one that you see.")
@click.option("--drive", metavar="COMMAND", help="A command that acts in your place (xdotool ...); implies --own.")
@click.option("--screen", default="1024x768", show_default=True, help="The screen of a display of its own.")
def record_command(program: tuple[str, ...], output: str, *, own: bool, drive: str | None, screen: str) -> None:
    """Log what is done with PROGRAM on X11 until it ends (or Ctrl-C), by the RECORD extension."""
    with exit_on_errors():
        check_x11()
        driving = None if drive is None else shlex.split(drive)
        log = record(full_words(program), screen, driving, own=own or drive is not None)
        write_whole(Path(output), log, PRIVATE)  # it holds all that was typed
        show(f"written to {output}")
