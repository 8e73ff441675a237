"""`wynot options`: from the words of the command line to a call, its search and its result."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import click

from wynot.cli.common_options import ProgramOptions, SearchCommand, flag, make_options, option, run_mode, with_options
from wynot.cli.oracle_options import full_words, make_calling_oracle
from wynot.cli.run_command import best_found, exit_on_errors, fail, live_progress
from wynot.cli.summaries import print_result
from wynot.commands.options.call_copies import with_copies
from wynot.commands.options.option_search import circumstances
from wynot.core.call import HERE, Variable
from wynot.core.config import Config
from wynot.core.text import pasted
from wynot.domains.calls.call_tree import CallTree, ConfigFile, harmless, pieces
from wynot.domains.calls.config_keys import ConfigKeys, KeysError, read_keys
from wynot.engine.files.folder_io import real_path
from wynot.engine.files.output_file import PRIVATE, PRIVATE_PROGRAM, write_whole
from wynot.engine.files.output_folder import FolderKeeper
from wynot.engine.input_source import read_input
from wynot.engine.results import Explained
from wynot.engine.run_options import Verifying
from wynot.errors import UsageError
from wynot.report.options_report import call_script, options_json, options_text

EVERYTHING = "*"
_OURS = frozenset({"_", "TMPDIR", "PWD", "OLDPWD", "SHLVL"})
"""Variables that shells and tests set by themselves."""
_CHECKS = {
    ".json": "python3 -m json.tool {}",
    ".toml": "python3 -c 'import sys, tomllib; tomllib.load(open(sys.argv[1], \"rb\"))' {}",
}


def make_call(command: tuple[str, ...], given: CallOptions) -> CallTree:
    """All that may be left out of a call."""
    if not command:
        raise UsageError(
            "what is to be run? No command was given", "add the command and its options: wynot options -- PROGRAM -a -b"
        )
    files = _configs(given.configs)
    words = [_copied(word, files) for word in full_words(command)]
    words[0] = shutil.which(words[0]) or words[0]
    variables = [Variable(n, _copied(v or "", files)) for n, v in _variables(given.env)]
    found = [ConfigFile(path.name, _keys(path)) for path in files]
    taken, kept = [], []
    for piece in pieces(words, _arities(given.takes), os.path.exists):
        name = piece.name
        stays = piece.free and harmless(words[0], name) and not _keeping(given.without)(name)
        taken.append(replace(piece, free=False) if stays else piece)
        kept += [name] if stays else []
    return CallTree(
        taken,
        variables,
        found,
        _keeping(given.keep),
        tuple(kept),
        typed=tuple(command),
        cwd=os.getcwd(),  # noqa: PTH109
    )


def _configs(names: Sequence[str]) -> list[Path]:
    paths = [Path(name) for name in names]
    twice = {path.name for path in paths if sum(path.name == other.name for other in paths) > 1}
    if twice:
        raise UsageError(
            f"two configuration files are called {min(twice)}", "they lie in one folder: rename one of them"
        )
    return paths


def _keys(path: Path) -> ConfigKeys:
    data = read_input(path).data
    try:
        return read_keys(path.name, data)
    except KeysError as error:
        check = _CHECKS.get(path.suffix.lower(), "less {}").format(path)
        raise UsageError(f"cannot read the keys of {path}: {error}", f"look at it: {check}") from None


def _copied(word: str, files: Sequence[Path]) -> str:
    """A word that names a configuration file leads to the copy that is tested."""
    head, sign, value = word.rpartition("=")
    for path in files:
        try:
            if real_path(Path(value)) == real_path(path):
                return f"{head}{sign}{HERE}/{path.name}"
        except OSError:
            continue
    return word


def _variables(patterns: Sequence[str]) -> list[Variable]:
    """The variables that were asked for: names, or patterns such as LC_*."""
    found: dict[str, str] = {}
    for pattern in (each for text in patterns for each in text.split(",")):
        names = [name for name in os.environ if fnmatchcase(name, pattern) and not _own(name)]
        if not names and pattern != EVERYTHING:
            raise UsageError(f"no variable {pattern} is set", "see which are: env")
        found.update({name: os.environ[name] for name in names})
    return [Variable(name, found[name]) for name in sorted(found)]


def _own(name: str) -> bool:
    return name in _OURS or name.startswith("WYNOT_")


def _arities(takes: Sequence[str]) -> Mapping[str, int]:
    """--takes NAME or NAME:COUNT."""
    found = {}
    for text in takes:
        name, _, count = text.rpartition(":")
        if not name:
            name, count = text, "1"
        if not count.isdigit() or not name.startswith("-"):
            raise UsageError(f"--takes {text}: no option and count", "for example: --takes --arg:2")
        found[name] = int(count)
    return found


def _keeping(patterns: Sequence[str]) -> Callable[[str], bool]:
    """A name is kept if it, its first word, or what follows the file's name is as one of the patterns."""

    def keep(name: str) -> bool:
        parts = {name, name.partition(" ")[0], name.rpartition(": ")[2]}
        return any(fnmatchcase(part, pattern) for part in parts for pattern in patterns)

    return keep


_EPILOG = """\b
Examples:
  wynot options -- gcc -O3 -fopenmp -c bug.c      # which options crash it?
  wynot options --preventing --all --keep -O -- gcc -O -fgcse -c bug.c
                                                  # which ones prevent it?
  wynot options --env -- ./report.py              # which variables?
  wynot options --config app.toml -- ./app --config app.toml   # which keys?

\b
An option is removed together with its argument. Other words are kept: the
program, its inputs.
Algorithms: sweep (default, fewest tests), ddmin, cdd, probdd, dd1999, ddplus.
The same command continues a run that was stopped or killed.
"""


@dataclass(frozen=True)
class CallOptions(ProgramOptions):
    """The options of `wynot options`."""

    env: tuple[str, ...] = option(
        multiple=True,
        is_flag=False,
        flag_value=EVERYTHING,
        metavar="[NAMES]",
        help="Include environment variables: all, or those named (NAME,NAME; LC_*).",
        brief="Include environment variables",
    )
    configs: tuple[str, ...] = option(
        "--config",
        multiple=True,
        metavar="FILE",
        help="Include the keys of this file (TOML, YAML, INI, JSON). The command gets a copy: words that name "
        "the file are replaced by the path of the copy.",
        brief="Include the keys of this file",
    )
    preventing: bool = flag(
        help="Find the options that prevent a failure: with them it works.",
        brief="Find the options that prevent a failure",
    )
    every: bool = flag("--all", help="Find all causes: remove each one found, then search the rest.")
    keep: tuple[str, ...] = option(
        multiple=True, metavar="NAME", help="Keep this option, variable or key (patterns: -W*)."
    )
    without: tuple[str, ...] = option(
        "--try-without",
        multiple=True,
        metavar="NAME",
        help="Also try without this option, although it keeps the program from writing (--check, --dry-run). "
        "By default such options are kept.",
    )
    takes: tuple[str, ...] = option(
        multiple=True, metavar="OPTION[:N]", help="The next word (or N words) are the option's arguments; 0: none."
    )
    output: str | None = option(
        "-o",
        metavar="DIR",
        help="Write call.sh and the reduced configuration files here.",
        brief="Write the reduced call here",
    )


@click.command("options", cls=SearchCommand, short_help="Find the options that cause a failure", epilog=_EPILOG)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@with_options(CallOptions)
def options_command(given: CallOptions, command: tuple[str, ...]) -> None:
    """Find the options, variables and configuration keys that a failure needs, or that prevent it.

    COMMAND is what fails, with all its options (or works, with --preventing).
    """
    with exit_on_errors():
        folder = None if isinstance(run_mode(), Verifying) else _folder(given.output)
        call = make_call(command, given)
        words = call.render(Config.full(len(call))).words(".")
        oracle = make_calling_oracle(given, words)
        with live_progress(given, f"options {command[0]}", call.count, unit="circumstances") as progress:
            options = make_options(given, progress)
            with ExitStack() as afterwards:
                if call.count:
                    call, options, scripts = with_copies(call, oracle, options)
                    afterwards.enter_context(scripts.put_back())
                search = partial(circumstances, call, oracle, options, preventing=given.preventing, every=given.every)
                result, ended = best_found(Explained, search)
        told = result if folder is None else _written(result, folder)
        print_result(options_json(told), lambda _colour: options_text(told), given)
        if ended is not None:
            fail(ended)


def _folder(output: str | None) -> Path | None:
    if output is None:
        return None
    folder = Path(output)
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not FolderKeeper(folder).own())):
        raise UsageError(f"{folder} exists and is no empty folder", f"name another one: -o {pasted(f'{folder}.2')}")
    return folder


def _written(result: Explained, folder: Path) -> Explained:
    """One folder for each cause: a script and the configuration files."""
    outputs = []
    outlet = FolderKeeper(folder)
    outlet.empty()
    for number, cause in enumerate(result.causes, 1):
        place = folder if len(result.causes) == 1 else folder / str(number)
        for name, data in (*cause.setting.files, ("call.sh", call_script(cause.setting))):
            write_whole(place / name, data, PRIVATE_PROGRAM if name == "call.sh" else PRIVATE)
            outputs.append(str(place / name))
    if outputs:
        outlet.record()
    return replace(result, outputs=tuple(outputs))
