"""What is in no known language is read by its outline, if it has one."""

from __future__ import annotations

import re

import pytest

from wynot.commands.reduce.parsed_text import ParseCache
from wynot.commands.reduce.reduction import reduce
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Event, Note
from wynot.domains.syntax.adapters.outline import shares
from wynot.domains.syntax.edits.name_usage import users_last
from wynot.domains.syntax.language_loading import MissingWheelError, guessed, load
from wynot.domains.syntax.language_table import GRAMMARS
from wynot.domains.syntax.syntax_tree import Language
from wynot.engine.run_options import Options

IR = b"".join(
    b"define i32 @f%d(i32 %%a) {\nentry:\n  %%b = add i32 %%a, %d\n  br label %%next\nnext:\n  ret i32 %%b\n}\n\n"
    % (i, i)
    for i in range(12)
)


def whole(text: bytes) -> Outcome:
    """Fails with the function f7, if every function has its brackets and something in them."""
    if text.count(b"{") != text.count(b"}") or re.search(rb"\{\s*\}", text):
        return UNRESOLVED
    return FAIL if re.search(rb"@f7\(.*\) \{", text) else PASS


def test_blocks_go_as_a_whole() -> None:
    asked: list[bytes] = []

    def counted(text: bytes) -> Outcome:
        asked.append(text)
        return whole(text)

    result = reduce(IR, counted, name="x.ll")
    by_outline = len(asked)
    reduce(IR, counted, Options(language="none"), name="x.ll")
    assert by_outline < (len(asked) - by_outline) / 2
    assert result.minimality == "1-tree-minimal"
    assert b"@f7" in result.data
    assert b"@f6" not in result.data


def test_a_text_that_is_in_brackets_in_part_has_an_outline_too() -> None:
    """Style sheets with variables: each mixin uses the one before it, and its own variable."""
    text = b"".join(
        b"$v%d: %d;\n$w%d: $v%d;\n@mixin m%d {\n  a: $v%d;\n  @include m%d;\n}\n" % (i, i, i, i, i, i, max(i - 1, 0))
        for i in range(40)
    )
    assert 0.3 < shares(text).held <= shares(text).nested < 0.5
    asked = 0

    def test(candidate: bytes) -> Outcome:
        nonlocal asked
        asked += 1
        if candidate.count(b"{") != candidate.count(b"}"):
            return UNRESOLVED
        used = re.findall(rb"a: \$(\w+)", candidate) + re.findall(rb"@include (\w+)", candidate)
        known = re.findall(rb"\$(\w+):", candidate) + re.findall(rb"@mixin (\w+) \{", candidate)
        return UNRESOLVED if set(used) - set(known) else FAIL if b"@mixin m20 {" in candidate else PASS

    assert reduce(text, test, name="x.scss").data.split() == b"@mixin m20 { }".split()
    by_outline = asked
    reduce(text, test, Options(language="none"), name="x.scss")
    assert by_outline < (asked - by_outline) / 1.5


def test_a_log_that_is_indented_in_part_goes_by_lines() -> None:
    entry = b"2024-01-01 ERROR worker%d failed with java.lang.Exception%d\n    at com.example.Foo%d(Foo.java:1)\n"
    text = b"".join(entry % (i, i, i) for i in range(100))
    assert 0.3 < shares(text).nested < 0.5
    assert reduce(text, lambda data: b"ption50" in data, name="x.log").data == b"ption50"


def verilog(text: bytes) -> Outcome:
    """Fails where a module compares something, if each has its end."""
    words = re.findall(rb"\w+|\S", text)
    depth = 0
    for word in words:
        depth += {b"module": 1, b"endmodule": -1}.get(word, 0)
        if depth not in {0, 1}:
            return UNRESOLVED
    if depth or words.count(b"begin") != words.count(b"end") or re.search(rb"=\s*[);]|[(]\s*[=)]", text):
        return UNRESOLVED
    return FAIL if re.search(rb"if \(c\b", text) else PASS


def test_what_ends_with_a_word_goes_as_a_whole() -> None:
    module = (
        b"module m%d(a, b);\n  always @* begin\n    if (a == %d) begin\n      b = 1;\n    end\n  end\nendmodule\n\n"
    )
    text = b"".join(module % (i, i) for i in range(9)).replace(b"if (a == 5)", b"if (c == 5)")
    result = reduce(text, verilog, name="x.v")
    assert result.data.split() == b"if (c )".split()


@pytest.mark.parametrize(
    "text",
    [
        b"a, b, c\n" * 40,  # nothing is nested
        b"".join(b"%d (\n  x\n" % i for i in range(40)),  # brackets that do not match mean nothing
        b"a {\n  b\n}\n",  # a few lines
        b"\xf8\1a {\n  b\n}\n" * 40,  # no text
    ],
)
def test_what_has_no_outline_goes_by_lines_and_characters(text: bytes) -> None:
    result = reduce(text, lambda each: len(each) > 2, name="x.unknown")
    assert result.minimality == "1-minimal"
    assert len(result.data) == 3


def test_a_few_brackets_without_a_partner_do_no_harm() -> None:
    """A file of some size has a bracket in a pattern or a remark."""
    stray = IR * 4 + b"a smile :-)\n"
    result = reduce(stray, whole, name="x.ll")
    assert result.minimality == "1-tree-minimal"
    assert b"@f6" not in result.data


def test_a_name_may_lie() -> None:
    """Most of it is no JSON: it has an outline all the same."""
    result = reduce(IR, whole, name="x.json")
    assert result.minimality == "1-tree-minimal"
    assert b"@f6" not in result.data


def test_an_error_around_what_is_read_well_is_a_small_one() -> None:
    """A branch of the preprocessor that begins a function: an error from the first to the last one."""
    functions = b"".join(b"int f%d(int a) {\n  if (a) return a + %d;\n  return 0;\n}\n" % (i, i) for i in range(40))
    text = b"#ifdef X\nint g() {\n#else\n" + functions
    said: list[Event] = []
    result = reduce(text, lambda text: b"f7" in text, Options(listener=said.append), name="x.c")
    assert not any(isinstance(each, Note) and "brackets and indentation" in each.message for each in said)
    assert load("c").checker(text).broken < 0.1
    assert load("c").checker(IR).broken > 0.3
    assert b"f6" not in result.data


def test_the_share_that_is_nested() -> None:
    assert shares(IR).nested > 0.5
    assert shares(b"").nested == 0
    assert shares(b"a\n" + b"    b\n" * 9 + b"(").nested == 0
    assert shares(IR * 4 + b"(").nested == shares(IR * 4 + b"+").nested
    assert shares(IR * 4 + b"(" * 9).nested == 0
    assert 0.3 < shares(b"a\n  b\nc\nd\n").nested < 0.5


def test_large_texts_are_not_read_as_a_whole_before_the_first_test() -> None:
    text = b"f {\n  a(b, c);\n}\n" * 130_000 + b"bug\n"
    result = reduce(text, lambda each: b"bug" in each, name="x.unknown")
    assert (result.data, result.minimality) == (b"bug", "1-minimal")


def test_it_is_said_how_a_text_is_read() -> None:
    said: list[Event] = []
    reduce(IR, whole, Options(listener=said.append), name="x.ll")
    assert any(isinstance(each, Note) and "brackets and indentation" in each.message for each in said)


def test_cython_is_no_python() -> None:
    assert guessed("x.pyx", b"") == "outline"


def test_a_missing_grammar_is_no_reason_to_go_by_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Language:
        if name == "kotlin":
            raise MissingWheelError(next(each for each in GRAMMARS if each.name == name))
        return load(name)

    monkeypatch.setattr("wynot.domains.syntax.language_loading.load", missing)
    assert reduce(IR, whole, name="x.kt").minimality == "1-tree-minimal"


def test_lines_with_the_same_name_go_together() -> None:
    """With what belongs to them."""
    text = b"type\n  t = class\n    procedure a;\n  end;\nprocedure t.a;\nvar\n  b: c;\nbegin\nend;\nd;\n"
    grown = ParseCache(load("outline")).grown(text, None)
    left = [grown.pruned.render(Config.full(len(grown.tree)) - bundle).split() for bundle in grown.bundles]
    assert b"type t = class end; d;".split() in left


def test_users_come_first_without_a_grammar() -> None:
    """And an attribute stays with what it is said of."""
    text = b"(* a *)\nmodule a;\n  c x;\nendmodule\n(* b *)\nmodule b;\n  y;\nendmodule\nmodule c;\n  b z;\nendmodule\n"
    tree = load("outline").parse(text)
    found = [tree.text(item).split(b"\n")[0] for item in users_last(tree, list(tree.shape.children(0)))]
    assert found == [b"(* b *)", b"module b;", b"module c;", b"(* a *)", b"module a;"]


def test_a_text_in_an_old_encoding_has_an_outline() -> None:
    """As many tests as in UTF-8."""
    text = IR.replace(b"br label", b"br label ; \xe9\x82\r").decode("latin-1")
    old, new = (reduce(text.encode(encoding), whole, name="x.ll") for encoding in ("latin-1", "utf-8"))
    assert old.minimality == "1-tree-minimal"
    assert old.cost.counts.tests == new.cost.counts.tests


@pytest.mark.parametrize("validity", ["strict", "prefer", "off"])
def test_white_space_alone_may_fail(validity: str) -> None:
    """What is left has no token any more, and is no empty file all the same."""
    text = b"".join(b"part%d {\n\tname one\n\t\n\tother two\n}\n" % each for each in range(8))
    result = reduce(text, lambda each: b"\t\n" in each, Options(validity=validity), name="x.unknown")
    assert b"\t\n" in result.data
