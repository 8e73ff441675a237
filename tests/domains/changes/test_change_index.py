"""What error messages speak of, and which changes know it."""

from __future__ import annotations

import pytest

from wynot.core.config import Config
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.changes.change_index import ChangeIndex, defined
from wynot.domains.changes.missing_names import errors_in, places_in, said_in

MESSAGES = {
    "ImportError: cannot import name 'UNSET' from 'click._utils' (/w/click/_utils.py)": "UNSET",
    "ModuleNotFoundError: No module named 'click._utils'": "_utils",
    "AttributeError: module 'sympy.polys' has no attribute 'dup_count'": "dup_count",
    "AttributeError: 'Poly' object has no attribute 'count_real'": "count_real",
    "TypeError: log_to_real() got an unexpected keyword argument 'fast'": "fast",
    "KeyError: 'paragraph'": "paragraph",
    "sqlite3.c:127104:12: error: \u2018SumCtx\u2019 has no member named \u2018rErr\u2019": "rErr",
    "a.c:3:7: error: use of undeclared identifier 'kahanStep'": "kahanStep",
    "a.c:3:7: warning: implicit declaration of function kahanStep\na.c:9: error: failed": "kahanStep",
    "/usr/bin/ld: a.o: in function `main':\na.c:(.text+0x5): undefined reference to `helper'": "helper",
    "/w/lib/marked.js:618\n    edit(x)\nReferenceError: edit is not defined\n    at Object.<anonymous>": "edit",
    "TypeError: this.rules.escapes.replace is not a function": "replace",
    "TypeError: Cannot read properties of undefined (reading 'tokens')": "tokens",
    "A.java:3: error: cannot find symbol\n    foo();\n    ^\n  symbol:   method foo()\n  location: class A": "foo",
    "error[E0425]: cannot find function `spawn_all` in this scope\n --> src/main.rs:2:5": "spawn_all",
    "./x.go:7:2: undefined: parseAll": "parseAll",
    "fatal error: util/list.h: No such file or directory": "list",
}


@pytest.mark.parametrize(("message", "word"), MESSAGES.items())
def test_the_name_that_is_missing_comes_among_the_first(message: str, word: str) -> None:
    names = [dict.fromkeys([*said_in(line), *said_in(notes)]) for line, notes in errors_in(message)]
    assert any(word in list(each)[:2] for each in names)


def test_the_places_of_all_sorts_of_messages() -> None:
    assert places_in('  File "/w/a b.py", line 3, in f') == [("/w/a b.py", 3)]
    assert places_in("src/x.c:12:3: error: no") == [("src/x.c", 12)]
    assert places_in("In file included from a/b.h:1,\n                 from c.c:2:") == [("c.c", 2), ("a/b.h", 1)]
    assert places_in("    at f (/w/lib/marked.js:618:4)\n    at file:///w/x.mjs:1:2") == [
        ("/w/x.mjs", 1),
        ("/w/lib/marked.js", 618),
    ]
    assert places_in("  --> src/main.rs:2:5") == [("src/main.rs", 2)]
    assert places_in("A.java:3: error: cannot find symbol") == [("A.java", 3)]
    assert places_in("x.ts(4,2): error TS2304") == [("x.ts", 4)]
    assert places_in("at 12:30:45 nothing") == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"    async def f(self, *, key=None):\n", {"f", "key"}),
        (b"class A(B):\n    x: int = 3\n", {"A", "x"}),
        (b"from a.b import (\n    c as d,\n    e,\n)\n", {"c", "d", "e"}),
        (b"self.count += 1\nself.errors = []\n", {"errors"}),
        (b"static void kahan(SumCtx *p, double r){\n", {"kahan"}),
        (b"  double rErr;      /* Error term */\n", {"rErr"}),
        (b"struct Sum {\n", {"Sum"}),
        (b"#  define SQLITE_MAX 3\n", {"SQLITE_MAX"}),
        (b"unsigned int *counts[3];\n", {"counts"}),
        (b"typedef struct Mem Mem;\n", {"Mem"}),
        (b"export const { a, b } = require('c');\n", {"a", "b"}),
        (b"Lexer.prototype.token = function(src) {\n", {"token"}),
        (b"  outputLink(cap, link) {\n", {"outputLink"}),
        (b"enum Color {\n  RED,\n  GREEN\n};\n", {"Color", "RED", "GREEN"}),
        (b"pub fn spawn_all(n: usize) -> u8 {\n    let mut x = 1;\n", {"spawn_all", "x"}),
        (b"func (s *Server) Serve(l net.Listener) error {\n\tx := 1\n", {"Serve", "x"}),
        (b"public final class Foo<T> {\n    private static int count(int x) {\n", {"Foo", "count"}),
    ],
)
def test_what_a_text_defines(text: bytes, names: set[str]) -> None:
    assert names <= defined(text)


def test_what_is_only_used_is_not_defined() -> None:
    assert "other" not in defined(b"    return other(1)\n    if other == 2:\n    x = other + 1\n")


def test_a_new_file_defines_its_module() -> None:
    here = ChangeIndex([Change("src/click/_utils.py", "src/click/_utils.py", ChangeKind.ADDED, added=b"UNSET = 1\n")])
    assert here.defining(["_utils"]) == here.defining(["UNSET"]) == Config.of([0])


def test_a_hunk_that_only_changes_a_value_brings_no_definition() -> None:
    here = ChangeIndex([Change("a", "a", ChangeKind.HUNK, 1, 1, 1, 1, b"x = 1\n", b"x = 2\n")])
    assert here.naming(["x"]) == Config.of([0])
    assert here.defining(["x"]) == Config()


def test_a_place_is_found_in_the_file_as_it_was_when_the_error_came() -> None:
    changes = [
        Change("d/a.py", "d/a.py", ChangeKind.HUNK, 1, 0, 2, 20, b"", b"pass\n" * 20),
        Change("d/a.py", "d/a.py", ChangeKind.HUNK, 10, 1, 30, 1, b"x\n", b"y\n"),
        Change("e/a.py", "e/a.py", ChangeKind.HUNK, 10, 1, 10, 1, b"x\n", b"y\n"),
    ]
    here = ChangeIndex(changes)
    assert here.at("/w/000/d/a.py", 30, Config.of([0])) == Config.of([1])
    assert here.at("/w/000/d/a.py", 10, Config()) == Config.of([1])
    assert here.at("/w/000/d/a.py", 10, Config.of([0])) == Config.of([0])
    assert here.at("other.py", 10, Config()) == Config()
    assert here.at("/x/e/a.py", 11, Config()) == Config.of([2])
