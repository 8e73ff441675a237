"""Whatever is in a file: it is read, or refused with its name and a line."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domains.grammar.reading import parser
from wynot.domains.grammar.grammar_language import GrammarLanguage
from wynot.domains.grammar.readers.read_grammar import ConvertedGrammar, GrammarError, read_grammar

DATA = Path(__file__).parent / "data"
FILES = ["arithmetic.y", "arithmetic.g4", "arithmetic.lark", "golden/calc.y", "golden/Json.g4", "golden/Tags.g4"]
TEXTS = {name: (DATA / name).read_text() for name in [*FILES, "golden/calc.l", "golden/TagsLexer.g4"]}
BESIDE = {"golden/calc.y": "golden/calc.l", "golden/Tags.g4": "golden/TagsLexer.g4"}
SNIPPETS = st.sampled_from(
    ["{", "}", "'", '"', "[", "]", "%%", "%{", ":", ";", "|", "/*", "\\", "(", "*", "<", ">", "->", "é"]
)


@st.composite
def damaged(draw: st.DrawFn, name: str) -> str:
    """The file without a piece, or with something put in."""
    text = TEXTS[name]
    at = draw(st.integers(0, len(text)))
    end = min(len(text), at + draw(st.integers(0, 40)))
    return text[:at] + draw(st.one_of(st.just(""), SNIPPETS)) + text[end:]


@given(st.data(), st.sampled_from(FILES), st.booleans())
@settings(max_examples=150, deadline=None)
def test_damaged_files_are_read_or_refused(data: st.DataObject, name: str, inside: bool) -> None:
    other = BESIDE.get(name)
    main = TEXTS[name] if inside and other else data.draw(damaged(name))
    beside = {}
    if other:
        beside[Path(other).name] = data.draw(damaged(other)) if inside else TEXTS[other]
    found = tried(Path(name).name, main, beside)
    if isinstance(found, ConvertedGrammar):
        parser(found)
    else:
        assert re.match(r"[\w.]+:(\d+:)? [^\n]+$", found)


def test_deep_nesting_is_refused() -> None:
    deep = "(" * 20_000 + "'x'" + ")" * 20_000
    assert tried("T.g4", f"grammar T; s : {deep} ;", {}) == "T.g4: this is nested too deeply"


def test_a_bracket_in_a_class_of_characters_is_no_warning() -> None:
    """Python warns of a nested set, which it does not have."""
    found = tried("t.lark", "start: A\nA: /[[0-9]*x/\n", {})
    assert isinstance(found, ConvertedGrammar)
    assert GrammarLanguage(found).checker(b"[[1x").clean


def tried(name: str, text: str, beside: dict[str, str]) -> ConvertedGrammar | str:
    try:
        return read_grammar(name, text, beside=beside)
    except GrammarError as error:
        return str(error)
