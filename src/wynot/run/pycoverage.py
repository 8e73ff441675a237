"""coverage.py in the interpreters that a test starts, whichever they are."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import coverage
from coverage.exceptions import CoverageException

from wynot.core.folder import Folder
from wynot.domains.coverage.counts import Table, UnreadableError, new_table
from wynot.domains.coverage.executed import Found
from wynot.domains.coverage.python import SUFFIX, idle_of
from wynot.run.place import remove_root

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
    """Records in a private folder, which holds coverage.py itself, what makes it start, and what it finds."""

    def __init__(self, folder: Path) -> None:
        self._site, self._packages, self._data = folder / "site", folder / "packages", folder / "data"
        self._config, self._bytecode = folder / "coveragerc", folder / "bytecode"
        for each in (folder, self._site, self._packages, self._data):
            each.mkdir()
        (self._packages / "coverage").symlink_to(Path(coverage.__file__).parent)
        self.hook = _HOOK.format(packages=str(self._packages), config=str(self._config)).encode()
        """What makes it start."""
        (self._site / HOOK).write_bytes(self.hook)

    def begin(self, tree: str) -> None:
        """Record what is executed in this tree from now on."""
        shutil.rmtree(self._data)
        self._data.mkdir()
        remove_root(str(self._bytecode))
        self._config.write_text(_CONFIG.format(data=self._data, tree=tree))

    def env(self) -> tuple[tuple[str, str], ...]:
        """What reaches interpreters. Bytecode goes elsewhere: where there is some, the source is not even read."""
        before = os.environ.get("PYTHONPATH")
        path = f"{self._site}{os.pathsep}{before}" if before else str(self._site)
        return (("PYTHONPATH", path), *self.env_without())

    def env_without(self) -> tuple[tuple[str, str], ...]:
        """The same, where nothing is to be recorded."""
        return (("PYTHONPYCACHEPREFIX", str(self._bytecode)),)

    def found(self, path: str, tree: Folder, wanted: Collection[str]) -> dict[str, Found]:
        """The lines executed so far of the tree that is at this path; nothing where no interpreter was reached."""
        lines: dict[str, frozenset[int]] = {}
        for file in self._data.glob("coverage.*"):
            with suppress(UnreadableError):  # of an interpreter that was killed
                for measured, counts in read_data(file).items():
                    inside = measured.removeprefix(f"{path}/")
                    if inside != measured and inside in wanted and inside.endswith(SUFFIX):
                        lines[inside] = lines.get(inside, frozenset()) | counts.executed
        return {each: Found(seen, idle_of(tree.entries[each].data, seen)) for each, seen in lines.items()}


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
