"""What holds for the tree of any file, in any language."""

from __future__ import annotations

from random import Random

from hypothesis import settings

from tests.laws.effort import effort, law
from wynot.core.config import Config
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.syntax.syntax_tree import Language, SyntaxTree

some = settings(law, max_examples=effort(50, 150))
"""Decorates a property that is tried in every language."""

fewer = settings(law, max_examples=effort(5, 15))
"""Decorates one that takes many parses."""


def assert_well_formed(tree: SyntaxTree) -> None:
    """Preorder; children in their parents, one after the other; nothing empty but an empty file."""
    shape, count = tree.shape, len(tree)
    assert (tree.starts[0], tree.ends[0]) == (0, len(tree.data))
    assert shape.parents[0] == -1
    assert shape.lasts[0] == count
    columns = (tree.fields, tree.starts, tree.ends, shape.parents, shape.lasts, shape.depths)
    assert {len(column) for column in (*columns, shape.weights)} == {count}
    latest = list(tree.starts)  # for each node, where its latest child ends
    for node in range(1, count):
        parent = shape.parents[node]
        assert 0 <= parent < node < shape.lasts[node] <= shape.lasts[parent]
        assert shape.depths[node] == shape.depths[parent] + 1
        assert latest[parent] <= tree.starts[node] < tree.ends[node] <= tree.ends[parent]
        assert shape.weights[node] == tree.ends[node] - tree.starts[node]
        latest[parent] = tree.ends[node]


def assert_whole(language: Language, data: bytes) -> TreeDomain:
    """Every byte is somewhere in the tree; gives the tree, ready to be pruned."""
    tree = language.parse(data)
    assert_well_formed(tree)
    pruned = TreeDomain(tree, EditCandidates(tree, language))
    assert pruned.render(Config.full(len(tree))) == data
    return pruned


def assert_in_order(pruned: TreeDomain, seed: int) -> None:
    """Whatever subtrees are gone, the others stand as they stood; but for blanks, nothing is new."""
    chance, shape = Random(seed), pruned.tree.shape
    gone = Config()
    for node in chance.choices(range(len(pruned)), k=chance.randint(1, 6)):
        if pruned.places.smallest(node) is not None:
            gone |= shape.subtree(node)
    config = Config.full(len(pruned)) - gone
    candidate = pruned.render(config)
    if not any(change.text for change in pruned.changes(config)):
        assert _is_within(candidate.replace(b" ", b""), pruned.tree.data.replace(b" ", b""))


def _is_within(part: bytes, whole: bytes) -> bool:
    """Whether all bytes of a part are in the whole, in the same order."""
    at = 0
    for byte in part:
        at = whole.find(byte, at) + 1
        if not at:
            return False
    return True
