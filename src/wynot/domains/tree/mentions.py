"""How often the names that a part of a file gives to something are mentioned elsewhere."""

from __future__ import annotations

from wynot.core.config import Config
from wynot.domains.tree.tree import LONGEST_NAME, Tree
from wynot.domains.tree.users import given

OFTEN = 64
"""A name that is mentioned more often than this does not lose its last user soon: it is not counted."""


class Mentions:
    """The names in a tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._leaves: dict[bytes, list[int]] = {}
        self._given: dict[int, list[int]] = {}
        """By nodes: the leaves with the names they give."""
        data, starts, ends = tree.data, tree.starts, tree.ends
        for leaf in tree.leaves(LONGEST_NAME):
            self._leaves.setdefault(data[starts[leaf] : ends[leaf]], []).append(leaf)

    def mentioned(self, node: int, config: Config) -> int:
        """How often the names that a node gives occur in a part of the tree."""
        leaves = self._given.get(node)
        if leaves is None:
            names = set(given(self._tree, node)) & self._leaves.keys()
            places = [self._leaves[name] for name in names]
            leaves = self._given[node] = [leaf for each in places if len(each) <= OFTEN for leaf in each]
        return len(config.among(leaves)) if leaves else 0
