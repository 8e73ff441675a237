"""Imports go with their last users."""

from __future__ import annotations

import re

import pytest

from wynot.commands.reduce.reduction import reduce
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.domains.syntax.edits.name_usage import Imports
from wynot.domains.syntax.language_loading import load

GO = b"""package p
import (
	"fmt"
	"math/rand"
)
// fmt is used
func f() { fmt.Print() }
func g() { rand.Int() }
"""


@pytest.mark.parametrize(
    ("language", "text", "cut", "gone", "stays"),
    [
        ("go", GO, b"func f() { fmt.Print() }", b'"fmt"', b'"math/rand"'),
        ("go", GO, b"fmt.Print()", b'"fmt"', b'"math/rand"'),
        ("python", b"import os\nimport sys\nos.x()\nsys.y()\n", b"os.x()", b"import os", b"import sys"),
        ("java", b"import a.B;\nimport a.C;\nclass D { B b; C c; }\n", b"B b;", b"import a.B;", b"import a.C;"),
        ("javascript", b"import {a, b} from 'm';\na();\nb();\n", b"a();", b"a", b"b"),
        ("rust", b"use m::A;\nuse m::B;\nfn f(a: A) {}\nfn g(b: B) {}\n", b"fn f(a: A) {}", b"use m::A;", b"use m::B;"),
    ],
)
def test_an_import_goes_with_its_last_user(language: str, text: bytes, cut: bytes, gone: bytes, stays: bytes) -> None:
    places = load(language).places(text)
    tree, full = places.tree, Config.full(len(places.tree))
    node = next(node for node in range(len(tree)) if tree.text(node) == cut)
    part = full - tree.shape.subtree(node)
    taken = [tree.text(each) for each in part - Imports(places).without_orphans(full, part)]
    assert gone in taken
    assert stays not in taken


def test_kinds_that_only_sound_like_imports_are_none() -> None:
    places = load("css").places(b"a { color: red !important }\nb { color: important }\n")
    full = Config.full(len(places.tree))
    assert Imports(places).without_orphans(
        full, full - places.tree.shape.subtree(1)
    ) == full - places.tree.shape.subtree(1)


def test_an_import_that_nobody_used_or_somebody_uses_stays() -> None:
    text = b"import os, sys\nimport json\nsys.x()\nsys.y()\nz()\n"
    places = load("python").places(text)
    tree, full = places.tree, Config.full(len(places.tree))
    for cut in (b"sys.x()", b"z()"):
        node = next(node for node in range(len(tree)) if tree.text(node) == cut)
        part = full - tree.shape.subtree(node)
        assert Imports(places).without_orphans(full, part) == part


def test_what_used_an_import_last_is_not_taken_for_needed() -> None:
    """As Go's compiler has it: what is imported has to be used."""
    names = [b"p%d" % i for i in range(12)]
    imports = b"import (\n" + b"".join(b'\t"%s"\n' % name for name in names) + b")\n"
    users = b"".join(b"func f%s() { %s.Do() }\n" % (name, name) for name in names)
    text = b"package main\n" + imports + users + b"func main() { guilty() }\n"

    def test(candidate: bytes) -> Outcome:
        found, used = (set(re.findall(pattern, candidate)) for pattern in (rb'"(p\d+)"', rb"(p\d+)\.Do"))
        return UNRESOLVED if found != used else FAIL if b"guilty()" in candidate else PASS

    result = reduce(text, test, name="x.go")
    assert b"p1" not in result.data
    assert result.cost.counts.needed <= 30


def test_an_import_that_is_needed_for_itself_is_kept() -> None:
    text = b"import os\nimport sys\nos.x()\nsys.y()\n"
    assert reduce(text, lambda data: b"import os" in data, name="x.py").data.split() == b"import os".split()
