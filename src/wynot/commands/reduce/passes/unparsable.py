"""How to go on with a text that does not parse any more.

It has been through all passes while it did. Of its tree much is guessed, so that names, descendants and tokens seem to
be others than before; and whatever happens within an error leaves no more errors. So only nodes are taken away, and
tokens that parsers do without; others as long as that succeeds, for there are programs that fail before they parse.
"""

from __future__ import annotations

from typing import NamedTuple

from wynot.commands.reduce.parsed_text import ParseCache
from wynot.commands.reduce.passes.basic_passes import AtomPass, Pass, TreePass, WindowPass, pruning
from wynot.commands.reduce.prove_single_edits import SingleEditsPass
from wynot.domains.text.granularity import WORDS
from wynot.engine.budget import TestCounts
from wynot.search.lists.sweep import proof, singles

PATIENCE = 4
"""With so many tokens in vain, one after the other, the rest of them are taken for needed."""


class UnparsableTexts(NamedTuple):
    """A tier that may leave such texts, and the tiers after it."""

    tier: int
    forest: ParseCache
    cleaning: tuple[tuple[Pass, ...], ...] = ()
    """What comes last."""

    def breaks(self, before: bytes, after: bytes) -> bool:
        """Whether a text has more syntax errors than the one it was made of."""
        return not self.forest.grown(before, None).valid(after, TestCounts())

    def tiers(self) -> tuple[tuple[Pass, ...], ...]:
        """How to go on; all but what proves and cleans up only skims."""
        proving = (
            TreePass("tree", self.forest, pruning(proof)),
            SingleEditsPass(self.forest),
        )
        return (*self.skimming(), proving, *self.cleaning)

    def skimming(self) -> tuple[tuple[Pass, ...], ...]:
        """What takes most away."""
        tree = TreePass("tree", self.forest, pruning(singles, hasty=True), alone=True)
        return (tree,), (WindowPass(WORDS, singles),), (AtomPass(WORDS, singles, patience=PATIENCE),)
