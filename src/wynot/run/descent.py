"""The way down of one text: through the passes of its pipeline, until none of them finds anything more.

The text may be an artifact by itself, or stand in a larger one, as a file does in a folder: then that is what is
tested and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic

from wynot.core import events
from wynot.core.artifact import AnyContent, digest, size
from wynot.core.config import Config
from wynot.core.events import Said
from wynot.core.order import simplicity
from wynot.core.outcome import FAIL, Outcome
from wynot.domains.flat import Flat, Region, regions_within
from wynot.domains.protected import free_regions
from wynot.run.best import Best
from wynot.run.confirm import confirmed, unsteady
from wynot.run.costs import Counts
from wynot.run.drive import Domain, Search, attempt
from wynot.run.ending import end_first, first_pass
from wynot.run.lab import Lab
from wynot.run.passes import Pass, Stage, TreePass
from wynot.run.patience import grown
from wynot.run.pipeline import Pipeline
from wynot.run.vain import Vain


def _unheard(_before: Config, _after: Config) -> None:
    """Nobody wants to know what was in vain."""


class Sought(Generic[AnyContent]):
    """A search among the deltas of a domain, to its end."""

    def __init__(
        self, lab: Lab[AnyContent], best: Best[AnyContent], domain: Domain[AnyContent], deltas: int, search: Search,
        vain: Callable[[Config, Config], None] = _unheard, *, skippable: bool = False,
    ) -> None:  # fmt: skip
        self.lab, self.best, self.domain, self.deltas, self.search = lab, best, domain, deltas, search
        self.vain = vain
        self._kept = self._base = Config.full(deltas)
        self.skippable = skippable
        """Whether it may be left to the user how long it takes."""
        self.skipped = False

    def found(self, *, proved: bool) -> Config:
        """What the search finds; where failures show only sometimes, it is looked at again.

        What dd1999 and dd+ put together need not fail on hard tests; if that is not proved and not so, the last step
        that did is the result.
        """
        before = self.best.content
        config = self._once(proved=proved)
        while (found := self.domain.render(config)) != before and not confirmed(self.lab, found):
            self.best.content = before
            if self.skipped:
                return Config.full(self.deltas)
            config = self._once(proved=proved)  # what is known is known: only the last step is taken back
        self.best.content = found
        return config

    def _once(self, *, proved: bool) -> Config:
        self._kept = self._base = Config.full(self.deltas)
        self.best.trail = [partial(self.domain.render, self._kept)] if unsteady(self.lab) else []
        found = attempt(self.search, self.domain, self.lab, self._keep, self._passed, skippable=self.skippable)
        self.skipped = found is None
        if found is None:
            return self._kept
        candidate = self.domain.render(found.failing)
        if proved or self.lab.test(digest(candidate), candidate, size(candidate)) is FAIL:
            return found.failing
        return self._kept

    def _passed(self, config: Config) -> None:
        """The search does not go on with this."""
        self.vain(self._base, config)

    def _keep(self, config: Config, outcome: Outcome) -> None:
        """The search goes on with this: if it fails, it may be the best so far."""
        self._base = config
        if outcome is FAIL:
            candidate = self.domain.render(config)
            if simplicity(candidate) < simplicity(self.best.content):
                self._kept = config
                if self.best.trail:
                    self.best.trail.append(partial(self.domain.render, config))
                self.best.improve(candidate)


@dataclass(frozen=True, slots=True)
class Within(Generic[AnyContent]):
    """The deltas of a text that stands in a larger artifact."""

    text: Domain[bytes]
    whole: Callable[[bytes], AnyContent]

    def render(self, config: Config) -> AnyContent:
        """The artifact, with these deltas of the text."""
        return self.whole(self.text.render(config))

    def digest(self, candidate: AnyContent) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: AnyContent) -> int:
        """How large a candidate is, in bytes."""
        return size(candidate)


class Descent(Generic[AnyContent]):
    """A text at work on; `whole` gives the artifact that holds it."""

    def __init__(
        self, lab: Lab[AnyContent], best: Best[AnyContent], pipeline: Pipeline, text: bytes,
        whole: Callable[[bytes], AnyContent], of: str = "", *, marked: bool = True,
    ) -> None:  # fmt: skip
        self.lab, self.best, self.pipeline, self.whole, self.of = lab, best, pipeline, whole, of
        self.skippable = bool(of) or sum(map(len, pipeline.tiers)) > 1
        """Whether there is anything to go on with after a pass that is skipped."""
        self._left: set[str] = set()
        """Passes that would prove something, and were skipped."""
        self.text, self.free = text, free_regions(text) if marked else None
        self.vain = Vain()
        self.sparing = pipeline.skims > 0
        """Whether to try again what was in vain, or not."""
        self.pinned = _pinned(text, self.free)
        """Where nothing may be left out."""
        self.nothing = b"".join(text[a:b] for a, b in self.pinned.intervals())
        """The text with all left out that can be."""

    @property
    def minimality(self) -> str | None:
        """What is proved of the text; nothing where a pass was skipped and not run to its end later on."""
        return None if self._left else self.pipeline.minimality

    def ready(self) -> Iterator[None]:
        """Do what comes first in `run`, as far as no test is needed, step by step: what is found out is remembered."""
        ending = self.pipeline.ending if self.free is None else None
        first = (ending and first_pass(ending, self.text)) or self.pipeline.tiers[0][0]
        if isinstance(first, TreePass):  # others remember nothing
            stage = first.begin(self.text, self.free, Counts())
            yield
            next(stage.search(), None)

    def run(self) -> Config:
        """Go through the passes until none of them finds anything more.

        Gives the positions in the text that are kept, as far as passes keep positions (those of trees do not).
        """
        if self.pipeline.ending is not None and self.free is None:
            self.text = end_first(self.pipeline.ending, self.text, self._part)
        kept, tier = Config.full(len(self.text)), 0
        while tier < len(self.pipeline.tiers):
            before = self.text
            self.sparing = tier < self.pipeline.skims
            kept = self._exhaust(self.pipeline.tiers[tier], kept, once=tier > 0 or self.pipeline.once)
            tier = 0 if self.text != before and tier else tier + 1
        return kept - self.pinned

    def _exhaust(self, passes: Sequence[Pass], kept: Config, *, once: bool = False) -> Config:
        """Go round these passes until a whole round changes nothing; or just `once`."""
        turn = quiet = 0
        while quiet < len(passes):
            before = self.text
            kept = self._pass(passes[turn % len(passes)], kept)
            turn += 1
            quiet = 0 if self.text != before and not once else quiet + 1
            if grown(self.lab):
                self.vain.forget()
                quiet = 0
        return kept

    def _part(self, each: Pass, part: bytes, text: Callable[[bytes], bytes]) -> bytes:
        """Run a pass on a part of the text; gives what is left of it."""
        stage = each.begin(part, None, self.lab.counts)
        return stage.domain.render(self._found(each, stage, lambda left: self.whole(text(left)))[0])

    def _found(self, each: Pass, stage: Stage, whole: Callable[[bytes], AnyContent]) -> tuple[Config, bool]:
        """What a pass finds, and whether it was skipped before its end."""
        self.lab.listener(events.Stage(each.name + self.of, stage.deltas, self.skippable))
        at_work = self.vain.sparing(stage) if self.sparing or not stage.proves else stage
        sought = Sought(
            self.lab, self.best, Within(stage.domain, whole), stage.deltas, at_work.search,
            partial(self.vain.learn, stage), skippable=self.skippable,
        )  # fmt: skip
        config = sought.found(proved=self.pipeline.minimality is not None)
        if sought.skipped:
            self.lab.listener(Said(f"skipped: {each.name}{self.of}, {stage.deltas} deltas"))
        return config, sought.skipped

    def _pass(self, each: Pass, kept: Config) -> Config:
        stage = each.begin(self.text, self.free, self.lab.counts)
        domain = stage.domain
        config, skipped = self._found(each, stage, self.whole)
        if stage.proves and not self.sparing:
            (self._left.add if skipped else self._left.discard)(each.name)
        self.text = domain.render(config)
        if not isinstance(domain, Flat):
            self.free = None if self.free is None else free_regions(self.text)
            return kept
        left = domain.kept(config)
        if self.free is not None:
            self.free = regions_within(left, left - domain.pinned)
        return _within(kept, left)


def protected_part(text: bytes) -> bytes:
    r"""What stands outside of the free regions; nothing where there are none.

    >>> protected_part(b"keep\nDDBEGIN\nx\nDDEND\n")
    b'keep\nDDBEGIN\nDDEND\n'
    """
    return b"".join(text[a:b] for a, b in _pinned(text, free_regions(text)).intervals())


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
