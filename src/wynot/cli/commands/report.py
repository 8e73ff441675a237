"""`wynot report`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from wynot.cli.commands import completion
from wynot.cli.common_options import check_target, same_file
from wynot.cli.run_command import exit_on_errors
from wynot.core.text import pasted
from wynot.engine.files.output_file import PRIVATE, write_whole
from wynot.engine.record.read import Run, check_journal, find_run
from wynot.engine.record.redaction import Redaction
from wynot.errors import UsageError
from wynot.report.escape import show, show_json
from wynot.report.page.report_markdown import FORMATS, report

_EPILOG = """\b
Examples:
  wynot report last                     # a page for the latest run
  wynot report 3f2a -o bug.html         # for another run (wynot runs)
  wynot report last --format md -o -    # Markdown, for a bug report
  wynot report last --format svg        # a chart of the size
  wynot report last --format json -o -  # the whole record
  wynot report last --redact            # without paths, names, values
"""
_SUFFIXES = {".html": "html", ".htm": "html", ".md": "md", ".json": "json", ".svg": "svg"}


@click.command("report", short_help="Write a report of a run", epilog=_EPILOG)
@click.argument("run", shell_complete=completion.runs)
@click.option("-o", "--output", metavar="FILE", help="Where to write it; - is standard output [wynot-RUN.html here].")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="What to write [by the name of the file, else html]."
)
@click.option(
    "--redact",
    is_flag=True,
    help="Replace what is private: the home and project folders, user, host, values of environment variables.",
)
def report_command(run: str, output: str | None, form: str | None, *, redact: bool) -> None:
    """Write a report of RUN: one page with what was found, how, and how to repeat it.

    RUN is the name of a run (see `wynot runs`), the beginning of it, `last`, or the path of its journal.
    """
    with exit_on_errors():
        found = find_run(run)
        check_journal(found)
        form = form or _SUFFIXES.get(Path(output or "").suffix.lower(), "html")
        path = _target(found, output, form)
        text = report(found, form, Redaction.of(found) if redact else None)
        if path is None:
            if form == "json":
                show_json(text)
            else:
                show(text, end="")
            return
        write_whole(path, text.encode("utf-8", "surrogateescape"), None if redact else PRIVATE)
        show(f"written to {path}")


def _target(run: Run, output: str | None, form: str) -> Path | None:
    """Where the report goes; nothing that the run was about is overwritten."""
    if output == "-":
        return None
    name = f"wynot-{run.short}.{form}"
    path = Path(output) if output else Path(name)
    if (output or "").endswith("/"):
        made = "" if path.is_dir() else f"; there is none yet: mkdir -p {quote(str(path))}"
        raise UsageError(f"{output} is a folder", f"name a file in it: -o {quote(str(path / name))}{made}")
    check_target(path, f"name another file: -o {name}", path / name)
    folder = Path(run.facts.get("cwd", "."))
    words = (*run.argv, run.facts.get("shown"), run.facts.get("output"), run.path)
    if any(word and same_file(path, folder / word) for word in words):
        raise UsageError(f"{path} belongs to the run, it is not overwritten", f"name another file: -o {pasted(name)}")
    return path
