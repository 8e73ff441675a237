"""What may become of a node is found out in a small part of a large item; it is the same as in the whole."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from wynot.core.config import Config
from wynot.domains.syntax import incremental_validity
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.syntax.incremental_validity import EditContexts
from wynot.domains.syntax.language_loading import load

SAMPLES = Path(__file__).parent / "samples"


def rows(name: str) -> bytes:
    """One large item: lists in lists."""
    if name == "xml":
        row = b'<g id="g"><path d="M 1 2" fill="none"/><text>hello <b>you</b></text></g>\n'
        return b'<?xml version="1.0"?>\n<svg width="1">' + b"<g>" + row * 60 + b"</g>" + row * 60 + b"</svg>\n"
    if name == "json":
        return b"[" + b",\n".join([b'{"a": [1, 2, {"b": null}], "c": "text", "d": true}'] * 120) + b"]\n"
    return b"int f(int a) {\n" + b"    if (a > 1) { g(a, 2); } else a = a + 3;\n" * 120 + b"    return a;\n}\n"


@pytest.mark.parametrize("name", ["xml", "json", "c"])
def test_small_contexts_say_what_the_whole_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    language, data = load(name), rows(name)
    tree = language.parse(data)
    near = language.places(data)
    found = [near.smallest(node) for node in range(len(tree))]
    monkeypatch.setattr(incremental_validity, "NARROW", len(data))
    whole = language.places(data)
    assert found == [whole.smallest(node) for node in range(len(tree))]


@pytest.mark.parametrize("name", ["xml", "json", "c"])
def test_they_are_small(name: str) -> None:
    language, data = load(name), rows(name)
    tree = language.parse(data)
    around = EditContexts(tree, language)
    deep = [node for node in range(len(tree)) if tree.shape.depths[node] > 3]
    for node in Random(1).sample(deep, 10):
        context = around.around(node)
        assert len(context.data) < len(data) / 4
        assert context.data[context.at(tree.starts[node]) : context.at(tree.ends[node])] == tree.text(node)


def test_what_goes_with_a_node_is_not_learnt_beside_an_error() -> None:
    """There a semicolon that is left over is one error with what is there; elsewhere it is one more."""
    views = [b"CREATE VIEW v%d AS SELECT * FROM t;\n\n" % i for i in range(250)]
    head = b"CREATE SCHEMA s;\n\nSET a TO b;\n\nEND;\n\n"
    places = load("sql").places(head + b"".join(views))
    tree = places.tree
    left = Config.full(len(tree))
    for item in list(tree.shape.children(0))[-4:-1]:
        left -= tree.shape.subtree(item)
    assert TreeDomain(tree, places).render(left) == head + b"".join(views[:-4] + views[-1:])
