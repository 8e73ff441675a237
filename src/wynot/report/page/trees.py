"""The syntax tree before and after (HDD, figures 2 and 3), where it is small enough to be looked at."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup, escape

from wynot.core.artifact import Laid
from wynot.domains.tree import languages
from wynot.domains.tree.tree import Tree
from wynot.report.page.cuts import pieces
from wynot.report.page.shown import visible

FEW = 140
"""Nodes of a tree that is drawn."""
SLOT, LEVEL = 64, 44
LABEL = 11


class Pair(NamedTuple):
    """Both trees."""

    language: str
    before: Markup
    after: Markup
    nodes: tuple[int, int]


def trees(name: str, language: str | None, original: Laid | None, result: Laid | None) -> Pair | None:
    """Both trees, or None where there are none, or large ones."""
    if not isinstance(original, bytes) or not isinstance(result, bytes) or len(original) > 40 * FEW:
        return None
    wished = language or languages.guessed(name, original)
    if wished in {None, "none", "outline"} or wished not in languages.NAMES:
        return None
    try:
        loaded = languages.load(wished)
    except languages.MissingWheelError:
        return None
    before, after = loaded.parse(original), loaded.parse(result)
    if not 2 < len(before) <= FEW:
        return None
    kept = _kept(original, result)
    left = [any(kept[a:b]) for a, b in zip(before.starts, before.ends, strict=True)]
    return Pair(wished, _drawn(before, left), _drawn(after, [True] * len(after)), (len(before), len(after)))


def _kept(original: bytes, result: bytes) -> list[bool]:
    """For each byte of the original, whether it is left; white space does not count."""
    kept: list[bool] = []
    for text, how in pieces(original.decode("latin-1"), result.decode("latin-1")):
        if how != "new":
            kept += [how == "kept" and not char.isspace() for char in text]
    return kept


def _drawn(tree: Tree, left: list[bool]) -> Markup:
    places = _places(tree)
    depths = tree.shape.depths
    wide = int(max(places) * SLOT + SLOT) if places else SLOT
    high = (max(depths) + 1) * LEVEL + 16
    edges, nodes = [], []
    for node, x in enumerate(places):
        at = x * SLOT + SLOT / 2, depths[node] * LEVEL + 16
        how = "kept" if left[node] else "cut"
        for child in tree.shape.children(node):
            to = places[child] * SLOT + SLOT / 2, depths[child] * LEVEL + 16
            way = "kept" if left[child] else "cut"
            edges.append(f'<path class="edge {way}" d="M{at[0]:g} {at[1] + 5:g}L{to[0]:g} {to[1] - 11:g}"/>')
        leaf = not list(tree.shape.children(node))
        text = visible(tree.text(node)).strip() if leaf else tree.kinds[node]
        text = (text or tree.kinds[node]).replace("\n", " ")
        short = text if len(text) <= LABEL else text[: LABEL - 1] + "…"
        kind = "leaf" if leaf else "inner"
        nodes.append(
            f'<text class="node {kind} {how}" x="{at[0]:g}" y="{at[1]:g}" text-anchor="middle">'
            f"<title>{escape(tree.kinds[node])}</title>{escape(short)}</text>"
        )
    return Markup(  # noqa: S704 - labels are escaped above
        f'<svg class="tree" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(edges)}{"".join(nodes)}</svg>'
    )


def _places(tree: Tree) -> list[float]:
    """Leaves side by side, in order; each node above the middle of those below it."""
    places = [0.0] * len(tree)
    slot = 0
    for node in range(len(tree)):
        if not list(tree.shape.children(node)):
            places[node] = float(slot)
            slot += 1
    for node in reversed(range(len(tree))):
        below = [places[child] for child in tree.shape.children(node)]
        if below:
            places[node] = (below[0] + below[-1]) / 2
    return places
