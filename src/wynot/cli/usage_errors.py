"""A command line that cannot be read: one clear line, and what to type next."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from shlex import quote

import click

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
    return message, _file(error, words) or close or f"see what there is: {path} --help"


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


def _close(words: Sequence[str], path: str, commands: Iterable[str]) -> str:
    """A command that may have been meant."""
    if " " in path or not words or words[0].startswith("-"):
        return ""
    from difflib import get_close_matches  # noqa: PLC0415 - for those who mistype

    return next((f"did you mean: wynot {name}" for name in get_close_matches(words[0], list(commands), 1)), "")
