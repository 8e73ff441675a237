"""From where Python imports the packages of a tree: from the tree, or from a copy that is installed.

Each interpreter that a test starts writes the files of its modules when it ends. A package that is installed editable
(`pip install -e`) or that lies in site-packages is imported from there, whatever the tree holds.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from wynot.core.call import Variable
from wynot.core.folder import Folder

HOOK = "sitecustomize.py"
_HOOK = '''\
def watch():
    import atexit, os, sys

    if getattr(sys, "wynot_watches", False):
        return
    sys.wynot_watches = True

    def leave():
        rows = []
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if "." not in name and isinstance(file, str):
                rows.append(name + "\\t" + os.path.realpath(file) + "\\n")
        with open(os.path.join({data!r}, str(os.getpid())), "w") as data:
            data.writelines(rows)

    atexit.register(leave)


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


try:
    watch()
except Exception:
    pass
go_on()
'''


class ForeignPackage(NamedTuple):
    """A package of the tree that is imported from somewhere else."""

    name: str
    place: str
    """The folder or file that is imported."""
    folder: str
    """Where the tree has it: the folder to be searched for it, as `src`, or `.` for the top."""


class PythonImports:
    """A folder from which interpreters are watched, and what they have written."""

    def __init__(self, folder: Path, tree: str) -> None:
        self._site, self._data, self._tree = folder / "site", folder / "data", os.path.realpath(tree)
        for each in (folder, self._site, self._data):
            each.mkdir()
        (self._site / HOOK).write_text(_HOOK.format(data=str(self._data)))

    def env(self, first: str = "") -> tuple[Variable, ...]:
        """What reaches the interpreters of a test; `first`: a folder of the tree in which they look before others."""
        before = os.environ.get("PYTHONPATH")
        folders = [str(self._site), *([first] if first else []), *([before] if before else [])]
        return (Variable("PYTHONPATH", os.pathsep.join(folders)),)

    def elsewhere(self, tree: Folder, about: Collection[str]) -> tuple[ForeignPackage, ...]:
        """The packages with some of these files that were imported, though never from the tree."""
        wanted = dict(_packages(tree, about))
        inside: set[str] = set()
        outside: dict[str, str] = {}
        for file in sorted(self._data.iterdir()):
            for row in file.read_text(errors="surrogateescape").splitlines():
                name, _, path = row.partition("\t")
                if name not in wanted:
                    continue
                if path.startswith(f"{self._tree}/"):
                    inside.add(name)
                else:
                    outside[name] = path.removesuffix("/__init__.py")
        return tuple(ForeignPackage(name, place, wanted[name]) for name, place in outside.items() if name not in inside)


def _packages(tree: Folder, about: Collection[str]) -> Iterator[tuple[str, str]]:
    """The packages and modules that hold these files, and the folder of the tree that they are in.

    >>> tree = Folder.of({"src/pkg/__init__.py": b"", "src/pkg/sub/a.py": b"", "tool.py": b""})
    >>> dict(_packages(tree, {"src/pkg/sub/a.py", "tool.py"}))
    {'pkg': 'src', 'tool': '.'}
    """
    for path in sorted(about):
        parents = [parent for parent in PurePosixPath(path).parents if f"{parent}/__init__.py" in tree.entries]
        if parents:
            name, folder = parents[-1].name, str(parents[-1].parent)
        elif path.endswith(".py"):
            name, folder = PurePosixPath(path).stem, str(PurePosixPath(path).parent)
        else:
            continue
        if name not in sys.stdlib_module_names:
            yield name, folder
