"""Trees by a grammar: the file byte for byte; whatever is left out, the text stays in the language."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domains.grammar.grammars import PROGRAM, STATEMENTS, language
from wynot.core.config import Config
from wynot.domains.grammar.grammar_language import GrammarLanguage, ReplacementCandidates
from wynot.domains.grammar.readers.read_grammar import read_grammar
from wynot.domains.syntax.edits.hoisting import HoistCandidates
from wynot.domains.syntax.edits.tree_domain import TreeDomain

EXAMPLES = Path(__file__).parents[3] / "examples" / "grammars"
JAVA = b"""package a.b; import java.util.*; /* what */
@Deprecated(since = "1") public final class Sum<T extends Comparable<T>> extends Base implements I, J {
    private static final int[] N = {1, 2, 3,}, m; // numbers
    Sum() { super(1); }
    <X> X get(int a, final String... b) throws E, F {
        for (int i = 0, j = 1; i < a >> 2; i++, j--) if (i % 2 == 0) continue;
        else { m[i] = (int) -j + f(g -> g.x(), 2); }
        try (R r = open()) { return null; } catch (E | F e) { throw e; } finally { close(); }
    }
    enum Kind { ONE(1), TWO { int x; }; int y; }
}
"""


@cache
def places(name: str) -> ReplacementCandidates:
    if name == "java":
        file = EXAMPLES / "Java.g4"
        return GrammarLanguage(read_grammar(file.name, file.read_text())).places(JAVA)
    return language(STATEMENTS).places(PROGRAM)


@cache
def going(name: str) -> list[int]:
    found = places(name)
    return [node for node in range(1, len(found.tree)) if found.smallest(node) is not None]


def reads(name: str, text: bytes) -> bool:
    found = places(name)._language
    assert isinstance(found, GrammarLanguage)
    return found.reader.read(text.decode()).root is not None


@pytest.mark.parametrize("name", ["statements", "java"])
def test_all_nodes_give_the_file(name: str) -> None:
    found = places(name)
    assert TreeDomain(found.tree, found).render(Config.full(len(found.tree))) == found.tree.data
    assert len(found.tree) > 40


@pytest.mark.parametrize("name", ["statements", "java"])
def test_whatever_goes_alone_the_rest_is_valid(name: str) -> None:
    """By construction."""
    found = places(name)
    for node in going(name):
        text = TreeDomain(found.tree, found).render(Config.full(len(found.tree)) - found.tree.shape.subtree(node))
        assert reads(name, text), text


@pytest.mark.parametrize("name", ["statements", "java"])
@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_whatever_goes_together_the_rest_is_valid_or_refused(name: str, data: st.DataObject) -> None:
    """`f(1)` may lose its name, or what stands in its brackets, by two rules; no rule allows both."""
    found = places(name)
    kept = Config.full(len(found.tree))
    for node in data.draw(st.lists(st.sampled_from(going(name)), max_size=8)):
        kept -= found.tree.shape.subtree(node)
    pruned = TreeDomain(found.tree, found)
    assert found.judge(pruned.changes(kept)) == reads(name, pruned.render(kept))


def test_hardly_anything_is_refused() -> None:
    found, pairs = places("statements"), list(combinations(going("statements"), 2))
    pruned, full = TreeDomain(found.tree, found), Config.full(len(found.tree))
    refused = [
        pair for pair in pairs
        if not found.judge(pruned.changes(full - Config.union(found.tree.shape.subtree(node) for node in pair)))
    ]  # fmt: skip
    assert [[found.tree.text(node) for node in pair] for pair in refused] == [[b"f", b"1"]]
    assert len(pairs) > 700


@pytest.mark.parametrize("texts", [(b"2", b"3"), (b"2", b"# why", b"3"), (b"1", b"2", b"3"), (b"1", b"3")])
def test_a_comment_between_elements_of_a_list_leaves_no_separator_without_one(texts: tuple[bytes, ...]) -> None:
    found = places("statements")
    several = next(node for node in range(len(found.tree)) if found.tree.text(node).startswith(b"1, 2 # why"))
    kept = Config.full(len(found.tree))
    for node in found.tree.shape.children(several):
        if found.tree.text(node) in texts:
            kept -= found.tree.shape.subtree(node)
    text = TreeDomain(found.tree, found).render(kept)
    assert reads("statements", text), text
    assert all(rest in text for rest in (b"f(1", b"2 #", b"3)") if rest.strip(b"f( #)") not in texts)


@pytest.mark.parametrize("name", ["statements", "java"])
def test_heirs_are_valid_too(name: str) -> None:
    found = places(name)
    shape, pruned, heirs = found.tree.shape, TreeDomain(found.tree, found), HoistCandidates(found)
    full = Config.full(len(found.tree))
    several = 0
    for node in range(1, len(found.tree)):
        for first, last in heirs(node):
            several += first != last
            text = pruned.render((full - shape.subtree(node)) | Config((first, shape.lasts[last])))
            assert reads(name, text), text
    assert several or name == "java"


def test_judging_changes_says_what_reading_says() -> None:
    found = places("statements")
    pruned, full = TreeDomain(found.tree, found), Config.full(len(found.tree))
    for node in range(1, len(found.tree)):
        for other in range(node, len(found.tree), 7):
            config = full - found.tree.shape.subtree(node) - found.tree.shape.subtree(other)
            assert found.judge(pruned.changes(config)) == reads("statements", pruned.render(config))


LISTS = {
    "left": 'start: "[" xs "]"\nxs: x | xs "," x\n',
    "right": 'start: "[" xs "]"\nxs: x | x "," xs\n',
    "starred": 'start: "[" x ("," x)* "]"\n',
    "starred before": 'start: "[" (x ",")* x "]"\n',
    "word": 'start: "[" xs "]"\nxs: x | xs "," x\n',
    "helped": 'start: "[" x _more "]"\n_more: | _more "," x\n',
}


@pytest.mark.parametrize("grammar", LISTS.values(), ids=LISTS.keys())
def test_elements_of_lists_take_their_separators_along(grammar: str) -> None:
    found = language(grammar + "x: N\nN: /[0-9]/\n%ignore /\\s+/\n").places(b"[1, 2 ,3 , 4]")
    pruned, full = TreeDomain(found.tree, found), Config.full(len(found.tree))
    elements = [node for node in range(len(found.tree)) if found.tree.kinds[node] == "x"]
    assert len(elements) == 4
    without = [full - found.tree.shape.subtree(node) for node in elements]
    assert [pruned.render(config) for config in without] == [b"[2 ,3 , 4]", b"[1, 3 , 4]", b"[1, 2 ,4]", b"[1, 2 ,3]"]
    assert pruned.render(without[2] & without[3]) == b"[1, 2]"
    assert pruned.render(without[0] & without[1] & without[2] & without[3]) == b"[1]"


@pytest.mark.parametrize(
    "rules", ["body: | body stmt", "body: | stmt body", "body: stmt*", "body: one\none: | one stmt", "body: stmt+ |"]
)
def test_no_empty_statement_stays_behind(rules: str) -> None:
    """Figure 5.6 of the thesis: `{ ; ; a = 0; ; }`."""
    grammar = f'start: "{{" body "}}"\n{rules}\nstmt: ";" | NAME "=" NAME ";"\nNAME: /[a-z]+/\n%ignore " "\n'
    found = language(grammar).places(b"{ a = b; c = d; e = f; }")
    pruned, kept = TreeDomain(found.tree, found), Config.full(len(found.tree))
    for node in range(len(found.tree)):
        if found.tree.kinds[node] == "stmt" and b"c" not in found.tree.text(node):
            kept -= found.tree.shape.subtree(node)
    assert pruned.render(kept) == b"{ c = d; }"


def test_line_breaks_that_mean_something_stay() -> None:
    grammar = "start: line*\nline: NAME+ NL\nNAME: /[a-z]+/\nNL: /\\n/\n%ignore / +/\n"
    found = language(grammar).places(b"a b\nc d\n")
    pruned, full = TreeDomain(found.tree, found), Config.full(len(found.tree))
    last = max(node for node in range(len(found.tree)) if found.tree.text(node) == b"b")
    assert pruned.render(full - found.tree.shape.subtree(last)) == b"a\nc d\n"


def test_what_is_no_ascii() -> None:
    found = language('start: (NAME ";")*\nNAME: /\\w+/\n%ignore /\\s+/\n').places("é; ü;\nx;".encode())
    pruned, full = TreeDomain(found.tree, found), Config.full(len(found.tree))
    node = next(node for node in range(len(found.tree)) if found.tree.text(node) == "ü;".encode())
    assert pruned.render(full - found.tree.shape.subtree(node)) == "é;\nx;".encode()
    assert found.judge(pruned.changes(full - found.tree.shape.subtree(node)))


def test_an_optional_part_goes_with_its_word() -> None:
    found = language(STATEMENTS).places(b"if (a) b(); else c();")
    pruned, full = TreeDomain(found.tree, found), Config.full(len(found.tree))
    node = next(node for node in range(len(found.tree)) if found.tree.text(node).startswith(b"else"))
    assert pruned.render(full - found.tree.shape.subtree(node)) == b"if (a) b();"
