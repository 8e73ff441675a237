"""A text as a tree, ready to be pruned; several passes share the tree of the same text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.domains.syntax.edits.coupled_nodes import bundles
from wynot.domains.syntax.edits.hoisting import HoistCandidates
from wynot.domains.syntax.edits.name_usage import Imports, members, titled, users_last
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.syntax.incremental_validity import PIECES
from wynot.domains.syntax.syntax_tree import EditedRange, Language, ValidityChecker
from wynot.domains.text.atom_domain import Region
from wynot.engine.budget import TestCounts


class ParsedText:
    """One text: its tree, what may become of its nodes, and which texts are as valid."""

    def __init__(self, language: Language, data: bytes, free: list[Region] | None, deepest: int | None = None) -> None:
        self.data, self.free, self.deepest = data, free, deepest
        bounds = tuple(at for start, end in free or () if start < end for at in (start, end))
        self.places = language.places(data, None if free is None else Config(bounds), deepest)
        self.tree = self.places.tree
        self.heirs = HoistCandidates(self.places)
        self.pruned = TreeDomain(self.tree, self.places)
        self._judged: dict[bytes, bool] = {}
        self._refused: set[Config] = set()
        self._language = language

    @cached_property
    def checker(self) -> ValidityChecker:
        """Says which texts are as valid as this one."""
        return self._language.checker(self.data)

    @cached_property
    def bundles(self) -> list[Config]:
        """Nodes that belong together."""
        return bundles(self.places)

    @cached_property
    def imports(self) -> Imports:
        """What others use, and only as long as they do."""
        return Imports(self.places)

    def order(self, nodes: list[int]) -> list[int]:
        """The nodes of one level as a search from the end on should meet them."""
        items = nodes and self.tree.shape.depths[nodes[0]] == 1
        return users_last(self.tree, nodes) if items else self.tree.by_kind(nodes)

    @property
    def framed(self) -> bool:
        """Whether more is below the levels that are looked at than on them: an item with a name is most of the text."""
        weights = self.tree.shape.weights
        if self.deepest is None:
            return False
        heavy = (item for item in self.tree.shape.children(0) if 2 * weights[item] > weights[0])
        return any("statement" in self.tree.kinds[item] or any(True for _ in titled(self.tree, item)) for item in heavy)

    def members(self, config: Config, node: int) -> list[int]:
        """The things that a node is little more than a frame around, users last; none where it is more than that."""
        return members(self.tree, node, lambda nodes: [each for each in config.among(nodes) if self.cuttable(each)])

    def cuttable(self, node: int) -> bool:
        """Whether anything smaller may stand in a node's place."""
        if self.deepest is not None and self.tree.shape.depths[node] > self.deepest:
            return False
        return self.places.smallest(node) is not None

    def sense(self, pruned: TreeDomain, config: Config, counts: TestCounts) -> bool:
        """Whether the tree with only these nodes, as `pruned` has it, is as valid a text as the whole one."""
        if len(self.data) < PIECES:
            candidate, places = pruned.woven(config)
            return self.valid(candidate, counts, places)
        valid = self.places.judge(pruned.changes(config))
        if not valid and config not in self._refused:
            self._refused.add(config)
            counts.add_predicted()
        return valid

    def valid(self, candidate: bytes, counts: TestCounts, places: Sequence[EditedRange] = ()) -> bool:
        """Whether a text is as valid as this one; those that are not are counted as predicted.

        `places`: where it differs from this one, if that is known.
        """
        key = digest(candidate)
        known = self._judged.get(key)
        if known is None:
            known = self._judged[key] = self.checker(candidate, places)
            if not known:
                counts.add_predicted()
        return known


class ParseCache:
    """The trees of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._latest: dict[int | None, ParsedText] = {}
        """By the deepest level."""

    def grown(self, data: bytes, free: list[Region] | None, deepest: int | None = None) -> ParsedText:
        """The tree of a text, down to the `deepest` level."""
        latest = self._latest.get(deepest)
        if latest is None or (latest.data, latest.free) != (data, free):
            latest = self._latest[deepest] = ParsedText(self.language, data, free, deepest)
        return latest
