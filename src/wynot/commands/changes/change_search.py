"""The default search among changes: groups from coarse to fine, with the failure-resolution loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from wynot.commands.changes.changes_result import ChangesQuestion
from wynot.commands.changes.old_and_new import Sources
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.core.run_events import Note, PassStarted, ResultSettled
from wynot.core.trial import Found, Strategy
from wynot.domains.changes.change_index import ChangeIndex
from wynot.domains.changes.group_levels import (
    GroupedChanges,
    GroupLevel,
    bundles,
    edited_files,
    group_levels,
    history_levels,
    singles,
)
from wynot.domains.changes.group_tree import LEVELS, GroupTree, grouped
from wynot.domains.changes.missing_names import MissingNames
from wynot.domains.changes.patched_folder import PatchedFolder
from wynot.domains.changes.related_changes import AdjacentRuns
from wynot.domains.changes.static_dependencies import needs, supposed
from wynot.engine.driver import attempt, drive
from wynot.engine.tester import Tester
from wynot.search.changes.failure_resolution import (
    Dependencies,
    FailureMessageReader,
    ResolutionLevel,
    ResolutionTask,
    Resolved,
    RevertResult,
    RevertStretches,
    resolve,
    revert_stretches,
)
from wynot.search.combinators import swap_outcomes
from wynot.search.lists.sweep import alone, skim, sweep

PATIENCE = 12
"""How often a coarse configuration is mended before it is given up."""
FINE = 4
"""... and one of single changes."""
FEW_CHANGES = 100
"""So many changes are not grouped."""
MANY = 16
"""If more changes break the old one, they are not tried one by one as what to take back."""
CAUSES = 4
"""So many sets of changes that are enough by themselves are looked for, where taking back one does not help."""
HALVING = 3
"""Where most mixtures come to nothing, changes are cut so many times in two, and taken back part by part."""
PROBES = 64
"""So many tests are spent on that."""
WEARY = 24
"""If so many tests of a level have come to nothing, and not even half of the changes are gone, it is one of those."""
WEARY_OF_COMMITS = 12
"""If so many tests of whole commits are unresolved, and not even half of the changes are gone, they are given up."""
Better = Callable[[Config, Outcome], None]


class ChangeSearch:
    """A search at work; what it learns about which change needs which stays with it."""

    def __init__(
        self,
        tester: Tester[Folder],
        sources: Sources,
        domain: PatchedFolder,
        near: Config,
        question: ChangesQuestion,
        better: Better,
    ) -> None:
        self.tester, self.domain, self.live, self.better = tester, domain, near, better
        self.sources, self.by, self.youngest_needed = sources, question.by, question.youngest_needed
        self.near = self.counting = near
        """Changes to what tests read, and to what they execute, as far as it is known."""
        self.repaired: Config | None = None
        """What to take back, where that was found first."""
        self._probed = self._weary = False
        self.whole = Config.full(len(sources.changes))
        self.resolving = question.resolving
        self._aloof = False
        """Whether what is found is no answer to what was asked."""
        changes = sources.changes
        self.reader: FailureMessageReader = (
            MissingNames(changes, ChangeIndex(changes)) if question.resolving else _Deaf()
        )
        self.lore = self._supposed = _lore(sources, near) if question.resolving else Dependencies(needs(changes).direct)

    @cached_property
    def numbers(self) -> list[int]:
        """The changes that are grouped."""
        return list(self.live)

    @cached_property
    def groups(self) -> GroupTree:
        """Groups of the changes that are not set aside: to look into files takes its time."""
        return _groups(self.sources, self.numbers, self.by)

    def enough(self, config: Config) -> Config | None:
        """Whether these changes fail by themselves, or with what they turn out to need."""
        task = ResolutionTask(self.whole, self.reader, ())
        level = ResolutionLevel(partial(_suspects, [config]), alone, PATIENCE if self.resolving else 0)
        kept = self._run(task, [level], self.whole)
        return kept if kept != self.whole else None

    def breaks(self, start: Config | None = None) -> Config:
        """The smallest set that fails; `start` is known to."""
        kept = self.live if start is None else start
        task = ResolutionTask(self.whole, self.reader, ())
        kept = self._by_commit(task, kept)
        for level in self._levels(kept):
            kept = self._level(task, level, kept)
            enough = self.probe() if self._weary and not self._probed else None
            if enough is not None:
                return self.breaks(enough)
        return self._proved(task, kept)

    @property
    def has_history(self) -> bool:
        """Whether the default search begins with commits."""
        return bool(self._history_levels(self.live, taking_back=False))

    def _history_levels(self, kept: Config, *, taking_back: bool) -> list[GroupLevel]:
        history = self.sources.history
        if history is None or tuple(self.by) != LEVELS:
            return []
        return history_levels(
            history.ages, history.days, kept, youngest_first=taking_back, youngest_needed=self.youngest_needed
        )

    def _by_commit(self, task: ResolutionTask, kept: Config) -> Config:
        """Whole commits first: where single changes of a commit are unresolved, and all of it is not.

        Where commits are unresolved, too, they are given up soon.
        """
        levels = self._history_levels(kept, taking_back=task.taking_back)
        if levels and self.youngest_needed and not task.taking_back:
            youngest = partial(_suspects, levels[-1].units(kept)[:1])
            kept = self._run(task, [ResolutionLevel(youngest, alone, FINE if self.resolving else 0)], kept)
        for level in levels:
            units = level.units(kept)
            if len(units) > 1:
                self.tester.listener(PassStarted(level.name, len(units), skippable=True))
                by_commit = ResolutionLevel(level.units, skim, FINE if self.resolving else 0, weary=WEARY_OF_COMMITS)
                kept = self._run(task, [by_commit], kept, skippable=True)
        self._weary = False  # of commits: files and functions may do better
        return kept

    def _levels(self, kept: Config) -> list[GroupLevel]:
        """Coarse to fine; of few changes, groups cost more tests than they save, unless they are asked for."""
        if len(kept) <= FEW_CHANGES and tuple(self.by) == LEVELS:
            return [GroupLevel("changes", singles)]
        return group_levels(self.groups, self.numbers, kept)

    def probe(self) -> Config | None:
        """Where most mixtures come to nothing: what to take back, by stretches; what fails by itself, if it follows."""
        self._probed = True
        task = ResolutionTask(self.whole, self.reader, (), PASS, taking_back=True)
        cut = AdjacentRuns(self.sources.changes, self.counting)
        how = RevertStretches(task, cut.halves, self.counting, FINE if self.resolving else 0)
        queue, left = tuple(cut.parts(self.near, HALVING)), PROBES
        suspects = around = Config()
        aloof = self._aloof
        while queue and left:
            self.tester.listener(PassStarted("stretches", len(queue)))
            self._aloof = aloof or self.repaired is not None
            found = self._driven(task, partial(revert_stretches, how, queue, self.lore, left))
            if not isinstance(found, RevertResult) or found.failing == self.whole:
                break
            kept = self._proved(task, found.failing)
            if not self._aloof:
                self.tester.listener(ResultSettled())
            self._aloof = aloof
            self.repaired, suspects, around = self.repaired or kept, suspects | kept, around | found.failing
            learnt, self.lore = self.lore, self._supposed  # of so many changes, much of what was learnt is wrong
            enough = self.enough(suspects) or self.enough(around)
            if enough is not None:
                return enough
            self.lore, queue, left = learnt, found.rest, found.left
        self._aloof = aloof
        return None

    def repairs(self, breaks: Config | None) -> Config:
        """The smallest set without which the rest passes."""
        if self.repaired is not None:
            return self.repaired
        task = ResolutionTask(self.whole, self.reader, (), PASS, taking_back=True)
        kept = self.whole
        if breaks is not None:
            kept = self._guilty(task, breaks)
        if kept == self.whole:
            if self._test(self.whole - self.live) is PASS:
                kept = self.live
            kept = self._by_commit(task, kept)
            if len(kept) <= FEW_CHANGES:
                kept = self._bundles_left_out(task, kept)
            for level in self._levels(kept):
                kept = self._level(task, level, kept)
        return self._proved(task, kept)

    def next_cause(self, gone: Config) -> Config | None:
        """The smallest set that fails and has nothing of these; None where the rest does not fail without them.

        What is needed may be among those that are gone: then it is not supposed, and not pulled in.
        """
        near, rest = self.lore.dropping(self.live, gone), self.lore.dropping(self.whole, gone)
        start = next((each for each in (self.live - gone, near, self.whole - gone, rest) if self._fails(each)), None)
        if start is None:
            return None
        self.lore = Dependencies(
            {number: needed - gone for number, needed in self.lore.needs.items() if number not in gone}
        )
        self.reader = _Without(self.reader, gone)
        self._probed = self._aloof = True
        return self.breaks(start)

    def _fails(self, config: Config) -> bool:
        return bool(config) and self._test(config) is FAIL

    def undoing(self, breaks: Config, others: Config) -> Config:
        """Those of the others because of which what breaks the old one does not: none can be left out alone."""
        self.tester.listener(PassStarted("changes that undo", len(others)))
        domain = GroupedChanges(self.domain, singles(others), breaks)
        found = drive(
            lambda: swap_outcomes(sweep(Config.full(len(domain)))), domain, self.tester, lambda _config, _outcome: None
        )
        return domain.changes(found.failing)

    def _guilty(self, task: ResolutionTask, breaks: Config) -> Config:
        """Begin with what breaks the old one; if the rest still fails, there are other sets that do."""
        self.tester.listener(PassStarted("suspects", len(breaks)))
        deciding = self._deciding(breaks)
        for _ in range(CAUSES):
            one, all_ = partial(_suspects, singles(deciding)), partial(_suspects, [breaks])
            levels = [
                ResolutionLevel(one, alone, supposing=False),
                ResolutionLevel(one, alone, FINE, dropping=True),
                ResolutionLevel(all_, alone, PATIENCE, dropping=True),
            ]
            kept = self._run(task, levels if len(deciding) <= MANY else levels[-1:], self.whole)
            rest = self.lore.dropping(self.whole, breaks)
            if kept != self.whole:
                return kept
            if self._test(rest) is not FAIL:
                files = partial(_suspects, edited_files(self.sources.changes, breaks, FEW_CHANGES))
                return self._run(task, [ResolutionLevel(files, alone, supposing=False)], self.whole)
            self._aloof = True
            breaks |= self.breaks(rest)
            self._aloof, deciding = False, Config()  # of several sets, no single change decides
        return self.whole

    def _deciding(self, breaks: Config) -> Config:
        """Those without which the others were seen to pass; without the rest they come to nothing, and so would all.

        Of many, all: they are not looked at one by one.
        """
        if len(breaks) == 1 or len(breaks) > MANY:
            return breaks
        return Config.of(each for each in breaks if self._known(breaks - Config.of([each])) is PASS)

    def _level(self, task: ResolutionTask, level: GroupLevel, kept: Config) -> Config:
        units = level.units(kept)
        if len(units) < 2:
            return kept
        self.tester.listener(PassStarted(level.name, len(units), skippable=True))
        patience = PATIENCE if len(units) < len(kept) else FINE
        weary = 0 if task.taking_back or len(kept) <= FEW_CHANGES or self._probed else WEARY
        levels = [ResolutionLevel(level.units, skim, patience if self.resolving else 0, weary=weary)]
        return self._run(task, levels, kept, skippable=True)

    def _proved(self, task: ResolutionTask, kept: Config) -> Config:
        """Single changes, as they are, until none can be left out; and with those that need them."""
        kept = self._bundles_left_out(task, kept)
        if task.taking_back and len(kept) > 2:
            kept = self._level(task, GroupLevel("changes", singles), kept)
        plain = ResolutionLevel(singles, sweep, supposing=False)
        along = ResolutionLevel(singles, skim, FINE if self.resolving else 0, dropping=True)
        while True:
            self.tester.listener(PassStarted("changes, one by one", len(kept)))
            before = kept
            kept = self._run(task, [plain, along], kept)
            kept = self._bundles_left_out(task, kept)
            if kept == before:
                return kept

    def _bundles_left_out(self, task: ResolutionTask, kept: Config) -> Config:
        """Without whole files, components and commits: what cannot go one by one may go together."""
        history = self.sources.history
        if not self.by:
            return kept
        for level in bundles(self.sources.changes, history.ages if history else (), self.lore.needs, kept):
            if (count := len(level.units(kept))) > 1:
                self.tester.listener(PassStarted(f"whole {level.name}", count))
                plain = ResolutionLevel(level.units, skim, supposing=False)
                needing = ResolutionLevel(level.units, skim, FINE if self.resolving else 0)
                kept = self._run(task, [plain, needing], kept)
        return kept

    def _run(
        self, task: ResolutionTask, levels: Sequence[ResolutionLevel], kept: Config, *, skippable: bool = False
    ) -> Config:
        asked = ResolutionTask(task.whole, task.reader, levels, task.wanted, task.taking_back)
        found = self._driven(task, partial(resolve, asked, kept, self.lore), skippable=skippable)
        if found is not None:
            return found.failing
        self.tester.listener(Note("skipped: the next pass goes on from the best so far"))
        return kept if self._best is None else self._best

    def _driven(self, task: ResolutionTask, begin: Callable[[], Strategy], *, skippable: bool = False) -> Found | None:
        """A search to its end; what it has learnt stays. None: it was skipped."""
        self._best: Config | None = None

        def keep(config: Config, outcome: Outcome) -> None:
            if outcome is task.wanted:
                self._best = task.in_question(config)
                if not self._aloof:
                    self.better(self._best, outcome)

        found = attempt(begin, self.domain, self.tester, keep, skippable=skippable)
        if isinstance(found, Resolved):
            self.lore = found.lore
            self._weary = found.weary
        return found

    def _known(self, config: Config) -> Outcome | None:
        return self.tester.outcomes.known(self.domain.digest(self.domain.render(config)))

    def _test(self, config: Config) -> Outcome:
        candidate = self.domain.render(config)
        return self.tester.test(self.domain.digest(candidate), candidate, self.domain.size(candidate), config)


class _Without:
    """Understands messages as another reader does, but never asks for some of the changes."""

    def __init__(self, reader: FailureMessageReader, gone: Config) -> None:
        self._reader, self._gone = reader, gone

    def pulled(self, config: Config, message: str) -> tuple[Config, Config]:
        """What is missing, of the others."""
        added, needing = self._reader.pulled(config, message)
        return added - self._gone, needing

    def dropped(self, config: Config, message: str) -> Config:
        """What could go."""
        return self._reader.dropped(config, message)


class _Deaf:
    """Understands no message."""

    def pulled(self, config: Config, message: str) -> tuple[Config, Config]:  # noqa: ARG002
        """Nothing."""
        return Config(), Config()

    def dropped(self, config: Config, message: str) -> Config:  # noqa: ARG002
        """Nothing."""
        return Config()


def _lore(sources: Sources, near: Config) -> Dependencies:
    """What is known and supposed beforehand; only of changes that may be executed, as there may be many others."""
    numbers = list(near)
    known = dict(needs(sources.changes).direct)
    found = supposed([sources.changes[each] for each in numbers], sources.old, sources.new)
    for number, needed in found.items():
        change = numbers[number]
        known[change] = known.get(change, Config()) | Config.of(numbers[each] for each in needed)
    return Dependencies(known)


def _groups(sources: Sources, numbers: Sequence[int], by: Sequence[str]) -> GroupTree:
    """Groups of these changes only."""
    told = sources.history
    names, days = (told.names, told.days) if told is not None else ((), ())
    return grouped(
        [sources.changes[each] for each in numbers],
        sources.old,
        sources.new,
        by,
        [names[each] for each in numbers] if names else (),
        [days[each] for each in numbers] if days else (),
    )


def _suspects(these: Sequence[Config], kept: Config) -> list[Config]:
    """These, and all others; nothing where it is known already that these are enough."""
    others = kept - Config.of(number for each in these for number in each)
    return [*these, others] if others else [kept]
