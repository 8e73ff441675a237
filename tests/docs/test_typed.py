"""Whatever the pages say to type, there is such a command, and it has these options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.docs.blocks import ROOT
from wynot.cli.main import main

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_TYPED = re.compile(r"^(?:\$ )?(wynot [a-z].*(?:\\\n.*)*)$", re.MULTILINE)
_SPAN = re.compile(r"`(wynot [a-z][^`\n]*)`")
_ADDED = re.compile(r'^\+ +"(\w+)": "wynot\.cli\.commands\.', re.MULTILINE)
"""A command that is the example of its page."""


def typed(page: Path) -> Iterator[str]:
    """Commands in blocks, and between backticks; of a table, without its escapes."""
    text = page.read_text()
    for block in re.findall(r"^```(?:sh|console|yaml)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield from _TYPED.findall(re.sub(r"^ +(?=wynot)", "", block, flags=re.MULTILINE))
    for span in _SPAN.findall(re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)):
        yield span.replace("\\|", "|")


def problem(line: str) -> str | None:
    """What is wrong with a command, if anything."""
    try:
        words = shlex.split(line.replace("...", ""), comments=True)[1:]
    except ValueError:
        return None  # the beginning of one, as words in a sentence
    command: click.Command = main
    context = click.Context(main)
    while isinstance(command, click.Group) and words and (below := command.get_command(context, words[0])) is not None:
        command = below
        words.pop(0)
    if command is main:
        return f"no command {words[0]}"
    known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)} | {"--help"}
    if isinstance(command, click.Group):  # `wynot events RECORDING` is `wynot events reduce RECORDING`
        known |= {name for child in command.commands.values() for param in child.params for name in param.opts}
    ours = words[: words.index("--")] if "--" in words else words
    wrong = [word for word in ours if re.match(r"--[a-z]", word) and word.partition("=")[0] not in known]
    return f"no option {wrong[0]}" if wrong else None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_there_are_such_commands_and_options(page: Path) -> None:
    added = _ADDED.findall(page.read_text())
    wrong = {line: problem(line) for line in typed(page) if line.split()[1] not in added}
    assert {line: why for line, why in wrong.items() if why} == {}


def test_a_wrong_one_is_found() -> None:
    assert problem("wynot reduce bug.c --atom lines -- gcc --wrong {}") == "no option --atom"
    assert problem("wynot reduces bug.c") == "no command reduces"
