"""Recorders of the lines that a test executes: Python (coverage.py), Node.js (V8) and gcc (gcov)."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import ClassVar, Protocol
from urllib.parse import unquote, urlparse

import coverage
from coverage.exceptions import CoverageException

from wynot.core.folder import Folder
from wynot.domains.coverage.line_counts import (
    C_SUFFIXES,
    ExecutedLines,
    Table,
    UnreadableError,
    new_table,
    silent_lines,
)
from wynot.domains.coverage.report_formats import NODE_SUFFIXES, lines_of, read_gcov, read_v8
from wynot.domains.coverage.unexecuted_python import PYTHON_SUFFIXES, idle_of

Env = list[tuple[str, str]]


class LineRecorder(Protocol):
    """Gets into the programs of one test by their environment, and by files beside what is tested."""

    suffixes: ClassVar[tuple[str, ...]]
    """The files of which it can tell something."""

    def __init__(self, folder: Path, path: str) -> None:
        """Record in this folder, which is made, what is executed of the tree at this path."""
        ...

    def env(self) -> Env:
        """Variables for the environment."""
        ...

    def files(self, tree: Folder) -> dict[str, bytes]:
        """Files to be laid out with the tree."""
        ...

    def found(self, tree: Folder, wanted: frozenset[str]) -> dict[str, ExecutedLines]:
        """What was executed of these files; nothing of those that it was not told about."""
        ...


# gcov in the programs that a test compiles itself: a gcc that is found before the usual one asks for it.
#
# Notes and counts go to a private folder, wherever the objects go and whatever becomes of them. A program that a signal
# ends writes no counts; nothing is said of its lines then.


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

    suffixes: ClassVar[tuple[str, ...]] = C_SUFFIXES

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


# What Node.js records of itself, in any process that a test starts.


class NodeCoverage:
    """Asks Node.js to record itself."""

    suffixes: ClassVar[tuple[str, ...]] = NODE_SUFFIXES

    def __init__(self, folder: Path, path: str) -> None:
        self._data, self._path = folder, path

    def env(self) -> Env:
        """What asks for it."""
        return [("NODE_V8_COVERAGE", str(self._data))]

    def files(self, tree: Folder) -> dict[str, bytes]:  # noqa: ARG002
        """None."""
        return {}

    def found(self, tree: Folder, wanted: frozenset[str]) -> dict[str, ExecutedLines]:
        """What the processes tell that came to their end."""
        found: dict[str, ExecutedLines] = {}
        for file in sorted(self._data.glob("coverage-*.json")):
            with suppress(UnreadableError, OSError):
                for url, ranges in read_v8(file.read_text()):
                    inside = unquote(urlparse(url).path).removeprefix(f"{self._path}/")
                    if inside in wanted and inside.endswith(NODE_SUFFIXES):
                        live, idle = lines_of(tree.entries[inside].data, ranges)
                        before = found.get(inside, ExecutedLines(frozenset(), idle))
                        found[inside] = ExecutedLines(before.lines | live, before.idle & idle)
        return found


# coverage.py in the interpreters that a test starts, whichever they are.
#
# It gets in by their environment, and needs to be installed in none of them. A script that sets that environment itself
# can often still be reached: by files in its tree, which is our own copy.


HOOK = "sitecustomize.py"
"""What an interpreter imports by itself when it starts, if it is on its path."""
_CONFIG = """\
[run]
branch = false
parallel = true
data_file = {data}/coverage
include = {tree}/*
concurrency = thread, multiprocessing
sigterm = true
disable_warnings = no-data-collected, module-not-imported, module-not-measured, couldnt-parse
"""
_HOOK = '''\
def start():
    import os, sys

    if getattr(sys, "wynot_records", False):
        return
    sys.wynot_records = True
    sys.path.insert(0, {packages!r})
    try:
        import coverage

        os.environ["COVERAGE_PROCESS_START"] = {config!r}
        coverage.process_startup()
    except Exception:
        pass
    finally:
        sys.path.remove({packages!r})


def go_on():
    """Import the file of this name that would have been imported without this one."""
    import os, sys
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    own = os.path.realpath(os.path.dirname(__file__))
    spec = PathFinder.find_spec("sitecustomize", [path for path in sys.path if os.path.realpath(path or ".") != own])
    if spec is not None and spec.loader is not None:
        sys.modules["sitecustomize"] = module = module_from_spec(spec)
        spec.loader.exec_module(module)


start()
go_on()
'''


class PythonCoverage:
    """A folder with coverage.py itself, what makes it start, and what it finds."""

    suffixes: ClassVar[tuple[str, ...]] = PYTHON_SUFFIXES

    def __init__(self, folder: Path, path: str) -> None:
        site, packages, config = folder / "site", folder / "packages", folder / "coveragerc"
        self._site, self._data, self._path = site, folder / "data", path
        for each in (folder, site, packages, self._data):
            each.mkdir()
        (packages / "coverage").symlink_to(Path(coverage.__file__).parent)
        config.write_text(_CONFIG.format(data=self._data, tree=path))
        self._hook = _HOOK.format(packages=str(packages), config=str(config)).encode()
        (site / HOOK).write_bytes(self._hook)

    def env(self) -> Env:
        """What reaches interpreters."""
        before = os.environ.get("PYTHONPATH")
        return [("PYTHONPATH", os.pathsep.join((str(self._site), *([before] if before else []))))]

    def files(self, tree: Folder) -> dict[str, bytes]:
        """What reaches those that have a path of their own into the tree."""
        return dict.fromkeys(hooked(tree), self._hook)

    def found(self, tree: Folder, wanted: frozenset[str]) -> dict[str, ExecutedLines]:
        """What the interpreters tell that came to their end."""
        lines: dict[str, frozenset[int]] = {}
        for file in self._data.glob("coverage.*"):
            with suppress(UnreadableError):
                for measured, counts in read_data(file).items():
                    inside = measured.removeprefix(f"{self._path}/")
                    if inside in wanted and inside.endswith(PYTHON_SUFFIXES):
                        lines[inside] = lines.get(inside, frozenset()) | counts.executed
        return {each: ExecutedLines(seen, idle_of(tree.entries[each].data, seen)) for each, seen in lines.items()}


def hooked(tree: Folder) -> list[str]:
    """Where a file would be found by an interpreter that has a folder of the tree on its path.

    That is wherever packages or modules begin: in folders that have some and are not in one.

    >>> hooked(Folder.of({"src/pkg/__init__.py": b"", "src/pkg/a.py": b"", "setup.py": b"", "doc/a.txt": b""}))
    ['sitecustomize.py', 'src/sitecustomize.py']
    """
    modules = {path.rpartition("/")[0] for path in tree.entries if path.endswith(PYTHON_SUFFIXES)}
    packages = {path.rpartition("/")[0] for path in tree.entries if path.rpartition("/")[2] == "__init__.py"}
    begin = {""} | {folder.rpartition("/")[0] for folder in packages} | {each for each in modules if "/" not in each}
    tops = sorted(folder for folder in begin if folder not in packages or not folder)
    paths = [f"{folder}/{HOOK}" if folder else HOOK for folder in tops]
    return [path for path in paths if path not in tree.entries]


def read_data(path: Path) -> Table:
    """What `coverage run` has written."""
    table = new_table()
    with tempfile.TemporaryDirectory(prefix="wynot-") as folder:
        copy = Path(folder, "data")  # where the original is, nothing is to be written
        shutil.copyfile(path, copy)
        data = coverage.CoverageData(str(copy))
        try:
            data.read()
            for file in data.measured_files():
                for line in data.lines(file) or ():
                    table[file].add(line, 1)
        except CoverageException as error:
            raise UnreadableError(str(error)) from None
        finally:
            data.close(force=True)
    return table
