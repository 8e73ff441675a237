"""`wynot options`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from wynot.cli.call import EVERYTHING, make_call
from wynot.cli.common import PROOF, calling_options, make_options
from wynot.cli.live import watching
from wynot.cli.oracle import make_calling_oracle
from wynot.cli.summary import tell
from wynot.cli.telling import best_found, fail, telling_errors
from wynot.core.config import Config
from wynot.core.pasted import pasted
from wynot.errors import UsageError
from wynot.report.circumstances import call_script, explained_json, explained_text
from wynot.run.call_copies import with_copies
from wynot.run.circumstances import circumstances
from wynot.run.outlet import Outlet
from wynot.run.output import PRIVATE, PRIVATE_PROGRAM, write_whole
from wynot.run.result import Explained

_EPILOG = """\b
Examples:
  wynot options -- gcc -O3 -funroll-loops -fopenmp -c bug.c       which options does the crash need?
  wynot options --preventing --all --keep -O -- gcc -O -fgcse -ffast-math bug.c
                                                which options, each by itself, make it disappear?
  wynot options --env -- ./report.py            which variables of the environment?
  wynot options --config app.toml -- ./app --config app.toml      which keys of the file?

\b
An option stays together with the word that is its argument. What is no option stays: the program, its inputs.
Algorithms: sweep (default, the fewest tests), ddmin, cdd, probdd, dd1999, ddplus.
Started again, the same command goes on where it was stopped or killed.
"""


@click.command("options", epilog=_EPILOG)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--env",
    multiple=True,
    is_flag=False,
    flag_value=EVERYTHING,
    metavar="[NAMES]",
    help="Variables of the environment, too: all of them, or those named (NAME,NAME; LC_*).",
)
@click.option(
    "--config",
    "configs",
    multiple=True,
    metavar="FILE",
    help="The keys of this file, too (TOML, YAML, INI, JSON). The command finds a copy in the folder it runs in; words "
    "that name the file lead to the copy.",
)
@click.option("--preventing", is_flag=True, help="With them it works, without it fails: which of them prevent it?")
@click.option("--all", "every", is_flag=True, help="Take what was found away and search the rest, again and again.")
@click.option("--keep", multiple=True, metavar="NAME", help="This option, variable or key stays (patterns: -W*).")
@click.option(
    "--try-without",
    "without",
    multiple=True,
    metavar="NAME",
    help="Try without this option, too, although it keeps the program from writing (--check, --dry-run); "
    "else such options stay.",
)
@click.option(
    "--takes",
    multiple=True,
    metavar="OPTION[:N]",
    help="The next word (or N words) are the option's arguments; 0: none.",
)
@click.option("-o", "--output", metavar="DIR", help="Write call.sh and the reduced configuration files there.")
@calling_options
def options_command(
    command: tuple[str, ...], *, preventing: bool, every: bool, output: str | None, **given: Any
) -> None:
    """Find the options, variables and configuration keys that a failure needs, or that prevent it.

    COMMAND is what fails, with all its options (or works, with --preventing).
    """
    with telling_errors():
        folder = _folder(output) if PROOF.get() is None else None
        names = ("env", "configs", "keep", "takes", "without")
        call = make_call(command, **{name: given[name] for name in names})
        words = call.render(Config.full(len(call))).words(".")
        oracle = make_calling_oracle(given, words)
        with watching(given, f"options {command[0]}", call.count, unit="circumstances") as progress:
            options = make_options(given, listener=progress, controls=progress)
            if call.count:
                call, options = with_copies(call, oracle, options)
            result, ended = best_found(
                Explained, partial(circumstances, call, oracle, options, preventing=preventing, every=every)
            )
        told = result if folder is None else _written(result, folder)
        tell(explained_json(told), lambda _colour: explained_text(told), given)
        if ended is not None:
            fail(ended)


def _folder(output: str | None) -> Path | None:
    if output is None:
        return None
    folder = Path(output)
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not Outlet(folder).own())):
        raise UsageError(f"{folder} exists and is no empty folder", f"name another one: -o {pasted(f'{folder}.2')}")
    return folder


def _written(result: Explained, folder: Path) -> Explained:
    """One folder for each cause: a script and the configuration files."""
    outputs = []
    outlet = Outlet(folder)
    outlet.empty()
    for number, cause in enumerate(result.causes, 1):
        place = folder if len(result.causes) == 1 else folder / str(number)
        for name, data in (*cause.setting.files, ("call.sh", call_script(cause.setting))):
            write_whole(place / name, data, PRIVATE_PROGRAM if name == "call.sh" else PRIVATE)
            outputs.append(str(place / name))
    if outputs:
        outlet.record()
    return replace(result, outputs=tuple(outputs))
