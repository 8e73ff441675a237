"""The one place where text goes to standard output or standard error.

Text from outside (programs, files, commits, sources) may hold escape sequences: `show` writes them out. Colours of our
own pass, as `coloured` has marked them by a word that nobody outside can know. A live view draws with
`wynot.report.live.terminal_rows`, which treats its text the same way.
"""

from __future__ import annotations

import contextlib
import os

import click

from wynot.report.escape import printable

_ESCAPE = f"<{os.urandom(8).hex()}>"
"""Stands for the escape character in sequences of our own, until they are printed."""


def show(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Print text to standard output, or to standard error."""
    with contextlib.suppress(OSError) if err else contextlib.nullcontext():  # nobody is there to be told
        click.echo(safe(text) + end, err=err, nl=False, color=True)  # colours are decided by who asks for them


def show_json(text: str, *, err: bool = False) -> None:
    """Print JSON. The standard library leaves one control character in it as it is."""
    show(text.replace("\x7f", "\\u007f"), err=err)


def coloured(text: str) -> str:
    """Mark the escape sequences of a text as our own. What it shows must be `printable` already."""
    return text.replace("\x1b", _ESCAPE)


def safe(text: str) -> str:
    r"""What `show` prints.

    >>> safe("\x1b[31mred\x1b[0m"), safe(coloured("\x1b[31mred\x1b[0m"))
    ('\\x1b[31mred\\x1b[0m', '\x1b[31mred\x1b[0m')
    """
    return printable(text).replace(_ESCAPE, "\x1b")
