"""Reducing by a grammar that a user brings: the thesis' arithmetic, in three notations."""

from __future__ import annotations

from pathlib import Path

import pytest

import wynot
from tests.domains.grammar.grammars import STATEMENTS
from wynot.core.run_events import Caution
from wynot.domains.syntax.incremental_validity import LARGE
from wynot.engine.run_options import run_id
from wynot.errors import UsageError
from wynot.oracles.script import Script

DATA = Path(__file__).parents[2] / "domains" / "grammar" / "data"
SUM = b"((1+(2*3))/(2-2))+(3*5)"


class Calculator:
    """Divides by zero, and counts what it is asked and what it cannot read."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.errors = 0

    def __call__(self, data: bytes) -> bool:
        self.asked.append(data)
        try:
            eval(data)
        except ZeroDivisionError:
            return True
        except SyntaxError:
            self.errors += 1
        return False


@pytest.mark.parametrize("suffix", ["lark", "y", "g4"])
@pytest.mark.parametrize(
    ("algorithm", "smallest"),
    [
        ("hdd", b"(1/(2-2))+1"), ("hdd_plus", b"(1/(2-2))+1"), ("hdd_star", b"(1/(2-2))+1"),
        ("hdd_parents", b"(1/(2-2))+1"), (None, b"1/(2-2)"),
    ],
)  # fmt: skip
def test_the_thesis_example(suffix: str, algorithm: str | None, smallest: bytes) -> None:
    """Section 5.3; with descendants in the places of their ancestors, section 8's future work."""
    grammar = wynot.load_grammar(DATA / f"arithmetic.{suffix}")
    calculator = Calculator()
    found = wynot.reduce(SUM, calculator, wynot.Options(grammar=grammar, algorithm=algorithm))
    assert found.data == smallest
    assert calculator.errors == 0
    assert len(calculator.asked) <= (10 if algorithm else 20)


def test_the_minimal_string_of_the_arithmetic() -> None:
    for suffix in ("lark", "y", "g4"):
        grammar = wynot.load_grammar(DATA / f"arithmetic.{suffix}")
        assert grammar.language.minimal.text(grammar.converted.start) == "1"


def test_large_inputs_are_valid_too() -> None:
    text = b"f(a, (b + 2));\n" * 2500 + b"if (x) { boom(1, y); } else g();\n" + b"var a, b;\n" * 3000
    assert len(text) > LARGE
    grammar = wynot.Grammar("statements.lark", STATEMENTS)
    asked: list[bytes] = []

    def explodes(data: bytes) -> bool:
        asked.append(data)
        return b"boom(" in data and b"else" in data

    found = wynot.reduce(text, explodes, wynot.Options(grammar=grammar))
    assert found.data == b"if (x) boom(); else {}\n"
    assert len(asked) < 60
    assert all(grammar.language.reader.read(data.decode()).root is not None for data in asked if len(data) < 9999)


def test_protected_regions_stay() -> None:
    text = b"a = 1;\n# DDBEGIN\nb = 2;\n# DDEND\nc = 3;\n"
    rules = 'start: (NAME "=" N ";")*\nNAME: /[a-z]+/\nN: /[0-9]+/\n%ignore /\\s+/\n%ignore /#.*/\n'
    found = wynot.reduce(text, lambda data: b"1" in data, wynot.Options(grammar=wynot.Grammar("x.lark", rules)))
    assert b"a = 1" in found.data
    assert b"b = 2" not in found.data


def test_another_grammar_is_another_run() -> None:
    one, other = (wynot.Grammar("x.lark", text) for text in ('start: "a"*', 'start: "b"*'))
    names = {
        run_id("reduce", [b"a"], "a", Script(__file__), wynot.Options(grammar=grammar))
        for grammar in (None, one, other, wynot.Grammar("x.lark", 'start: "a"*', start="start"))
    }
    assert len(names) == 4


def test_an_input_that_does_not_parse_is_told_with_its_place() -> None:
    grammar = wynot.load_grammar(DATA / "arithmetic.y")
    with pytest.raises(UsageError, match=r"sum\.x:2:2: .*'\*3\)\)' cannot come here; expected '\(', N") as told:
        wynot.reduce(b"(1+\n(*3))", Calculator(), wynot.Options(grammar=grammar), name="sum.x")
    assert told.value.hint
    assert "wynot grammar check arithmetic.y sum.x" in told.value.hint


def test_what_is_left_out_of_a_grammar_is_told() -> None:
    told: list[object] = []
    grammar = wynot.load_grammar(DATA / "arithmetic.g4")
    wynot.reduce(SUM, Calculator(), wynot.Options(grammar=grammar, algorithm="hdd", listener=told.append))
    assert [event.message for event in told if isinstance(event, Caution)] == list(grammar.converted.warnings)


def test_what_no_longer_parses_may_be_tested_if_that_is_wished() -> None:
    grammar = wynot.load_grammar(DATA / "arithmetic.y")
    options = wynot.Options(grammar=grammar, validity="prefer")
    assert wynot.reduce(SUM, lambda data: b"/" in data and b"(" in data, options).data == b"(/"


def test_what_a_grammar_needs_is_found_beside_it(tmp_path: Path) -> None:
    (tmp_path / "sums.y").write_text("%token NUMBER\n%%\nsum: NUMBER | sum '+' NUMBER ;\n")
    (tmp_path / "sums.l").write_text("%%\n[0-9]+ { return NUMBER; }\n\"+\" { return '+'; }\n[ \\n] ;\n%%\n")
    (tmp_path / "other.l").write_text("no lexer")
    assert wynot.load_grammar(tmp_path / "sums.y").language.read(b"1 + 2\n").root is not None
    (tmp_path / "P.g4").write_text("parser grammar P; options { tokenVocab = L; } s : A+ EOF ;")
    (tmp_path / "L.g4").write_text("lexer grammar L; A : 'a' ;")
    (tmp_path / "Unused.g4").write_text("no grammar")
    grammar = wynot.load_grammar(tmp_path / "P.g4")
    assert list(grammar.beside) == ["L.g4"]
    assert grammar.language.read(b"aaa").root is not None


def test_tokens_may_come_from_a_file_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "sums.y").write_text("%token NUMBER\n%%\nsum: NUMBER | sum '+' NUMBER ;\n")
    (tmp_path / "mine").write_text("NUMBER : [|[0-9]+|] [|7|];\nSKIP : [|[ ]+|];\n")
    grammar = wynot.load_grammar(tmp_path / "sums.y", tokens=tmp_path / "mine")
    assert grammar.language.minimal.text("sum") == "7"
    assert grammar.language.read(b"1 + 2").root is not None


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.lark", "start: nothing\n", "nothing"),
        ("x.y", "%%\na: b ;\n", "b"),
        ("x.txt", "", r"\.lark, \.y, \.g4"),
    ],
)
def test_a_broken_grammar_is_told_in_one_line(name: str, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as told:
        wynot.reduce(b"a", Calculator(), wynot.Options(grammar=wynot.Grammar(name, text)))
    assert "\n" not in str(told.value)
    assert told.value.hint
