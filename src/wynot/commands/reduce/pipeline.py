"""Choose the passes for an artifact, in tiers; also for text that no longer parses."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from wynot.commands.reduce.parsed_text import ParseCache
from wynot.commands.reduce.passes.basic_passes import (
    COARSE,
    AtomPass,
    MergePass,
    Minimise,
    Pass,
    TreePass,
    WindowPass,
    ZeroPass,
    body_pass,
    bundling,
    hoisting,
    pruning,
    published,
    users_first,
)
from wynot.commands.reduce.passes.substitute import SubstitutionPass, by_standins, by_swaps
from wynot.commands.reduce.passes.tail_first import TailFirst
from wynot.commands.reduce.prove_single_edits import SingleEditsPass
from wynot.core.config import Config
from wynot.core.run_events import Caution, Listener, Note, silent
from wynot.core.trial import Strategy
from wynot.domains.syntax import language_loading
from wynot.domains.syntax.incremental_validity import LARGE
from wynot.domains.syntax.syntax_tree import OUTLINE
from wynot.domains.text.atoms import WORDS, Granularity, legible, levels, wide, wide_encoding_of
from wynot.domains.text.token_windows import terms, wrappings
from wynot.domains.text.zeroing import binary, rows
from wynot.engine.budget import TestCounts
from wynot.engine.pass_search import HIERARCHICAL, MINIMISERS, ONE_MINIMAL
from wynot.engine.results import DELTAS, EDITS, ORIGINAL_DELTAS, VALID_EDITS
from wynot.engine.run_options import Options
from wynot.errors import UsageError
from wynot.search.combinators import try_empty_first
from wynot.search.lists.sweep import nibble, proof, singles, skim
from wynot.search.prediction import OutcomeKnowledge, predicting

# How to go on with a text that does not parse any more.
#
# It has been through all passes while it did. Of its tree much is guessed, so that names, descendants and tokens seem
# to be others than before; and whatever happens within an error leaves no more errors. So only nodes are taken away,
# and tokens that parsers do without; others as long as that succeeds, for there are programs that fail before they
# parse.


PATIENCE = 4
"""After this many unsuccessful tokens in a row, the remaining ones are taken for needed."""


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


SMALL_TREE = 100
"""In a tree of so few nodes, names come before the deeper levels."""
MOSTLY = 0.3
"""A text of which more than this share is in syntax errors is none of its language."""
NESTED = 0.5
"""A text of which more than this share is in brackets or indented has an outline..."""
HELD = 0.3
"""...or in brackets alone..."""
LINES = 16
"""...if it has so many lines: in fewer, lines and tokens show the same..."""
LARGEST = 2_000_000
"""...and no more bytes than this: it takes up to two seconds a megabyte to read them."""
FIXED = 24
"""If this many cuts in a row fail, parts of a binary file may have fixed places: zeros are tried first then."""

_PROMISED = {"hdd_plus": "1-tree-minimal", "hdd_star": "1-tree-minimal"}


class Pipeline(NamedTuple):
    """Passes in tiers: a tier is left when none of its passes finds anything; then the next one is tried."""

    tiers: tuple[tuple[Pass, ...], ...]
    skims: int = 0
    """The number of early tiers, which do not repeat failed cuts."""
    once: bool = False
    """Each pass runs once, as the papers' algorithms do."""
    minimality: str | None = "1-minimal"
    """What is promised of the result..."""
    tried: str = ""
    """...and what is tried for that; nothing: each of the finest atoms."""
    opening: Pass | None = None
    """What comes before all that, once."""
    ending: TailFirst | None = None
    """How to begin with the end of a file, where that is of use."""
    broken: UnparsableTexts | None = None
    """Where texts may come from that do not parse, and how to go on with them."""
    finest: int = 0
    """The tier that has the finest atoms."""
    monotone: bool = False
    """Whether the user says that the failure is monotone: a pass then predicts outcomes."""

    @property
    def atoms(self) -> str:
        """The finest atoms."""
        return self.tiers[self.finest][-1].name


def pipeline(data: bytes, name: str, options: Options, listener: Listener) -> Pipeline:
    """The passes for a file, and after them the clean-ups that are asked for."""
    chosen = _searching(data, name, options, listener)._replace(monotone=options.monotone)
    if not options.cleanups:
        return chosen
    cleaning = _cleaning(data, name, options, listener)
    broken = chosen.broken and chosen.broken._replace(cleaning=cleaning)
    return chosen._replace(tiers=(*chosen.tiers, *cleaning), broken=broken)


def _searching(data: bytes, name: str, options: Options, listener: Listener) -> Pipeline:
    if options.algorithm in HIERARCHICAL or options.atoms == "tree":
        return _along_a_tree(data, name, options, listener)
    plain = options.algorithm is None and options.atoms == "auto" and not options.delimiters and options.causes == 1
    by_tree = plain or options.language or options.grammar
    forest = _forest(data, name, options, listener) if by_tree else None
    if plain and forest is not None:
        return _auto(forest, data, options)
    minimise = minimiser(options)
    found = levels(data, options.atoms, options.delimiters)
    if plain and binary(data):
        return _of_places(found, minimise, len(data))
    flat = tuple(AtomPass(level, minimise) for level in found)
    return Pipeline((flat,), minimality="1-minimal" if (options.algorithm or "sweep") in ONE_MINIMAL else None)


def _of_places(found: list[Granularity], minimise: Minimise, size: int) -> Pipeline:
    """A file that is no text: what can be cut with ease, then zeros, where things seem to have their places."""
    finer = [replace(level, atoms=rows(level.atoms)) for level in found]
    tries = (AtomPass(level, minimise, patience=FIXED) for level in finer[:-1])
    zeros = ZeroPass(partial(try_empty_first, skim), size // 2)
    return Pipeline(((*tries, zeros), tuple(AtomPass(level, minimise) for level in finer)), finest=1)


def _auto(forest: ParseCache, data: bytes, options: Options) -> Pipeline:
    """Coarse structure first; what is valid first; what costs little first, and the proof last."""
    strict = options.validity != "off"
    tiers = [_skimming(forest, strict)]
    if strict:  # what stands in a pair of them, several statements say, in the place of all
        find = terms if forest.language.name == "outline" else wrappings
        tiers.append((WindowPass(WORDS, skim, forest, find=find, name="brackets"),))
    broken = None
    if options.validity == "prefer":
        broken = UnparsableTexts(len(tiers), forest)
        tiers.append((WindowPass(WORDS, singles),))
    skims = len(tiers)
    tiers.append(_proving(forest, strict, AtomPass(WORDS, proof, forest if strict else None)))
    ending = TailFirst(ParseCache(forest.language), _for_an_end(ParseCache(forest.language), strict), strict)
    opening = body_pass(forest, data, strict=strict) if options.grammar is None else None
    return Pipeline(
        tuple(tiers), skims, minimality="1-tree-minimal", tried=VALID_EDITS if strict else EDITS, opening=opening,
        ending=ending, broken=broken,
    )  # fmt: skip


def _for_an_end(forest: ParseCache, strict: bool) -> tuple[Pass, ...]:
    """What frees an end of most that it needs: its structure, names with their uses, and what these have held."""
    return (
        TreePass("tree", forest, users_first(skim, deep=True), strict),
        TreePass("names", forest, bundling(skim), strict),
        TreePass("tree", forest, pruning(skim, hasty=True), strict),
    )


def _skimming(forest: ParseCache, strict: bool) -> tuple[Pass, ...]:
    """What takes most away for the fewest tests."""
    return (
        TreePass("items", forest, users_first(skim), strict, COARSE, LARGE, alone=True),
        TreePass("names", forest, bundling(nibble, SMALL_TREE), strict, proves=False),
        TreePass("tree", forest, pruning(skim, hasty=True, patient=True), strict, alone=True),
        TreePass("names", forest, bundling(nibble), strict, proves=False),
        MergePass(forest, skim, strict),
        TreePass("hoist", forest, partial(hoisting, once=True), strict),
        AtomPass(WORDS, nibble, forest) if strict else AtomPass(WORDS, skim),
        SubstitutionPass("stand-ins", forest, by_standins, strict),
        SubstitutionPass("swaps", forest, by_swaps, strict),
    )


def _proving(forest: ParseCache, strict: bool, words: Pass) -> tuple[Pass, ...]:
    """What shows that nothing more can go."""
    return (
        TreePass("tree", forest, pruning(proof), strict),
        TreePass("names", forest, bundling(proof), strict),
        MergePass(forest, proof, strict),
        TreePass("hoist", forest, hoisting, strict, proves=False),
        words,
        SingleEditsPass(forest, strict),
    )


def _along_a_tree(data: bytes, name: str, options: Options, listener: Listener) -> Pipeline:
    forest = _forest(data, name, options, listener) or ParseCache(language_loading.load("outline"))
    strict = options.validity != "off"
    if options.algorithm in HIERARCHICAL:
        if forest.language.name == "c":  # as the papers read it
            forest = ParseCache(language_loading.load_c89())
        along = HIERARCHICAL[options.algorithm]
        only = TreePass("tree", forest, published(along), strict)
        return Pipeline(((only,),), once=True, minimality=_PROMISED.get(options.algorithm or ""), tried=ORIGINAL_DELTAS)
    minimise = minimiser(options)
    promised = "1-tree-minimal" if (options.algorithm or "sweep") in ONE_MINIMAL else None
    passes = (TreePass("tree", forest, pruning(minimise), strict), TreePass("hoist", forest, hoisting, strict))
    return Pipeline((passes,), minimality=promised, tried=DELTAS)


def _cleaning(data: bytes, name: str, options: Options, listener: Listener) -> tuple[tuple[Pass, ...], ...]:
    """Tiers of clean-ups; each goes on where the search has found nothing more."""
    from wynot.commands.reduce.passes.cleanup_passes import (  # noqa: PLC0415
        BY_TREE,
        CLEANUPS,
        characters,
        clang_delta,
        plainer,
    )

    asked = frozenset(options.cleanups)
    if asked - frozenset(CLEANUPS):
        unknown = ", ".join(sorted(asked - frozenset(CLEANUPS)))
        raise UsageError(f"no clean-up is called {unknown}", f"choose from: {', '.join(CLEANUPS)}")
    if options.causes > 1:
        raise UsageError("several causes are not cleaned up", "reduce each of them once more, without --causes")
    forest = _forest(data, name, options, silent)
    strict = options.validity != "off"
    first = (clang_delta(forest, strict=strict),) if "clang-delta" in asked else ()
    if (forest is None or forest.language.name == "outline") and not asked.isdisjoint(BY_TREE):
        listener(Note("the language is not known: no names and comments are found (--language says what it is)"))
    plain = () if wide(data) else plainer(asked, forest or ParseCache(language_loading.load("outline")), strict=strict)
    last = (characters(forest if options.validity == "strict" else None),) if "chars" in asked else ()
    return tuple(tier for tier in (first, plain, last) if tier)


def minimiser(options: Options) -> Minimise:
    """The search in lists that was asked for."""
    algorithm = options.algorithm or "sweep"
    if algorithm not in MINIMISERS:
        known = ", ".join(sorted((*MINIMISERS, *HIERARCHICAL)))
        raise UsageError(f"reduce has no algorithm {algorithm!r}", f"choose one of: {known}")
    minimise = MINIMISERS[algorithm]
    return partial(_monotone, minimise) if options.monotone else minimise


def _monotone(minimise: Minimise, config: Config) -> Strategy:
    return predicting(minimise(config), OutcomeKnowledge(monotone=True))


def _forest(data: bytes, name: str, options: Options, listener: Listener) -> ParseCache | None:
    """The language of a file, if it has one that can be parsed."""
    if options.grammar is not None:
        return ParseCache(options.grammar.language)
    wished = options.language
    if wished == "none" or (wished is None and wide_encoding_of(data)):
        return None
    language = wished or language_loading.guessed(name, data)
    if language is None:
        return _outlined(data, listener)
    if language not in language_loading.NAMES:
        raise UsageError(
            f"no language is called {language!r}", f"choose one of: {', '.join(language_loading.NAMES)}, none"
        )
    try:
        forest = ParseCache(language_loading.load(language))
    except language_loading.MissingWheelError as missing:
        told = f"{missing}; for smaller results and fewer tests: pip install {missing.wheel}"
        if wished is not None:
            raise UsageError(str(missing), f"install it: pip install {missing.wheel}") from None
        listener(Note(told))
        return _outlined(data, listener)
    if language != OUTLINE and forest.language.parse(data, 1).kinds[0] == OUTLINE:
        listener(
            Caution(f"{name}: the {language} grammar cannot read it in reasonable time: reduced without the grammar")
        )
        return _outlined(data, listener)
    return forest if wished or forest.language.checker(data).broken <= MOSTLY else _outlined(data, listener)


def _outlined(data: bytes, listener: Listener) -> ParseCache | None:
    """A text in no known language, by its brackets and its indentation, if these make up most of it."""
    from wynot.domains.syntax.adapters.outline import shares  # noqa: PLC0415 - where the language is not known

    plain = len(data) <= LARGEST and data.count(b"\n") >= LINES and legible(data)
    share = shares(data) if plain else None
    if share is None or (share.nested <= NESTED and share.held <= HELD):
        return None
    listener(Note("the language is not known: brackets and indentation make the tree (--language none: lines)"))
    return ParseCache(language_loading.load("outline"))
