"""Command lines of which a part is somebody else's: what stands after `--` is a command to run."""

from __future__ import annotations

from collections.abc import Sequence

import click

_REST = "--"


class CommandSplit(click.Command):
    """Keeps what stands before `--` apart from what stands after it; click itself forgets where it was."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Hand on a second `--`, which click takes for a word."""
        at = args.index(_REST) if _REST in args else len(args)
        return super().parse_args(ctx, [*args[:at], _REST, *args[at:]])

    @staticmethod
    def parts(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words before `--`, and those after.

        >>> CommandSplit.parts(["old", "new", "--", "make", "--", "check"])
        (('old', 'new'), ('make', '--', 'check'))
        """
        at = words.index(_REST) if _REST in words else len(words)
        return tuple(words[:at]), tuple(words[at + 1 :])
