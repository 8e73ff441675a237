"""`wynot report`."""

from __future__ import annotations

from pathlib import Path

import click

from wynot.cli.common import telling_errors
from wynot.report.page.formats import FORMATS, report
from wynot.run.output import write_whole
from wynot.run.record.read import find_run

_EPILOG = """\b
Examples:
  wynot report last                       a page for the latest run: wynot-RUN.html, opens offline
  wynot report 3f2a -o bug.html           ... of another run (see: wynot runs), to another file
  wynot report last --format md -o -      Markdown, to paste into a bug report
  wynot report last --format svg          size over tests, as a picture
  wynot report last --format json -o -    the whole record, with every test
"""
_SUFFIXES = {".html": "html", ".htm": "html", ".md": "md", ".json": "json", ".svg": "svg"}


@click.command("report", epilog=_EPILOG)
@click.argument("run")
@click.option("-o", "--output", metavar="FILE", help="Where to write it; - is standard output [wynot-RUN.html here].")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="What to write [by the name of the file, else html]."
)
def report_command(run: str, output: str | None, form: str | None) -> None:
    """Write a report of RUN: one page with what was found, how, and how to repeat it.

    RUN is the name of a run (see `wynot runs`), the beginning of it, `last`, or the path of its journal.
    """
    with telling_errors():
        found = find_run(run)
        form = form or _SUFFIXES.get(Path(output or "").suffix.lower(), "html")
        text = report(found, form)
        if output == "-":
            click.echo(text, nl=False)
            return
        path = Path(output) if output is not None else Path(f"wynot-{found.id[:8]}.{form}")
        write_whole(path, text.encode("utf-8", "surrogateescape"))
        click.echo(f"written to {path}")
