"""The syntax tree before and after (HDD, figures 2 and 3), where it is small enough to be looked at."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup, escape

from wynot.core.artifact import Laid
from wynot.domains.syntax import language_loading
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.report.page.page_text import pieces, visible

FEW = 140
"""Nodes of a tree that is drawn."""
LEVEL = 40
LABEL = 14
LETTER, SPACE = 6.8, 12
"""How wide a letter of a label is, and what is between two labels."""
FIT = 1500
"""Pictures up to this width are made to fit the page; wider ones can be moved."""


class TreePair(NamedTuple):
    """Both trees."""

    language: str
    before: Markup
    after: Markup
    nodes: tuple[int, int]


def trees(name: str, language: str | None, original: Laid | None, result: Laid | None) -> TreePair | None:
    """Both trees, or None where there are none, or large ones."""
    if not isinstance(original, bytes) or not isinstance(result, bytes) or len(original) > 40 * FEW:
        return None
    wished = language or language_loading.guessed(name, original)
    if wished in {None, "none", "outline"} or wished not in language_loading.NAMES:
        return None
    try:
        loaded = language_loading.load(wished)
    except language_loading.MissingWheelError:
        return None
    before, after = loaded.parse(original), loaded.parse(result)
    if not 2 < len(before) <= FEW:
        return None
    kept = _kept(original, result)
    left = [any(kept[a:b]) for a, b in zip(before.starts, before.ends, strict=True)]
    return TreePair(wished, _drawn(before, left), _drawn(after, [True] * len(after)), (len(before), len(after)))


def _kept(original: bytes, result: bytes) -> list[bool]:
    """For each byte of the original, whether it is left; white space does not count."""
    kept: list[bool] = []
    for text, how in pieces(original.decode("latin-1"), result.decode("latin-1")):
        if how != "new":
            kept += [how == "kept" and not char.isspace() for char in text]
    return kept


def _drawn(tree: SyntaxTree, left: list[bool]) -> Markup:
    labels = [_label(tree, node) for node in range(len(tree))]
    places, wide = _places(tree, labels)
    depths = tree.shape.depths
    high = (max(depths) + 1) * LEVEL + 8
    edges, nodes = [], []
    for node, x in enumerate(places):
        y = depths[node] * LEVEL + 16
        how = "kept" if left[node] else "cut"
        for child in tree.shape.children(node):
            way = "kept" if left[child] else "cut"
            to = depths[child] * LEVEL + 16
            edges.append(f'<path class="edge {way}" d="M{x:g} {y + 5}L{places[child]:g} {to - 12}"/>')
        kind = "leaf" if tree.shape.lasts[node] == node + 1 else "inner"
        nodes.append(
            f'<text class="node {kind} {how}" x="{x:g}" y="{y}" text-anchor="middle">'
            f"<title>{escape(tree.kinds[node])}</title>{escape(labels[node])}</text>"
        )
    fit = " fit" if wide <= FIT else ""
    return Markup(  # noqa: S704 - labels are escaped above
        f'<svg class="tree{fit}" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(edges)}{"".join(nodes)}</svg>'
    )


def _label(tree: SyntaxTree, node: int) -> str:
    """The text of a leaf, the kind of any other node."""
    leaf = tree.shape.lasts[node] == node + 1
    text = visible(tree.text(node)).strip().replace("\n", " ") if leaf else ""
    text = text or tree.kinds[node].replace("_", " ")
    return text if len(text) <= LABEL else text[: LABEL - 1] + "…"


def _places(tree: SyntaxTree, labels: list[str]) -> tuple[list[float], int]:
    """Leaves side by side, in order, each node above the middle of those below it; and how wide that is."""
    places, right = [0.0] * len(tree), SPACE / 2
    for node in range(len(tree)):
        if tree.shape.lasts[node] == node + 1:
            wide = max(LETTER * len(labels[node]), 16)
            places[node] = round(right + wide / 2, 1)
            right += wide + SPACE
    for node in reversed(range(len(tree))):
        below = [places[child] for child in tree.shape.children(node)]
        if below:
            places[node] = round((below[0] + below[-1]) / 2, 1)
    return _apart(tree, labels, places, right)


def _apart(tree: SyntaxTree, labels: list[str], places: list[float], right: float) -> tuple[list[float], int]:
    """Labels of one level do not overlap: nodes move to the right, with all below them."""
    ends: dict[int, float] = {}
    moved = 0.0
    for node in range(len(tree)):
        half = LETTER * len(labels[node]) / 2
        depth = tree.shape.depths[node]
        lack = ends.get(depth, 0.0) + SPACE / 2 - (places[node] - half)
        if lack > 0:
            for each in range(node, tree.shape.lasts[node]):
                places[each] = round(places[each] + lack, 1)
            moved = max(moved, lack)
        ends[depth] = places[node] + half
    return places, int(
        max(right + moved, *(x + LETTER * len(label) / 2 for x, label in zip(places, labels, strict=True))) + 8
    )
