"""Imports that nobody uses any more go with their last users: some languages take one that is not used for an error."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from wynot.core.config import Config
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.text.lexical import IDENTIFIER

_IMPORTS = re.compile("(^|_)(import|use|using)(_|$)")


Users = Sequence[Sequence[int]]
"""The leaves with one word, with another one, and so on."""


class Imports:
    """The imports of a file, and where each of them is used."""

    def __init__(self, places: EditCandidates) -> None:
        self._tree, self._places = places.tree, places
        found = list(self._found())
        self._users = self._used(found) if found else {}

    def without_orphans(self, before: Config, after: Config) -> Config:
        """A part of a tree, less the imports that lost their last user on the way to it."""
        for node, users in self._users.items():
            if node in after and not _any_of(users, after) and _any_of(users, before):
                after -= self._tree.shape.subtree(node)
        return after

    def _found(self) -> Iterator[int]:
        """The innermost imports that can go without a trace."""
        lasts = self._tree.shape.lasts
        outer: list[int] = []
        for node in self._of_imports():
            while outer and node >= lasts[outer[-1]]:
                yield outer.pop()
            if node and self._places.smallest(node) == b"":
                outer = [node]
        yield from outer

    def _of_imports(self) -> list[int]:
        """The nodes whose kinds say so."""
        kinds = {kind for kind in set(self._tree.kinds) if _IMPORTS.search(kind)}
        return [node for node, kind in enumerate(self._tree.kinds) if kind in kinds] if kinds else []

    def _used(self, found: list[int]) -> dict[int, Users]:
        """By the words of each import that no other one has (`List` of `java.util.List`), or by all of them."""
        tree, lasts = self._tree, self._tree.shape.lasts
        words = {node: set(IDENTIFIER.findall(tree.text(node))) for node in found}
        often = Counter(word for each in words.values() for word in each)
        wanted = {node: {word for word in each if often[word] == 1} or each for node, each in words.items()}
        leaves: dict[bytes, list[int]] = {word: [] for each in wanted.values() for word in each}
        inside = 0
        for leaf, kind in enumerate(tree.kinds):
            if leaf >= inside and _IMPORTS.search(kind):
                inside = lasts[leaf]
            if leaf >= inside and lasts[leaf] == leaf + 1 and "comment" not in kind:
                for word in leaves.keys() & set(IDENTIFIER.findall(tree.text(leaf))):
                    leaves[word].append(leaf)
        return {node: [leaves[word] for word in sorted(each) if leaves[word]] for node, each in wanted.items()}


def _any_of(users: Users, config: Config) -> bool:
    return any(leaf in config for leaves in users for leaf in leaves)
