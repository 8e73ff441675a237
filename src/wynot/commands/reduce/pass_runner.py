"""Run the passes of a reduction, and remember which cuts failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Generic

from wynot.commands.reduce.passes.basic_passes import Pass, PreparedPass, StubBodiesPass, TreePass
from wynot.commands.reduce.passes.tail_first import end_first, first_pass
from wynot.commands.reduce.pipeline import Pipeline
from wynot.commands.reduce.prove_single_edits import LARGEST
from wynot.core import run_events
from wynot.core.artifact import AnyContent, digest, size
from wynot.core.config import Config
from wynot.core.run_events import Caution, Note
from wynot.core.trial import Found
from wynot.domains.text.atom_domain import AtomDomain, Region, regions_within
from wynot.domains.text.protected import free_regions
from wynot.domains.text.zeroing import ZeroedBytes
from wynot.engine.baseline.repeated_runs import raise_time_limit
from wynot.engine.baseline.result_checks import unsteady
from wynot.engine.budget import TestCounts
from wynot.engine.driver import fill
from wynot.engine.files.output_file import BestSoFar
from wynot.engine.lookahead import SpeculativeNode
from wynot.engine.pass_search import EmbeddedDomain, PassSearch
from wynot.engine.results import DELTAS, ORIGINAL_DELTAS, PROTECTED
from wynot.engine.tester import Tester
from wynot.search.combinators import give_up_after, skip_known_failures

# Failed cuts.
#
# A cut that did not work will most likely not work after the next success either, at another place of the text, nor
# with more cut besides. So the first tiers of passes do not try it again; what proves that nothing more can go comes
# later and tries everything.


SHORT = 32
"""Parts shorter than a digest are kept as they are."""


class FailedCuts:
    """A memory of cuts."""

    def __init__(self) -> None:
        self._cuts: set[bytes] = set()
        self._sets: dict[bytes, list[frozenset[bytes]]] = {}
        """Sets of parts, each by one of them."""

    def forget(self) -> None:
        """Forget all failed cuts: what failed before may succeed now."""
        self._cuts.clear()
        self._sets.clear()

    def learn(self, stage: PreparedPass, before: Config, after: Config) -> None:
        """Remember the cut of an unsuccessful step."""
        parts = () if stage.cut is None else stage.cut(before, after)
        if not parts:
            return
        self._cuts.add(_whole(parts))
        if stage.alone:
            alone = _each(parts)
            self._sets.setdefault(min(alone), []).append(alone)

    def sparing(self, stage: PreparedPass) -> PreparedPass:
        """A stage that does not repeat cuts that failed before it began."""
        if stage.cut is None or not self._cuts:
            return stage
        sets = {part: tuple(known) for part, known in self._sets.items()} if stage.alone else {}
        cut, cuts = stage.cut, frozenset(self._cuts)

        def vain(before: Config, after: Config) -> bool:
            parts = cut(before, after)
            if _whole(parts) in cuts:
                return True
            alone = _each(parts) if sets else frozenset()
            return any(known <= alone for part in alone for known in sets.get(part, ()))

        return stage._replace(search=lambda: skip_known_failures(stage.search(), Config.full(stage.deltas), vain))


def _whole(parts: Sequence[bytes]) -> bytes:
    """What goes, in short."""
    return digest(b"\0".join(parts))


def _each(parts: Sequence[bytes]) -> frozenset[bytes]:
    """Each part that goes, in short."""
    return frozenset(part if len(part) < SHORT else digest(part) for part in parts)


# The way down of one text: through the passes of its pipeline, until none of them finds anything more.
#
# The text may be an artifact by itself, or stand in a larger one, as a file does in a folder: then that is what is
# tested and kept.


Coming = tuple[Pass, bool]
"""A pass, and whether it skips cuts that failed before."""


class PassRunner(Generic[AnyContent]):
    """A text at work on; `whole` gives the artifact that holds it."""

    def __init__(
        self, tester: Tester[AnyContent], best: BestSoFar[AnyContent], pipeline: Pipeline, text: bytes,
        whole: Callable[[bytes], AnyContent], of: str = "", *, marked: bool = True,
    ) -> None:  # fmt: skip
        self.tester, self.best, self.pipeline, self.whole, self.of = tester, best, pipeline, whole, of
        self.skippable = bool(of) or sum(map(len, pipeline.tiers)) > 1
        """Whether there is anything to go on with after a pass that is skipped."""
        self._next: Callable[[bool], Sequence[Coming]] | None = None
        """Which passes come after the one at work; they may be more if it changes the text."""
        self._results: dict[str, bytes] = {}
        """The text that each pass has left, where failures are said to be monotone."""
        self._left: set[str] = set()
        """Passes that would prove something, and were skipped."""
        self.text, self.free = text, free_regions(text) if marked else None
        self.vain = FailedCuts()
        self.sparing = pipeline.skims > 0
        """Whether to try failed cuts again."""
        self.pinned = _pinned(text, self.free)
        """Where nothing may be left out."""
        self.nothing = b"".join(text[a:b] for a, b in self.pinned.intervals())
        """The text with all left out that can be."""

    @property
    def minimality(self) -> str | None:
        """What is proved of the text; nothing where a pass was skipped and not run to its end later on."""
        return None if self._left else self.pipeline.minimality

    @property
    def tried(self) -> set[str]:
        """What was tried without success for that, and whether there is anything that was not."""
        tried = self.pipeline.tried or self.pipeline.atoms
        if self.pipeline.tried and len(self.text) > LARGEST and tried != ORIGINAL_DELTAS:
            tried = DELTAS
        return {tried} if self.free is None else {tried, PROTECTED}

    def ready(self) -> Iterator[None]:
        """Do what comes first in `run`, as far as no test is needed, step by step: what is found out is remembered."""
        for first in self._firsts():
            if not isinstance(first, TreePass | StubBodiesPass):  # others remember nothing
                return
            stage = first.begin(self.text, self.free, TestCounts())
            yield
            if not self.tester.long or next(stage.search(), None) is not None:  # not all of this is remembered
                return

    def early(self) -> Iterator[None]:
        """Begin the first tests of `run` where workers are idle, while a test runs that it hangs on."""
        if self.tester.jobs == 1 or not self.tester.long or self.free is not None or unsteady(self.tester):
            return
        yield
        branch = self._likely(self.text, [(each, self.sparing) for each in self._firsts()])
        if branch is not None:
            yield
            fill(branch, 0, self.tester.odds, self.tester)

    def _firsts(self) -> list[Pass]:
        """The pass that is run first; and the next, if it finds nothing to do."""
        ending = self.pipeline.ending if self.free is None else None
        then = (ending and first_pass(ending, self.text)) or self.pipeline.tiers[0][0]
        return [then] if self.pipeline.opening is None else [self.pipeline.opening, then]

    def run(self) -> Config:
        """Go through the passes until none of them finds anything more.

        Gives the positions in the text that are kept, as far as passes keep positions (those of trees do not).
        """
        if self.pipeline.opening is not None:
            self._pass(self.pipeline.opening, Config())
        if self.pipeline.ending is not None and self.free is None:
            self.text = end_first(self.pipeline.ending, self.text, self._part)
        kept, tier = Config.full(len(self.text)), 0
        while tier < len(self.pipeline.tiers):
            before = self.text
            self.sparing = tier < self.pipeline.skims
            kept = self._exhaust(tier, kept, once=tier > 0 or self.pipeline.once)
            self._follow(tier, before)
            tier = 0 if self.text != before and tier else tier + 1
        self._next = None
        self.tester.kill_all_but(set())
        return kept - self.pinned

    def _follow(self, tier: int, before: bytes) -> None:
        """Go on with other passes after a tier that leaves a text that does not parse."""
        broken = self.pipeline.broken
        if broken is not None and tier == broken.tier and self.text != before and broken.breaks(before, self.text):
            tiers, skims = broken.tiers(), len(broken.skimming())
            self.pipeline = self.pipeline._replace(tiers=tiers, skims=skims, broken=None)

    def _exhaust(self, tier: int, kept: Config, *, once: bool = False) -> Config:
        """Go round the passes of a tier until a whole round changes nothing; or just `once`."""
        passes = self.pipeline.tiers[tier]
        turn = quiet = 0
        while quiet < len(passes):
            before = self.text
            self._next = partial(self._coming, tier, turn, quiet, once)
            kept = self._pass(passes[turn % len(passes)], kept)
            turn += 1
            quiet = 0 if self.text != before and not once else quiet + 1
            if raise_time_limit(self.tester):
                self.tester.kill_all_but(set())
                self.vain.forget()
                quiet = 0
        return kept

    def _coming(self, tier: int, turn: int, quiet: int, once: bool, changed: bool) -> list[Coming]:
        """The passes that come after one of a tier, and after the tier if they change nothing; which of them spare."""
        tiers, skims = self.pipeline.tiers, self.pipeline.skims
        passes, many = tiers[tier], len(tiers[tier])
        left = many - 1 - (0 if changed and not once else quiet)
        here = [passes[(turn + 1 + place) % many] for place in range(left)]
        then = tiers[tier + 1] if tier + 1 < len(tiers) else ()
        return [*((each, tier < skims) for each in here), *((each, tier + 1 < skims) for each in then)]

    def _beyond(self, stage: PreparedPass, found: Found) -> SpeculativeNode[AnyContent] | None:
        """What will likely be asked first after a search: the next passes, on what it leaves."""
        text = stage.domain.render(found.failing)
        if self._next is None or not self.tester.long or self.free is not None or unsteady(self.tester):
            return None
        return self._likely(text, self._next(text != self.text))

    def _likely(self, text: bytes, coming: Sequence[Coming]) -> SpeculativeNode[AnyContent] | None:
        """The first question of any of these passes on a text."""
        for place, (each, sparing) in enumerate(coming):
            stage = each.begin(text, None, self.tester.counts)
            at_work = self._at_work(stage, sparing=sparing)
            whole = self.whole(text)
            after = partial(self._after, stage, coming[place + 1 :])
            branch = SpeculativeNode.begin(at_work.search, EmbeddedDomain(stage.domain, self.whole), size(whole), after)
            if isinstance(branch, SpeculativeNode):
                return branch
            text = stage.domain.render(branch.failing)
        return None

    def _after(self, stage: PreparedPass, coming: Sequence[Coming], found: Found) -> SpeculativeNode[AnyContent] | None:
        return self._likely(stage.domain.render(found.failing), coming)

    def _part(self, each: Pass, part: bytes, text: Callable[[bytes], bytes]) -> bytes:
        """Run a pass on a part of the text; gives what is left of it."""
        stage = each.begin(part, None, self.tester.counts)
        return stage.domain.render(self._found(each, stage, lambda left: self.whole(text(left)))[0])

    def _found(self, each: Pass, stage: PreparedPass, whole: Callable[[bytes], AnyContent]) -> tuple[Config, bool]:
        """What a pass finds, and whether it was skipped before its end."""
        self.tester.listener(run_events.PassStarted(each.name + self.of, stage.deltas, self.skippable))
        at_work = self._at_work(stage, sparing=self.sparing)
        sought = PassSearch(
            self.tester, self.best, EmbeddedDomain(stage.domain, whole), stage.deltas, at_work.search,
            partial(self.vain.learn, stage), None if self._next is None else partial(self._beyond, stage),
            skippable=self.skippable,
        )  # fmt: skip
        config = sought.found(proved=self.pipeline.minimality is not None)
        if sought.skipped:
            self.tester.listener(Note(f"skipped: {each.name}{self.of}, {stage.deltas} deltas"))
        return config, sought.skipped

    def _at_work(self, stage: PreparedPass, *, sparing: bool) -> PreparedPass:
        """A stage that asks no more than it should."""
        spared = self.vain.sparing(stage) if sparing or not stage.proves else stage
        if stage.patience is None:
            return spared
        most = stage.patience
        return spared._replace(search=lambda: give_up_after(spared.search(), most))

    def _pass(self, each: Pass, kept: Config) -> Config:
        stage = each.begin(self.text, self.free, self.tester.counts)
        domain = stage.domain
        config, skipped = self._found(each, stage, self.whole)
        if stage.proves and not self.sparing:
            (self._left.add if skipped else self._left.discard)(each.name)
        before, self.text = self.text, domain.render(config)
        if self.pipeline.monotone and self.pipeline.minimality is not None and stage.patience is None:
            self._check_monotony(each.name, before)
        if isinstance(domain, ZeroedBytes):  # all stays where it was
            return kept
        if not isinstance(domain, AtomDomain):
            self.free = None if self.free is None else free_regions(self.text)
            return kept
        left = domain.kept(config)
        if self.free is not None:
            self.free = regions_within(left, left - domain.pinned)
        return _within(kept, left)

    def _check_monotony(self, name: str, before: bytes) -> None:
        """Warn if a pass leaves out more of its own result: it had predicted, and not tested, that this passes."""
        if self.text != before and self._results.get(name) == before and not unsteady(self.tester):
            self.tester.listener(
                Caution(
                    f"--monotone does not hold: a test fails that was predicted to pass ({name}, "
                    f"{len(before)} -> {len(self.text)} bytes); search without it: leave out --monotone"
                )
            )
        self._results[name] = self.text


def _pinned(text: bytes, free: Sequence[Region] | None) -> Config:
    if free is None:
        return Config()
    return Config.full(len(text)) - Config(tuple(at for start, end in free if start < end for at in (start, end)))


def _within(kept: Config, part: Config) -> Config:
    """Positions in a cut-down file, as positions in the whole one it was cut from."""
    whole = Config()
    for start, stop in part.intervals():
        whole |= kept.part(start, stop)
    return whole
