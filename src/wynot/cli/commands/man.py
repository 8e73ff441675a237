"""`wynot man`: the manual page, made from the commands themselves, so that it says what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from wynot.report.escape import show
from wynot.version import __version__

_EPILOG = """\b
Examples:
  wynot man | man -l -
  wynot man > ~/.local/share/man/man1/wynot.1
"""


@click.command("man", short_help="Print the manual page", epilog=_EPILOG)
@click.pass_context
def man_command(context: click.Context) -> None:
    """Print the manual page, wynot(1)."""
    show(man_page(context.find_root().command), end="")


def man_page(command: click.Command, name: str = "wynot") -> str:
    """The page of a command and of all commands in it."""
    context = click.Context(command, info_name=name)
    first = (command.help or "").split("\n")[0].rstrip(".")
    lines = [
        f'.TH "{name.upper()}" "1" "" "{name} {__version__}" "User Commands"',
        ".SH NAME",
        f"{name} \\- {_safe(first)}",
        ".SH SYNOPSIS",
        f"\\fB{name}\\fR COMMAND [OPTIONS] [ARGUMENTS]",
        ".SH DESCRIPTION",
        *_prose(command.help or ""),
        *_options(command, context),
        ".SH COMMANDS",
    ]
    for path, each, within in walk(command, context):
        lines += [f'.SS "{_safe(path)}"', f"\\fB{_safe(path)}\\fR {_safe(_usage(each, within))}"]
        lines += [".PP", *_prose(each.help or ""), *_options(each, within), *_prose(each.epilog or "")]
    return "\n".join([*lines, ".SH EXIT STATUS", *_prose(command.epilog or "")]) + "\n"


def walk(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    """All commands below this one, by the words that are typed."""
    if not isinstance(command, click.Group):
        return
    for name in command.list_commands(context):
        each = command.get_command(context, name)
        if each is not None and not each.hidden:
            within = click.Context(each, info_name=name, parent=context)
            yield within.command_path, each, within
            yield from walk(each, within)


def _usage(command: click.Command, context: click.Context) -> str:
    return " ".join(command.collect_usage_pieces(context))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is not None:
            yield from (".TP", f"\\fB{_safe(record[0])}\\fR", _safe(record[1]))


def _prose(text: str) -> Iterator[str]:
    r"""Paragraphs; those that begin with \b keep their lines, as in --help."""
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        lines = [line for line in part.split("\n") if line.strip()]
        if lines and lines[0].strip() == "\b":
            yield from (".PP", ".nf", *map(_safe, lines[1:]), ".fi")
        elif lines:
            yield from (".PP", _safe(" ".join(line.strip() for line in lines)))


def _safe(text: str) -> str:
    r"""Text that troff shows as it is.

    >>> _safe("--a \\n '.x'"), _safe(".x")
    ("\\-\\-a \\en '.x'", '\\&.x')
    """
    told = " ".join(text.split("\n")).replace("\b", "").replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{told}" if told[:1] in {".", "'"} else told
