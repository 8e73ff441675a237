"""What a 1-tree-minimal result has withstood: each token and node removed, each node replaced, in any language."""

from __future__ import annotations

import re

import pytest

from wynot.commands.reduce.reduction import reduce
from wynot.core.config import Config
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.edits.single_edits import single_edits
from wynot.domains.syntax.language_loading import load
from wynot.domains.text.protected import free_regions

PAGE = b'<p>x</p>\n<SELECT NAME="priority" MULTIPLE SIZE=7>\n<OPTION VALUE="a">a</SELECT>\n<p>y</p>\n'


def test_a_start_tag_alone_is_valid_html() -> None:
    result = reduce(PAGE, lambda data: re.search(rb"<SELECT[^>]*>", data) is not None, name="a.html")
    assert result.data.split() == [b"<SELECT", b">"]
    assert result.minimality == "1-tree-minimal"


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        (b"<SELECT>", True),
        (b"<div><p>a", True),
        (b"<div><p>%s" % (b"a " * 1000), True),
        (b"<ul><li>a<li>b", True),
        (b"<div>a</div><p", False),
        (b"</div>", False),
        (b"<a <b>", False),
    ],
)
def test_which_html_is_valid(text: bytes, valid: bool) -> None:
    language = load("html")
    assert language.checker(b"<p>a</p>")(text) == valid
    assert language.checker(text).clean == valid


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        (b"x = [y for y in 0]\n", b"x = [y]\n"),
        (b"x = [y for y in 0]\n", b"[y for y in 0]\n"),
        (b"f(a, b)\n", b"f(a)\n"),
        (b"f(a, b)\n", b"f(b)\n"),
    ],
)
def test_the_parent_may_become_something_else(text: bytes, changed: bytes) -> None:
    """A list without its clause is no comprehension, an assignment without its left side none."""
    places = EditCandidates(load("python").parse(text), load("python"))
    made = {text[: each.start] + each.text + text[each.end :] for edit in single_edits(places) for each in edit}
    assert changed.replace(b" ", b"") in {each.replace(b" ", b"") for each in made}


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        ("lua", b"(return 3}\n.", b"(return 3\n."),
        ("java", b") { 1: .)", b") { 1 .)"),
        ("bash", b"#bash\n0 <<EOF\n", b"#\n0 <<EOF\n"),
    ],
)
def test_what_is_beside_a_removed_token_stays_apart(name: str, text: bytes, changed: bytes) -> None:
    """A token goes with its white space only where its neighbours do not become one token, or a comment longer."""
    places = EditCandidates(load(name).parse(text), load(name))
    first = {text[: edit[0].start] + edit[0].text + text[edit[0].end :] for edit in single_edits(places) if edit}
    assert changed in first


def test_protected_text_is_not_edited() -> None:
    text = b"int a;\n// DDBEGIN\nint b;\nint c;\n// DDEND\nint d;\n"
    ((start, end),) = free_regions(text) or []
    places = EditCandidates(load("c").parse(text), load("c"), Config((start, end)))
    edits = [each for edit in single_edits(places) for each in edit]
    assert edits
    assert all(start <= each.start < each.end <= end for each in edits)
    result = reduce(text, lambda data: b"int c" in data, name="x.c")
    assert result.data == b"int a;\n// DDBEGIN\nint c;\n// DDEND\nint d;\n"
