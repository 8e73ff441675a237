"""The reference of commands and of the pytest plugin's options, from their own definitions.

Stands in for `<!-- commands -->` and `<!-- pytest options -->`. Python's names are mkdocstrings' business.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - by name
    """Fill the marked places."""
    if "<!-- commands -->" in markdown:
        from wynot.cli.main import main  # noqa: PLC0415 - only for this page

        context = click.Context(main, info_name="wynot", **main.context_settings)
        markdown = markdown.replace("<!-- commands -->", "\n".join(_command(main, context)))
    if "<!-- pytest options -->" in markdown:
        markdown = markdown.replace("<!-- pytest options -->", "\n".join(_plugin()))
    return markdown


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    """A section: how it is called, what it does, its options, its examples; then those of its own commands."""
    yield f"\n## {context.command_path}\n"
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    yield f"```text\n{usage}\n```\n"
    yield _prose(command.help or "")
    records = (param.get_help_record(context) for param in command.get_params(context))
    yield from _table(record for record in records if record is not None and record[1])
    if command.epilog:
        yield f"```text\n{inspect.cleandoc(command.epilog.replace(chr(8), ''))}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None and not child.hidden:
                yield from _command(child, click.Context(child, info_name=name, parent=context))


def _plugin() -> Iterator[str]:
    from wynot.pytest_plugin import pytest_addoption  # noqa: PLC0415 - only for this page

    parser = _Parser()
    pytest_addoption(parser)  # type: ignore[arg-type]
    yield from _table(parser.records)


class _Parser:
    """Listens to what options are added."""

    def __init__(self) -> None:
        self.records: list[tuple[str, str]] = []

    def getgroup(self, *_: str) -> _Parser:
        return self

    def addoption(self, name: str, **more: Any) -> None:
        if "metavar" in more:
            name = f"{name} {more['metavar']}"
        if not more["help"].startswith("("):  # what is in brackets is for ourselves
            self.records.append((name, more["help"]))


def _table(records: Any) -> Iterator[str]:
    yield "\n| option | |\n|---|---|"
    for name, text in records:
        yield f"| `{_cell(name)}` | {_prose(_cell(text))} |"
    yield ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _prose(text: str) -> str:
    """Text in which `<`, `*`, `_` and brackets mean themselves; backticks mark code, as in our docstrings."""
    pieces = inspect.cleandoc(text).replace("\b\n", "").split("`")
    for place in range(0, len(pieces), 2):
        pieces[place] = "".join(f"\\{c}" if c in "\\*_[]<>{}#" else c for c in pieces[place]).replace("\\\\|", "\\|")
    return "`".join(pieces) + "\n" if "\n" in text else "`".join(pieces)
