"""What was executed, and whether a change lies there."""

from __future__ import annotations

import ast
import inspect
import json
import shlex
import sys
import textwrap
import types
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.folder import Folder
from wynot.domains.coverage.line_counts import (
    ExecutedFiles,
    LineCounts,
    PathSuffixes,
    executed_of,
    new_table,
    silent_lines,
)
from wynot.domains.coverage.report_formats import read_cobertura, read_gcov, read_lcov
from wynot.domains.coverage.unexecuted_python import idle_of

LINES = st.frozensets(st.integers(1, 6))
TABLES = st.dictionaries(st.sampled_from("abc"), LINES)
RUNS = st.builds(ExecutedFiles, st.frozensets(st.sampled_from("abc")), st.none() | TABLES, st.none() | TABLES)


@given(RUNS)
def test_what_was_executed_survives_json(run: ExecutedFiles) -> None:
    assert ExecutedFiles.from_json(json.loads(json.dumps(run.as_json()))) == run


@given(RUNS, st.sampled_from("abc"), st.integers(1, 6), st.integers(1, 3))
def test_more_lines_touch_no_less(run: ExecutedFiles, path: str, start: int, count: int) -> None:
    if run.touches(path, start, count):
        assert run.touches(path, start, count + 1)


def test_a_place_without_lines_is_idle_between_idle_lines() -> None:
    run = ExecutedFiles(frozenset({"a"}), None, {"a": frozenset({1, 2, 3})})
    assert [run.touches("a", start, 0) for start in range(5)] == [False, False, False, True, True]


def traced(name: str, function: Callable[[], Any]) -> set[int]:
    """The lines of this file that a call executes."""
    seen = set[int]()

    def trace(frame: types.FrameType, _event: str, _argument: object) -> Any:
        if frame.f_code.co_filename == name:
            seen.add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return seen


SOURCES: dict[str, tuple[types.ModuleType, Callable[[Any], object]]] = {
    "textwrap": (textwrap, lambda m: m.fill("some words " * 20, 30)),
    "shlex": (shlex, lambda m: m.split("a 'b c' d")),
    "ast": (ast, lambda m: m.dump(ast.parse("x = 1"))),
}


@pytest.mark.parametrize("name", SOURCES)
def test_executed_lines_are_never_idle(name: str) -> None:
    """A real module is loaded and used; what is idle is most of it, and nothing that was executed."""
    module, use = SOURCES[name]
    source = inspect.getsource(module)
    space: dict[str, Any] = {"__name__": name}
    code = compile(source, f"<{name}>", "exec")

    def run() -> None:
        exec(code, space)
        use(types.SimpleNamespace(**space))

    lines = traced(f"<{name}>", run)
    idle = idle_of(source.encode(), lines)
    assert not idle & lines
    statements = {node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Return)}
    assert statements - lines <= idle
    assert len(idle) > source.count("\n") / 2


PYTHON = b'''\
# -*- coding: utf-8 -*-
"""Docstring."""
import os
TABLE = {
    # a comment inside
    "a": 1,
}

@decorated
def never(a=1,
          b=2):
    """Docstring."""
    # comment
    try:
        global x
        x = 1
    except ValueError:
        pass
    else:
        x = """

        # no comment
        """

def once():
    while True:
        if a:
            return 1
        else:
            return 2
    text = """
# no comment

"""
'''


def test_python_is_judged_by_statements() -> None:
    idle = idle_of(PYTHON, {3, 4, 6, 9, 10, 25, 27, 28})
    assert {1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 25, 26, 27, 28}.isdisjoint(idle)  # `while True` leaves no trace
    assert set(range(12, 24)) <= idle  # the body of a function that was never called
    assert {30, 31, 32, 33, 34} <= idle
    assert {8, 24} <= idle  # nothing is there


def test_strings_are_no_comments() -> None:
    idle = idle_of(PYTHON, {3, 4, 6, 9, 10, 14, 16, 20, 25, 26, 31})
    assert {20, 21, 22, 23, 31, 32, 33, 34}.isdisjoint(idle)
    assert 13 in idle


@pytest.mark.parametrize("source", [b"print 1\n", b"\0", b"\xff\xfe", b"(" * 500])
def test_of_what_is_no_python_nothing_is_idle(source: bytes) -> None:
    assert idle_of(source, {1}) == frozenset()


def test_functions_that_never_ran_are_idle_from_brace_to_brace() -> None:
    counts = LineCounts(Counter({2: 0, 6: 1, 7: 0, 9: 0, 11: 1, 20: 0, 23: 0}), {(1, 4), (5, 12)})
    assert counts.idle() == {1, 2, 3, 4, 7, 8, 9, 20, 23}


def test_lcov_of_version_two() -> None:
    text = "TN:\nSF:/x/a.c\nFNL:0,3,5\nFNA:0,0,idle\nFNL:1,7,9\nFNA:1,2,used\nDA:4,0\nDA:8,2,checksum\nend_of_record\n"
    counts = read_lcov(text)["/x/a.c"]
    assert counts.functions == {(3, 5), (7, 9)}
    assert counts.idle() == {3, 4, 5}
    assert counts.executed == {8}


def test_functions_with_commas_in_their_names() -> None:
    counts = read_lcov("SF:a.cc\nFN:3,5,f<int, int>()\nFNDA:0,f<int, int>()\nFN:8,g\nFNDA:0,g\nend_of_record\n")["a.cc"]
    assert counts.functions == {(3, 5)}


def test_a_line_that_is_there_twice_is_executed_if_any_of_them_is() -> None:
    """As templates are, and headers."""
    one = {"file": "a.h", "functions": [], "lines": [{"line_number": 1, "count": 0}, {"line_number": 1, "count": 3}]}
    text = "\n".join(
        json.dumps({"files": [each]}) for each in (one, {**one, "lines": [{"line_number": 2, "count": 0}]})
    )
    assert read_gcov(text)["a.h"].lines == {1: 3, 2: 0}


def test_methods_of_cobertura_are_read_too() -> None:
    xml = b"""<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
    <coverage><packages><package><classes><class filename="src/A.java"><methods><method><lines>
    <line number="3" hits="0"/></lines></method></methods><lines><line number="3" hits="0"/><line number="7" hits="1"/>
    </lines></class></classes></package></packages></coverage>"""
    assert read_cobertura(xml)["src/A.java"].lines == {3: 0, 7: 1}


@pytest.mark.parametrize(
    ("given_path", "found"),
    [
        ("src/a.c", "src/a.c"),
        ("/home/x/src/a.c", "src/a.c"),
        ("./lib/../src/a.c", "src/a.c"),
        ("../src/a.c", "src/a.c"),
        ("C:\\x\\src\\a.c", "src/a.c"),
        ("deep/in/it.c", "src/deep/in/it.c"),
        ("it.c", "src/deep/in/it.c"),
        ("a.c", None),
        ("/usr/include/a.c", None),
        ("/usr/include/top.c", "top.c"),
        ("", None),
        ("/", None),
    ],
)
def test_paths_are_found_by_their_ends(given_path: str, found: str | None) -> None:
    assert PathSuffixes(["src/a.c", "lib/a.c", "src/deep/in/it.c", "top.c"]).find(given_path) == found


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=4), st.lists(st.sampled_from("abc"), max_size=3))
def test_a_file_is_found_below_any_folder(parts: list[str], above: list[str]) -> None:
    path = "/".join(parts)
    assert PathSuffixes([path, "z"]).find("/".join(["", "root", *above, *parts])) == path


def test_comments_are_not_executed() -> None:
    source = b"""\
/* one
 */ int x; // two
   // three \\
   four
char *s = "/* five"; char c = '"'; /* '
  six */

  /* eight */  /* and more */
#define EIGHT 8 /* nine
  ten */
char *t = "\\"//";
"""
    assert silent_lines(source) == {1, 3, 4, 6, 7, 8, 10}


def test_counts_from_several_places_are_one() -> None:
    table = new_table()
    table["/one/a.c"].add(1, 0)
    table["/two/a.c"].add(1, 2)
    table["/two/a.c"].add(2, 0)
    found = executed_of(table, Folder.of({"a.c": b"", "b.c": b""}))
    assert found.lines == {"a.c": frozenset({1})}
    assert found.idle == {"a.c": frozenset({2})}
    assert found.files == {"a.c", "b.c"}
