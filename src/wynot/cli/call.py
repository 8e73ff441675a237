"""From the words of `wynot options` to the circumstances of a call."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from wynot.cli.oracle import full_words
from wynot.core.setting import HERE, Variable
from wynot.domains.options.circumstances import Circumstances, ConfigFile
from wynot.domains.options.keys import Keys, KeysError, read_keys
from wynot.domains.options.words import harmless, pieces
from wynot.errors import UsageError
from wynot.run.inputs import read_input
from wynot.run.real_path import real_path

EVERYTHING = "*"
_OURS = frozenset({"_", "TMPDIR", "PWD", "OLDPWD", "SHLVL"})
"""Variables that shells and tests set by themselves."""
_CHECKS = {
    ".json": "python3 -m json.tool {}",
    ".toml": "python3 -c 'import sys, tomllib; tomllib.load(open(sys.argv[1], \"rb\"))' {}",
}


def make_call(
    command: tuple[str, ...],
    *,
    env: Sequence[str] = (),
    configs: Sequence[str] = (),
    keep: Sequence[str] = (),
    takes: Sequence[str] = (),
    without: Sequence[str] = (),
) -> Circumstances:
    """All that may be left out of a call."""
    if not command:
        raise UsageError(
            "what is to be run? No command was given", "add the command and its options: wynot options -- PROGRAM -a -b"
        )
    files = _configs(configs)
    words = [_copied(word, files) for word in full_words(command)]
    words[0] = shutil.which(words[0]) or words[0]
    variables = [Variable(n, _copied(v or "", files)) for n, v in _variables(env)]
    found = [ConfigFile(path.name, _keys(path)) for path in files]
    taken, kept = [], []
    for piece in pieces(words, _arities(takes), os.path.exists):
        name = piece.name
        stays = piece.free and harmless(words[0], name) and not _keeping(without)(name)
        taken.append(replace(piece, free=False) if stays else piece)
        kept += [name] if stays else []
    return Circumstances(
        taken,
        variables,
        found,
        _keeping(keep),
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


def _keys(path: Path) -> Keys:
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
