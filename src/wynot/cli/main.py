"""`wynot`: the commands."""

from __future__ import annotations

import sys
from typing import Any

import click

from wynot.cli.lazy_group import TYPED, LazyGroup
from wynot.cli.usage_errors import usage_error_text
from wynot.errors import TOO_EARLY, Interrupted, PlaceError
from wynot.report.terminal_output import show
from wynot.version import __version__

_EPILOG = """\b
Examples:
  wynot demo                                  see what it does: 60 seconds
  wynot reduce bug.c -- gcc -O2 -c {}         the smallest input that fails like this
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
            from wynot.cli.exits import place_hint  # noqa: PLC0415 - it takes time to load

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
    """Worked yesterday, not today: find out, by experiment, why a program fails."""
