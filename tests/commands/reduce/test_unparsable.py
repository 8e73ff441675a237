"""What is tried on a text that does not parse any more: nodes and single tokens, nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable

from wynot.commands.reduce.reduction import reduce
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Event, Improved, PassStarted
from wynot.engine.run_options import Options

TEXT = b"""\
struct pair { int first; int second; };
int helper(struct pair p) { return p.first + p.second; }
int guilty(int a, int b) { return helper(a * b, a + b); }
"""


def passes_after_windows(text: bytes, test: Callable[[bytes], Outcome], **more: object) -> tuple[bytes, list[str], int]:
    """The result, the passes after the first success of single tokens, and the number of tests."""
    heard: list[str] = []
    broken: list[int] = []
    tests = 0

    def counted(data: bytes) -> Outcome:
        nonlocal tests
        tests += 1
        return test(data)

    def listen(event: Event) -> None:
        if isinstance(event, PassStarted):
            heard.append(event.name)
        elif isinstance(event, Improved) and heard[-1] == "windows":
            broken.append(len(heard))

    options = Options(validity="prefer", listener=listen, **more)  # type: ignore[arg-type]
    result = reduce(text, counted, options, name="x.c").data
    return result, heard[broken[0] :] if broken else [], tests


def needs(*words: bytes) -> Callable[[bytes], Outcome]:
    """A program that fails at these words, with signs between them, whatever comes after that."""
    return lambda data: FAIL if re.search(rb"\W+".join(words), data) else PASS


def test_a_text_that_does_not_parse_is_cut_by_nodes_and_tokens() -> None:
    """72 tests where all passes were gone through again."""
    result, after, tests = passes_after_windows(TEXT, needs(b"guilty", b"int", b"a", b"int", b"b", b"return"))
    assert result.split() == b"guilty int a int b return".split()
    assert set(after) == {"tree", "windows", "tokens", "single edits"}
    assert after[-2:] == ["tree", "single edits"], "the proof comes last"
    assert tests <= 58


def test_where_tokens_go_one_after_the_other_all_are_tried() -> None:
    """A program that fails before it parses: signs that no parser does without can go, too."""
    text = b"int f(int a) {\n  return a + (0x1 - a) * 2;\n}\n"
    result, after, _ = passes_after_windows(text, needs(b"a", b"0x1", b"a"))
    assert result.split() == [b"a", b"0x1", b"a"]
    assert "tokens" in after


def test_what_is_not_needed_any_more_goes() -> None:
    """A declaration is needed as long as the word that uses it is there, without which no text parses."""
    text = b"struct gone { int a; };\nvoid guilty(struct gone) {}\n"

    def test(data: bytes) -> Outcome:
        if not re.fullmatch(rb"(struct gone \{.*\};|;)?\s*void guilty\(struct (gone)?\) \{\}\n", data):
            return PASS
        return UNRESOLVED if b"gone)" in data and b"struct gone {" not in data else FAIL

    result, after, _ = passes_after_windows(text, test)
    assert result.strip() == b"void guilty(struct ) {}"
    assert set(after) == {"tree", "windows", "tokens", "single edits"}


def test_a_text_that_parses_again_goes_through_all_passes() -> None:
    """A bracket goes, then what is on both sides of another one with it."""
    known = {b"(a b(x y))", b"(a b(x y)", b"(a y)", b"(y)"}

    def test(data: bytes) -> Outcome:
        return FAIL if b" ".join(data.split()).replace(b" (", b"(") in known else UNRESOLVED

    result, after, _ = passes_after_windows(b"(a b (x y))\n", test, language="sexpr")
    assert result.strip() == b"(y)"
    assert {"hoist", "tokens"} <= set(after)


def test_clean_ups_come_last_all_the_same() -> None:
    result, after, _ = passes_after_windows(TEXT, needs(b"gui?lty", b"int"), cleanups=("chars",))
    assert result.strip() == b"gulty int"
    assert after[-1] == "chars"
