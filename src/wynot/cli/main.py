"""`wynot`: the commands."""

from __future__ import annotations

import click

from wynot.cli.bisect import bisect_command
from wynot.cli.changes import changes_command
from wynot.cli.check import check_command
from wynot.cli.common import TYPED
from wynot.cli.completion import completion_command
from wynot.cli.demo import demo_command
from wynot.cli.events import events_command
from wynot.cli.grammar import grammar_group
from wynot.cli.isolate import isolate_command
from wynot.cli.man import man_command
from wynot.cli.options import options_command
from wynot.cli.reduce import reduce_command
from wynot.cli.report import report_command
from wynot.cli.runs import runs_command
from wynot.cli.trace import trace_command
from wynot.cli.verify import verify_command
from wynot.version import __version__

_EPILOG = """\b
Examples:
  wynot demo                                  see what it does: 60 seconds
  wynot reduce bug.c -- gcc -O2 -c {}         the smallest input that fails like this
  wynot changes v1.2 HEAD -- pytest tests/test_x.py

Exit: 0 done; 1 the failure does not show; 2 usage or bad input; 3 a budget or a key ended it; 130 interrupted.
"""


class _Main(click.Group):
    """Remembers what was typed, for the record of the run."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse it as ever."""
        ctx.meta[TYPED] = tuple(args)
        return super().parse_args(ctx, args)


@click.group(cls=_Main, context_settings={"help_option_names": ["-h", "--help"]}, epilog=_EPILOG)
@click.version_option(__version__, "-V", "--version")
def main() -> None:
    """Worked yesterday, not today: find out, by experiment, why a program fails."""


main.add_command(check_command)
main.add_command(reduce_command)
main.add_command(isolate_command)
main.add_command(grammar_group)
main.add_command(changes_command)
main.add_command(bisect_command)
main.add_command(trace_command)
main.add_command(options_command)
main.add_command(events_command)
main.add_command(report_command)
main.add_command(verify_command)
main.add_command(runs_command)
main.add_command(demo_command)
main.add_command(completion_command)
main.add_command(man_command)
