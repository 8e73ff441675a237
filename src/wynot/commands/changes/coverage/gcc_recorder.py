"""gcov in the programs that a test compiles itself: a gcc that is found before the usual one asks for it.

Notes and counts go to a private folder, wherever the objects go and whatever becomes of them. A program that a signal
ends writes no counts; nothing is said of its lines then.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import ClassVar

from wynot.commands.changes.coverage.line_recorder import Env
from wynot.core.folder import Folder
from wynot.domains.coverage.c_comments import SUFFIX, silent_lines
from wynot.domains.coverage.executed_lines import ExecutedLines
from wynot.domains.coverage.gcov import read_gcov
from wynot.domains.coverage.line_counts import UnreadableError

_NAMES = ("gcc", "g++", "cc", "c++")
_LEAST = 11
"""Since this version the place of all that a compiler writes beside its output can be chosen."""
_PATIENCE = 120.0
_COMPILER = """\
#!/bin/sh
exec {compiler} "$@" --coverage -fprofile-abs-path -dumpdir {data}/$$-
"""


class CompilerCoverage:
    """Compilers that record, and a folder for what they record."""

    suffixes: ClassVar[tuple[str, ...]] = SUFFIX

    def __init__(self, folder: Path, path: str) -> None:
        self._programs, self._data, self._path = folder / "programs", folder / "data", path
        for each in (self._programs, self._data):
            each.mkdir(parents=True)
        for name in _NAMES:
            compiler = shutil.which(name)
            if compiler is not None and _suits(compiler):
                program = self._programs / name
                program.write_text(_COMPILER.format(compiler=quote(compiler), data=quote(str(self._data))))
                program.chmod(0o755)

    def env(self) -> Env:
        """What makes these compilers be found first."""
        return [("PATH", os.pathsep.join((str(self._programs), os.environ.get("PATH", os.defpath))))]

    def files(self, tree: Folder) -> dict[str, bytes]:  # noqa: ARG002
        """None."""
        return {}

    def found(self, tree: Folder, wanted: frozenset[str]) -> dict[str, ExecutedLines]:
        """What the programs tell that came to their end."""
        counted = sorted(each.name for each in self._data.glob("*.gcda"))
        gcov = shutil.which("gcov")
        if not counted or gcov is None:
            return {}
        command = (gcov, "--json-format", "--stdout", *counted)
        with suppress(UnreadableError, OSError, subprocess.TimeoutExpired):
            told = subprocess.run(command, cwd=self._data, capture_output=True, check=False, timeout=_PATIENCE)
            table = read_gcov(told.stdout.decode("utf-8", "replace"))
            own = ((given.removeprefix(f"{self._path}/"), counts) for given, counts in table.items())
            return {
                inside: ExecutedLines(counts.executed, counts.idle() | silent_lines(tree.entries[inside].data))
                for inside, counts in own
                if inside in wanted
            }
        return {}


def _suits(compiler: str) -> bool:
    """Whether this is gcc, and new enough."""
    try:
        told = subprocess.run((compiler, "--version"), capture_output=True, check=False, timeout=10)
        version = subprocess.run((compiler, "-dumpversion"), capture_output=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return False
    number = version.stdout.split(b".")[0].strip()
    return b"Free Software Foundation" in told.stdout and number.isdigit() and int(number) >= _LEAST
