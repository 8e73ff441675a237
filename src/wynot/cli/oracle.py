"""From the words of the command line to an oracle."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from wynot.errors import UsageError
from wynot.oracles.command import HOLE, Command
from wynot.oracles.script import Script


def make_oracle(test: str | None, command: tuple[str, ...], output: str | None) -> Script | Command:
    """The test script, or the command."""
    if test is not None and command:
        raise UsageError("give a test script or a command, not both", "leave out --test, or what stands after --")
    if test is not None:
        if output is not None:
            raise UsageError("--fail-if-output goes with a command, not with --test", "leave one of them out")
        return Script(_script(test))
    if not command:
        raise UsageError(
            "what is to be run? Neither --test SCRIPT nor a command was given",
            "add the command that fails: wynot reduce FILE -- PROGRAM {}",
        )
    return Command(_words(command), _pattern(output))


def _script(test: str) -> str:
    path = Path(test)
    if not path.exists():
        raise UsageError(f"{test}: no such test script", f"check the path: ls -l {path.parent}")
    if path.is_dir():
        raise UsageError(f"{test} is a folder, not a test script", f"see what is in it: ls {test}")
    if not os.access(path, os.X_OK):
        raise UsageError(f"{test} is not executable", f"make it so: chmod +x {test}")
    if not os.access(path, os.R_OK):
        raise UsageError(f"cannot read {test}: Permission denied", f"make it readable: chmod +r {test}")
    return str(path.resolve())


def _pattern(output: str | None) -> str | None:
    if output is not None:
        try:
            re.compile(output.encode())
        except re.error as error:
            raise UsageError(f"--fail-if-output: {error}", "check the pattern, and quote it") from None
    return output


def _words(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command's words. Tests run in folders of their own: words that name files here become full paths."""
    program = command[0]
    if "/" not in program and shutil.which(program) is None:
        hint = (
            f"is it here? then write ./{program}" if Path(program).exists() else f"install it, or: command -v {program}"
        )
        raise UsageError(f"{program}: no such program", hint)
    if "/" in program:
        if not Path(program).exists():
            raise UsageError(f"{program}: no such program", f"check the path: ls -l {Path(program).parent}")
        if not os.access(program, os.X_OK):
            raise UsageError(f"{program} is not executable", f"make it so: chmod +x {program}")
        program = str(Path(program).absolute())
    return (program, *map(_full, command[1:]))


def _full(word: str) -> str:
    if word.startswith("-") or HOLE in word or not word or len(word) > 4096:
        return word
    path = Path(word)
    try:
        here = not path.is_absolute() and path.exists()
    except OSError:  # too long for a name
        return word
    return str(path.absolute()) if here else word
