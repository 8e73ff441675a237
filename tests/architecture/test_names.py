"""One name, one thing: modules and public classes can be found by their names."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src" / "wynot"
MAX_MODULES_PER_PACKAGE = 20


def modules() -> list[Path]:
    return [path for path in SOURCES.rglob("*.py") if path.name != "__init__.py"]


def test_no_two_modules_have_the_same_name() -> None:
    names = Counter(path.name for path in modules())
    assert [name for name, count in names.items() if count > 1] == []


def test_no_two_public_classes_have_the_same_name() -> None:
    places = defaultdict(list)
    for path in SOURCES.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(SOURCES)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_package_is_a_long_flat_list() -> None:
    sizes = Counter(path.parent.relative_to(SOURCES).as_posix() for path in modules())
    assert {name: size for name, size in sizes.items() if size > MAX_MODULES_PER_PACKAGE} == {}
