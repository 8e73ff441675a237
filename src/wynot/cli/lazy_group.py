"""Commands that are loaded when they are asked for: none of them needs what the others do."""

from __future__ import annotations

from importlib import import_module

import click

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
