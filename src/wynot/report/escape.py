"""Print text to the terminal with its control characters escaped."""

from __future__ import annotations

import contextlib
import os

import click

LAYOUT = "\n\t"
"""Control characters that text of several lines keeps."""
_SHOWN = frozenset({"Zs", "So", "Mn"})


def printable(text: str, kept: str = LAYOUT) -> str:
    r"""Text with every control character, direction mark and undecodable byte written out, but for those in `kept`.

    >>> printable("a\x1b[2Jb\u202ec é\n\x9b\udc9b")
    'a\\x1b[2Jb\\u202ec é\n\\x9b\\x9b'
    """
    if text.isprintable():
        return text
    return "\n".join(map(_line, text.split("\n"))) if kept == LAYOUT else _escaped(text, kept)


def visible(text: str) -> str:
    r"""The same for one line: line ends and tabs are written out, too.

    >>> visible("a\x1b[2Jb\tc\n")
    'a\\x1b[2Jb\\tc\\n'
    """
    return printable(text, "")


def _line(line: str) -> str:
    return line if line.isprintable() else _escaped(line, LAYOUT)


def _escaped(text: str, kept: str) -> str:
    return "".join(each if each.isprintable() or each in kept else _written(each) for each in text)


def _written(character: str) -> str:
    from unicodedata import category  # noqa: PLC0415 - few texts need it

    if category(character) in _SHOWN:
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a name that is no UTF-8 (os.fsdecode)
        return f"\\x{code - 0xDC00:02x}"
    return ascii(character)[1:-1]


# The one place where text goes to standard output or standard error.
#
# Text from outside (programs, files, commits, sources) may hold escape sequences: `show` writes them out. Colours of
# our own pass, as `coloured` has marked them by a word that nobody outside can know. A live view draws with
# `wynot.report.live.terminal_rows`, which treats its text the same way.


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
