"""The site is built without a warning, asks nobody for anything, and its reference has everything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import wynot
from tests.docs.blocks import ROOT
from wynot.cli.main import main


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once; a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "src"), NO_MKDOCS_2_WARNING="1")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    return folder


def text_of(page: Path) -> str:
    return page.read_text()


def test_nothing_is_asked_of_others(site: Path) -> None:
    """No fonts, scripts, styles or pictures from elsewhere; links that somebody may follow are another matter."""
    for page in site.rglob("*.html"):
        text = text_of(page)
        loaded = re.findall(r"""<(?:script|img|iframe)[^>]+src=["']?(?:https?:)?//[^"' >]+""", text)
        loaded += re.findall(
            r"""<link[^>]+rel=["']?(?:stylesheet|preconnect|preload)[^>]+href=["']?(?:https?:)?//[^>]+""", text
        )
        assert not loaded, page
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(?:https?:)?//|@import", text_of(style)), style


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None and not child.hidden:
                yield from commands(child, f"{path} {name}")


def test_the_reference_has_every_command_and_option(site: Path) -> None:
    text = text_of(site / "reference/commands.html")
    found = list(commands(main, "wynot"))
    assert len(found) > 15
    for path, command in found:
        start = text.index(f'id="{path.replace(" ", "-")}"')
        section = text[start : text.find("<h2", start)]
        options = [param for param in command.params if isinstance(param, click.Option) and not param.hidden]
        for option in options:
            assert option.opts[-1] in section, f"{path} {option.opts[-1]}"


def test_the_reference_has_every_public_name(site: Path) -> None:
    text = text_of(site / "reference/python.html")
    missing = [name for name in wynot.__all__ if name != "__version__" and f'id="wynot.{name}"' not in text]
    assert missing == []


def test_sources_that_pages_point_to_are_in_the_site(site: Path) -> None:
    assert "def dd" in re.sub("<[^>]+>", "", text_of(site / "source/src/wynot/search/lists/dd.py.html"))
