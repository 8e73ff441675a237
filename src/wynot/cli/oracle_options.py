"""Options that say what counts as the failure, and the command after `--`."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wynot.cli.common_options import OracleOptions, SearchCommand, same_file
from wynot.core.text import pasted
from wynot.engine.baseline.files_read import without_overlaps
from wynot.engine.files.folder_io import real_path
from wynot.errors import UsageError
from wynot.oracles.protocol import HOLE, FileBeside, Oracle
from wynot.oracles.script import Conditions, Script
from wynot.oracles.typed_command import PathForm, TypedCommand

if TYPE_CHECKING:  # loaded where it is asked for
    from wynot.oracles.command import Command
    from wynot.oracles.signature import Precision

_REST = "--"


class CommandSplit(SearchCommand):
    """Keeps what stands before `--` apart from what stands after it; click itself forgets where it was."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Hand on a second `--`, which click takes for a word."""
        at = args.index(_REST) if _REST in args else len(args)
        return super().parse_args(ctx, [*args[:at], _REST, *args[at:]])

    @staticmethod
    def parts(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words before `--`, and those after.

        >>> CommandSplit.parts(["old", "new", "--", "make", "--", "check"])
        (('old', 'new'), ('make', '--', 'check'))
        """
        at = words.index(_REST) if _REST in words else len(words)
        return tuple(words[:at]), tuple(words[at + 1 :])


# From the words of the command line to an oracle.


_ENDS = {"changes": "OLD NEW -- PROGRAM", "bisect": "GOOD BAD -- PROGRAM"}
"""What follows the name of a command, where it is no file."""


def make_oracle(
    given: OracleOptions, command: tuple[str, ...], inside: Container[str] | None = None, build: str | None = None,
    path: str | None = None,
) -> Oracle:  # fmt: skip
    """The oracle that was asked for: a script, a command, two commands; with a test of validity or without.

    With `inside`, the paths in the folder that is tested, tests run in that folder, and words that name what is in it
    mean just that. It may have to be built first.

    With `path`, that of the input as typed, words stay as they are, and tests find what they name beside the input.
    """
    if path is not None and command:
        _check_order(path, command)
    oracle = _core(given, command, inside)
    if given.valid_if is not None:
        from wynot.oracles.extra_commands import ValidIf  # noqa: PLC0415

        oracle = ValidIf(oracle, _command(split_words(given.valid_if, "--valid-if", inside), inside))
    if path is not None and given.test is None:
        oracle = _as_typed(oracle, given, command, path)
    if build is None:
        return oracle
    if not build.strip():
        raise UsageError("--build is empty", "give a command: --build make")
    from wynot.oracles.extra_commands import BuildFirst  # noqa: PLC0415

    return BuildFirst(oracle, build)


def _check_order(path: str, command: tuple[str, ...]) -> None:
    """See that the input was not forgotten, and that no second one stands where the command should begin."""
    context = click.get_current_context(silent=True)
    name = (context.info_name if context else None) or "reduce"
    first = command[0]
    if shutil.which(path) is not None and not os.path.lexists(path):
        words = shlex.join((path, *command[:1]))
        raise UsageError(
            f"{path} was taken for the input, but it is a program: no input is named",
            f"name the input, and {{}} where its path goes: wynot {name} FILE -- {words} {{}} ...",
        )
    if "/" not in first and shutil.which(first) is None and _is_no_program(Path(first)):
        advice = f"an input that works: --passing {pasted(first)}; " if name == "isolate" else ""
        raise UsageError(
            f"{first} was taken for the command, but it cannot be run: name one input, then the command after --",
            f"{advice}for example: wynot {name} {pasted(path)} -- PROGRAM {{}}",
        )


def _is_no_program(path: Path) -> bool:
    """Whether it is a file that cannot be run, nor was forgotten to be made executable."""
    try:
        with path.open("rb") as file:
            return not os.access(path, os.X_OK) and file.read(2) != b"#!"
    except OSError:
        return False


def _command(words: tuple[str, ...], inside: Container[str] | None) -> Command:
    from wynot.oracles.command import Command  # noqa: PLC0415

    return Command(words, inside=inside is not None)


def _as_typed(oracle: Oracle, given: OracleOptions, command: tuple[str, ...], path: str) -> Oracle:
    """The same oracle, whose commands know what was typed."""
    from wynot.oracles.protocol import with_commands  # noqa: PLC0415

    others = (shlex.split(each) for each in (given.differs_from, given.valid_if) if each is not None)
    typed = {full_words(tuple(words)): tuple(words) for words in (command, *others)}
    return with_commands(oracle, lambda each: typed_command(each, typed[each.argv], path))


def make_calling_oracle(given: OracleOptions, words: tuple[str, ...]) -> Oracle:
    """The oracle for a command whose own words are searched: the command itself, or a script that is given them."""
    if given.test is None:
        from wynot.oracles.command import Command, find_debugger  # noqa: PLC0415

        return Command(words, conditions_of(given), precision_of(given.precision), find_debugger())
    if conditions_of(given) or given.precision:
        raise UsageError(
            "--fail-if-... and --precision are for the command's own failure, not for --test", "leave one of them out"
        )
    return Script(script_path(given.test))


def _core(given: OracleOptions, command: tuple[str, ...], inside: Container[str] | None) -> Oracle:
    test, conditions = given.test, conditions_of(given)
    if test is not None and command:
        raise UsageError("give a test script or a command, not both", "leave out --test, or what stands after --")
    if test is not None:
        if conditions or given.precision or given.differs_from:
            raise UsageError(
                "--fail-if-..., --precision and --differs-from go with a command, not with --test",
                "leave one of them out",
            )
        return Script(script_path(test), inside is not None)
    if not command:
        context = click.get_current_context(silent=True)
        command_name = (context.info_name if context else None) or ("reduce" if inside is None else "changes")
        example = f"{command_name} {_ENDS.get(command_name, 'FILE -- PROGRAM {}')}"
        raise UsageError(
            "what is to be run? Neither --test SCRIPT nor a command was given",
            f"add the command that fails: wynot {example}",
        )
    words = full_words(command, inside)
    if given.differs_from is not None:
        if conditions or given.precision:
            raise UsageError("--differs-from is the failure to look for; nothing else can be", "leave one of them out")
        other = split_words(given.differs_from, "--differs-from", inside)
        from wynot.oracles.differs_from import DiffersFrom  # noqa: PLC0415

        return DiffersFrom(_command(words, inside), _command(other, inside))
    from wynot.oracles.command import Command, find_debugger  # noqa: PLC0415

    precision = precision_of(given.precision, values=inside is not None)
    return Command(words, conditions, precision, find_debugger(), inside=inside is not None)


def conditions_of(given: OracleOptions) -> Conditions:
    """What `--fail-if-...` says."""
    return Conditions(
        _pattern(given.fail_if_output),
        given.fail_if_exit,
        _signal(given.fail_if_signal),
        given.fail_if_hang,
        given.fail_if_slower_than,
    )


def precision_of(text: str | None, *, values: bool = False) -> Precision:
    """What `--precision` says; else all that is steady, with the values in messages where the input is constant."""
    from wynot.oracles.signature import Precision  # noqa: PLC0415

    try:
        return Precision(values=values) if text is None else Precision.parse(text)
    except ValueError as error:
        raise UsageError(f"--precision: {error}", "for example: --precision frames:3") from None


def _signal(text: str | None) -> int | None:
    """11, SEGV or SIGSEGV."""
    if text is None:
        return None
    if text.isdigit():
        return int(text)
    full = text.upper() if text.upper().startswith("SIG") else f"SIG{text.upper()}"
    try:
        return signal.Signals[full].value
    except KeyError:
        raise UsageError(f"--fail-if-signal: no signal {text!r}", "for example: --fail-if-signal SIGSEGV") from None


OUTPUTS = frozenset({"-o", "--output", "--out", "--outfile", "-out"})
"""What follows is a file that the command writes: in the work folder, as every test writes its own."""


def split_words(text: str, option: str, inside: Container[str] | None = None) -> tuple[str, ...]:
    """The words of a command that was given as one."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"{option}: {error}", "check the quotes") from None
    if not words:
        raise UsageError(f"{option} is empty", f"give a command: {option} 'PROGRAM {{}}'")
    return full_words(words, inside)


def script_path(test: str) -> str:
    """The full path of a test script that can be run."""
    path = Path(test)
    if not path.exists():
        raise UsageError(f"{test}: no such test script", f"check the path: ls -l {pasted(path.parent)}")
    if path.is_dir():
        raise UsageError(f"{test} is a folder, not a test script", f"see what is in it: ls {pasted(test)}")
    if not os.access(path, os.X_OK):
        raise UsageError(f"{test} is not executable", f"make it so: chmod +x {pasted(test)}")
    if not os.access(path, os.R_OK):
        raise UsageError(f"cannot read {test}: Permission denied", f"make it readable: chmod +r {test}")
    return str(real_path(path))


def _pattern(output: str | None) -> str | None:
    if output is not None:
        try:
            re.compile(os.fsencode(output))
        except re.error as error:
            raise UsageError(f"--fail-if-output: {error}", "check the pattern, and quote it") from None
    return output


def full_words(command: tuple[str, ...], inside: Container[str] | None = None) -> tuple[str, ...]:
    """The command's words. Tests run in folders of their own: words that name files here become full paths.

    Those that name what is in the folder that is tested, if tests run in it, stay as they are.
    """
    program, pairs = command[0], pairwise(command)
    if inside is not None:
        own = HOLE in program or ("/" in program and _inside(program, inside))
        first = program if own else _program(program)
        return (first, *(w if b in OUTPUTS or _inside(w, inside) else _full(w) for b, w in pairs))
    return (_program(program), *(word if before in OUTPUTS else _full(word) for before, word in pairs))


def _inside(word: str, inside: Container[str]) -> bool:
    """Whether a word names something in the folder that is tested."""
    path = os.path.normpath(word) if word else word
    return path == "." or path in inside


def _program(program: str) -> str:
    """The program's full path, where it was given by a path."""
    if "/" not in program and shutil.which(program) is None:
        hint = (
            f"is it here? then write ./{program}" if Path(program).exists() else f"install it, or: command -v {program}"
        )
        raise UsageError(f"{program}: no such program", hint)
    if "/" in program:
        if not Path(program).exists():
            raise UsageError(f"{program}: no such program", f"check the path: ls -l {pasted(Path(program).parent)}")
        if not os.access(program, os.X_OK):
            raise UsageError(f"{program} is not executable", f"make it so: chmod +x {pasted(program)}")
        return str(Path(program).absolute())
    return program


def _full(word: str) -> str:
    if word.startswith("-") or HOLE in word or not word or len(word) > 4096:
        return word
    path = Path(word)
    try:
        here = not path.is_absolute() and path.exists()
    except OSError:  # too long for a name
        return word
    return str(path.absolute()) if here else word


# The words of a command that name files, and what they are in the folder of a test.


MAX_PATH = 4096


def typed_command(command: Command, words: tuple[str, ...], path: str) -> Command:
    """The command, which has full paths for the words that name files, with what was typed.

    Words are full paths, but `.` stays: it may as well be no folder. If the command then ends otherwise than as typed,
    all words stay, and what they name is laid beside the input; or `.` is a full path, too.

    Without `{}`, a folder that holds the input stays as typed in any case: by its full path, all tests would find the
    original there.
    """
    cwd = os.getcwd()  # noqa: PTH109
    original = TypedCommand(path, cwd, words)
    by_path = any(HOLE in word for word in words)
    every = tuple(
        word if not by_path and _holds(word, original) else _hole(full, original)
        for word, full in zip(words, command.argv, strict=True)
    )
    plain = tuple(word if word == "." else full for word, full in zip(words, every, strict=True))
    ways = (PathForm(plain), _linked(original, every), PathForm(every if by_path else plain))
    return replace(command, argv=plain, original=original._replace(ways=tuple(dict.fromkeys(ways))))


def _linked(original: TypedCommand, full: tuple[str, ...]) -> PathForm:
    """Words as typed, and links to what they name.

    What cannot be laid at the same place below another working folder keeps its full path: the input itself, what
    holds it, and what is outside of the working folder.
    """
    words, cwd = original.words, original.cwd
    beside: list[FileBeside] = []
    argv = [full[0]]
    for path, (before, word) in zip(full[1:], pairwise(words), strict=True):
        names = {} if before in OUTPUTS else {text: name for text in _parts(word) if (name := _named(text, cwd))}
        fits = [FileBeside(name, f"{cwd}/{name}") for name in names.values() if _fits(name, original)]
        argv.append(path if word in names and len(fits) < len(names) else word)
        beside += fits
    return PathForm(tuple(argv), without_overlaps(beside, original.place()))


def _parts(word: str) -> Iterator[str]:
    """What may be a path in a word: all of it; of an option, what follows `=` or its letter; of `@FILE`, the file.

    >>> [list(_parts(word)) for word in ("a.c", "--config=a.toml", "-Iinclude", "@list", "-")]
    [['a.c'], ['a.toml'], ['include'], ['@list', 'list'], []]
    """
    if not word.startswith("-"):
        yield word
    if word.startswith(("-", "@")):
        name, _, value = word.partition("=")
        yield from filter(None, (value or (word[1:] if name[0] == "@" else word[2:] if name[1:2] != "-" else ""),))


def _named(text: str, cwd: str) -> str:
    """The path, relative to the working folder, of the file or folder that a text names; nothing where it is none."""
    if not text or HOLE in text or len(text) > MAX_PATH or os.path.isabs(text):  # noqa: PTH117
        return ""
    try:
        there = Path(cwd, text).exists()
    except OSError:  # too long for a name
        return ""
    name = os.path.normpath(text)
    return name if there and name != "." else ""


def _hole(word: str, original: TypedCommand) -> str:
    """`{}` for the full path of the input that was typed as `/FOLDER/{}`; other words as they are."""
    whole = os.path.isabs(word) and word.endswith(f"/{HOLE}")  # noqa: PTH117
    return HOLE if whole and os.path.normpath(word.replace(HOLE, original.path)) == original.full_path else word


def _holds(word: str, original: TypedCommand) -> bool:
    """Whether a word is the relative path of a folder that holds the input."""
    if not word or os.path.isabs(word):  # noqa: PTH117
        return False
    folder = os.path.realpath(f"{original.cwd}/{word}")
    return os.path.realpath(original.full_path).startswith(f"{folder}/")


def _fits(name: str, original: TypedCommand) -> bool:
    """Whether it can be laid at its place: it is below the working folder, and not the input or what holds it."""
    outside = name == ".." or name.startswith("../")
    holds = original.place().startswith(f"{name}/")
    return not outside and not holds and not same_file(Path(name), Path(original.path))
