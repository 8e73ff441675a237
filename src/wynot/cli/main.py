"""The `wynot` command: a group whose commands are imported when they are used."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from shlex import join, quote
from shutil import which
from typing import Any

import click

from wynot.errors import TOO_EARLY, Interrupted, PlaceError
from wynot.report.escape import show
from wynot.version import __version__

# Commands that are loaded when they are asked for: none of them needs what the others do.


TYPED = "wynot.typed"
"""Where a context keeps the command line as typed."""

COMMANDS = {
    "bisect": "wynot.cli.commands.bisect:bisect_command",
    "changes": "wynot.cli.commands.changes:changes_command",
    "check": "wynot.cli.commands.check:check_command",
    "completion": "wynot.cli.commands.completion:completion_command",
    "demo": "wynot.cli.commands.demo:demo_command",
    "events": "wynot.cli.commands.events:events_command",
    "grammar": "wynot.cli.commands.grammar:grammar_group",
    "isolate": "wynot.cli.commands.isolate:isolate_command",
    "man": "wynot.cli.commands.man:man_command",
    "options": "wynot.cli.commands.options:options_command",
    "reduce": "wynot.cli.commands.reduce:reduce_command",
    "report": "wynot.cli.commands.report:report_command",
    "runs": "wynot.cli.commands.runs:runs_command",
    "trace": "wynot.cli.commands.trace:trace_command",
    "verify": "wynot.cli.commands.verify:verify_command",
}


class LazyGroup(click.Group):
    """A group that knows where its commands are."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All of them."""
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one."""
        if cmd_name not in self.commands and cmd_name in COMMANDS:
            module, _, name = COMMANDS[cmd_name].partition(":")
            self.add_command(getattr(import_module(module), name))
        return super().get_command(ctx, cmd_name)


# A command line that cannot be read: one clear line, and what to type next.


Told = tuple[str, str]
"""What is wrong, and what to type next."""


def usage_error_text(error: click.ClickException, words: Sequence[str], commands: Iterable[str]) -> Told:
    """What to say of an error that click has found in these words."""
    message = error.format_message().rstrip(".")
    close = _close(words, path := _path(error), commands)
    if close:
        message = message.partition(". Did you mean")[0]  # click knows only those that were loaded
    if not message[1:2].isupper():
        message = message[:1].lower() + message[1:]
    return message, _file(error, words) or _dashes(error, words) or close or f"see what there is: {path} --help"


def _path(error: click.ClickException) -> str:
    """The command that was being read."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    return context.command_path if context is not None else "wynot"


def _file(error: click.ClickException, words: Sequence[str]) -> str:
    """A file whose name looks like an option."""
    if not isinstance(error, click.NoSuchOption):
        return ""
    named = (word for word in words if word.startswith(error.option_name[:2]) and os.path.lexists(word))
    return next((f"if the file is meant, write {quote(f'./{word}')}" for word in named), "")


def _dashes(error: click.ClickException, words: Sequence[str]) -> str:
    """The command line with `--` before the command, if an option of the command was taken for one of wynot's."""
    if not isinstance(error, click.NoSuchOption) or "--" in words:
        return ""
    for at, word in enumerate(words[1:], 1):
        if word.startswith("-"):
            return ""
        if which(word) and not os.path.lexists(word):
            return f"write -- before the command: wynot {join(words[:at])} -- {join(words[at:])}"
    return ""


def _close(words: Sequence[str], path: str, commands: Iterable[str]) -> str:
    """A command that may have been meant."""
    if " " in path or not words or words[0].startswith("-"):
        return ""
    from difflib import get_close_matches  # noqa: PLC0415 - for those who mistype

    return next((f"did you mean: wynot {name}" for name in get_close_matches(words[0], list(commands), 1)), "")


_EPILOG = """\b
Examples:
  wynot demo                              # see what it does, in 60 seconds
  wynot reduce bug.c -- gcc -O2 -c {}     # the smallest input that fails
  wynot changes v1.2 HEAD -- pytest tests/test_x.py

Exit: 0 done; 1 the failure does not show; 2 usage or bad input; 3 a budget or a key ended it; 130 interrupted.
"""


class _Main(LazyGroup):
    """Remembers what was typed, for the record of the run; tells in its own way what cannot be read."""

    def main(self, *given: Any, **more: Any) -> Any:
        """Run a command line, and end."""
        args = more.pop("args", given[0] if given else None)
        words = list(sys.argv[1:] if args is None else args)
        try:
            code = super().main(words, **{"prog_name": "wynot", **more, "standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            code = error.exit_code
        except click.Abort:
            code = _told(*TOO_EARLY, Interrupted.exit_code)
        except click.ClickException as error:
            code = _told(*usage_error_text(error, words, self.list_commands(click.Context(self))), error.exit_code)
        except OSError as error:  # help, the manual page: what runs something reports it by itself
            line = f"cannot write to standard output: {error.strerror or error}"
            from wynot.cli.run_command import place_hint  # noqa: PLC0415 - it takes time to load

            code = _told(line, place_hint(error), PlaceError.exit_code)
        sys.exit(code if isinstance(code, int) else 0)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse it as ever."""
        ctx.meta[TYPED] = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; Ctrl-C may come while it is loaded."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(_told(*TOO_EARLY, Interrupted.exit_code))


def _told(line: str, hint: str, code: int) -> int:
    show(f"wynot: {line}\n  {hint}", err=True)
    return code


@click.group(cls=_Main, context_settings={"help_option_names": ["-h", "--help"]}, epilog=_EPILOG)
@click.version_option(__version__, "-V", "--version")
def main() -> None:
    """Find out, by experiment, why a program fails."""
