"""Which language a file is in, and what happens where its grammar is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from wynot.domains.syntax import language_loading
from wynot.domains.syntax.language_loading import MissingWheelError, guessed, load
from wynot.domains.syntax.language_table import GRAMMARS, LanguageEntry

HIDDEN = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name == "tree_sitter_zig":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
from wynot.domains.syntax import language_loading as languages

assert languages.load("c").name == "c"
try:
    languages.load("zig")
except languages.MissingWheelError as missing:
    print(missing.wheel, missing, sep=": ")
"""


@pytest.mark.parametrize(
    ("filename", "language"),
    [
        ("/somewhere/bug.c", "c"), ("BUG.C", "cpp"), ("bug.PY", "python"), ("x.tar.json", "json"), (".bashrc", "bash"),
        ("home/.profile", "bash"), ("BUILD", "python"), ("Gemfile", "ruby"), ("Rakefile", "ruby"), ("pp.i", "c"),
        ("pp.ii", "cpp"), ("fixed.F", "fortran"), ("init.el", "sexpr"), ("a.wat", "sexpr"), ("core.clj", "sexpr"),
        ("types.mli", "ocaml-interface"), ("Cargo.lock", "toml"), ("icon.svg", "xml"),
        ("Makefile", None), ("Dockerfile", None), ("CMakeLists.txt", None), ("view.m", None), ("c", None), ("", None),
        ("notes.txt", None), ("IPC/Cmd.pm", None),
    ],
)  # fmt: skip
def test_by_name(filename: str, language: str | None) -> None:
    assert guessed(filename, b"") == language


def test_every_name_in_the_table_is_guessed() -> None:
    for grammar in GRAMMARS:
        for name in grammar.names:
            assert guessed(name if name[0] != "." else f"file{name}", b"") == grammar.name


def test_no_name_is_in_the_table_twice() -> None:
    names = [name for grammar in GRAMMARS for name in grammar.names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("data", "language"),
    [
        (b"#!/bin/sh\n", "bash"), (b"#!/usr/bin/env -S bash -e\n", "bash"), (b"#!/usr/bin/python3.12\n", "python"),
        (b"#!/usr/bin/env node\n", "javascript"), (b"#!/usr/bin/env ruby\n", "ruby"), (b"#!/usr/bin/lua5.4\n", "lua"),
        (b"#!/usr/bin/php\n<?php echo 1;", "php"), (b"<?php echo 1;", "php"), (b"#!/usr/bin/racket\n", "sexpr"),
        (b'<?xml version="1.0"?><a/>', "xml"), (b"\xef\xbb\xbf<?xml ?>", "xml"), (b'<a xmlns="x"/>', "xml"),
        (b"<!-- x --><svg/>", "xml"), (b"<!DOCTYPE html>\n<p>", "html"), (b"<HTML lang=en>", "html"),
        (b"\n<div class=x>", "html"), (b"<!DOCTYPE plist PUBLIC>", "xml"),
        (b'{"a": 1}', "json"), (b"{}", "json"), (b"[1, 2]", "json"), (b'[{"a":[]}]', "json"), (b"[]", "json"),
        (b"%YAML 1.2\n---\n", "yaml"), (b"---\na: 1\n", "yaml"),
        (b"; hello\n\n(set-logic QF_UF)", "sexpr"), (b"(declare-const x Int)", "sexpr"), (b"(module)", "sexpr"),
        (b"// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;", "solidity"),
        (b"-- data\nCREATE TABLE t (a int);", "sql"), (b'package main\n\nimport "fmt"\n', "go"),
        (b"", None), (b"hello", None), (b"--- a/file\n+++ b/file\n", None), (b"[2024-01-02 10:00] started", None),
        (b"(a remark in brackets)", None), (b"{not json}", None), (b"<- that way", None), (b"a < b", None),
        (b"Create tables of oak", None), (b"\0\1\2", None), (b"\xff" * 3000, None),
    ],
)  # fmt: skip
def test_by_content(data: bytes, language: str | None) -> None:
    assert guessed("unknown", data) == language


@pytest.mark.parametrize(
    ("filename", "data", "language"),
    [
        ("a.h", b"struct a { int b; };\n", "c"),
        ("a.h", b"/* class template namespace std::x */ int a; // std::y\n", "c"),
        ("a.h", b'#ifdef __cplusplus\nextern "C" {\n#endif\nint a(void);\n', "c"),
        ("a.h", b"int class;\nint template;\n", "c"),
        ("a.h", b"class A {\npublic:\n};\n", "cpp"),
        ("a.h", b"#pragma once\ntemplate <class T> struct A;\n", "cpp"),
        ("a.h", b"namespace a { int b; }\n", "cpp"),
        ("a.h", b"void f(std::string);\n", "cpp"),
        ("a.i", b"class A {};\n", "c"),
        ("a.ts", b"let a: number;\n", "typescript"),
        ("a_de.ts", b'<?xml version="1.0"?>\n<!DOCTYPE TS><TS/>', "xml"),
        ("a.py", b"#!/bin/sh\n", "python"),
    ],
)
def test_names_that_languages_share(filename: str, data: bytes, language: str) -> None:
    assert guessed(filename, data) == language


def test_openings_take_no_long_search() -> None:
    """Nothing in the table backtracks without end: a test that would never be done."""
    for piece in (b"<!--", b";", b"; \n", b"--\n", b'"\\', b'{"', b"[[", b" ", b"\n", b"<a ", b"//", b"#!", b"(;"):
        guessed("unknown", piece * 2000)


def test_languages_are_loaded_once() -> None:
    assert load("c") is load("c")


def test_no_such_language() -> None:
    with pytest.raises(KeyError):
        load("klingon")


def test_a_missing_wheel_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    grammar = LanguageEntry("klingon", (".tlh",), "tree-sitter-klingon")
    monkeypatch.setitem(language_loading._BY_NAME, "klingon", grammar)
    with pytest.raises(MissingWheelError, match="the grammar of klingon is not installed") as caught:
        load("klingon")
    assert caught.value.wheel == "tree-sitter-klingon"


def test_a_wheel_of_the_wrong_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has no such grammar yet, or one that this tree-sitter cannot read."""
    grammar = LanguageEntry("klingon", (".tlh",), "tree-sitter-c", "language_klingon")
    monkeypatch.setitem(language_loading._BY_NAME, "klingon", grammar)
    with pytest.raises(MissingWheelError, match="the grammar of klingon does not fit") as caught:
        load("klingon")
    assert caught.value.wheel == "tree-sitter-c"


def test_a_wheel_that_is_not_installed_is_named() -> None:
    """As it is on a machine without that wheel; languages whose wheels are there are not concerned."""
    done = subprocess.run([sys.executable, "-c", HIDDEN], capture_output=True, text=True, check=True)
    assert done.stdout == "tree-sitter-zig: the grammar of zig is not installed\n"
