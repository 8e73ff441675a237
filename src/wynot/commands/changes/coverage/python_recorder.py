"""coverage.py in the interpreters that a test starts, whichever they are.

It gets in by their environment, and needs to be installed in none of them. A script that sets that environment itself
can often still be reached: by files in its tree, which is our own copy.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import coverage
from coverage.exceptions import CoverageException

from wynot.commands.changes.coverage.line_recorder import Env
from wynot.core.folder import Folder
from wynot.domains.coverage.executed_lines import ExecutedLines
from wynot.domains.coverage.line_counts import Table, UnreadableError, new_table
from wynot.domains.coverage.unexecuted_python import SUFFIX, idle_of

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

    suffixes: ClassVar[tuple[str, ...]] = SUFFIX

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
                    if inside in wanted and inside.endswith(SUFFIX):
                        lines[inside] = lines.get(inside, frozenset()) | counts.executed
        return {each: ExecutedLines(seen, idle_of(tree.entries[each].data, seen)) for each, seen in lines.items()}


def hooked(tree: Folder) -> list[str]:
    """Where a file would be found by an interpreter that has a folder of the tree on its path.

    That is wherever packages or modules begin: in folders that have some and are not in one.

    >>> hooked(Folder.of({"src/pkg/__init__.py": b"", "src/pkg/a.py": b"", "setup.py": b"", "doc/a.txt": b""}))
    ['sitecustomize.py', 'src/sitecustomize.py']
    """
    modules = {path.rpartition("/")[0] for path in tree.entries if path.endswith(SUFFIX)}
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
