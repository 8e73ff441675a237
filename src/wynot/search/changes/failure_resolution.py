"""The failure-resolution loop (1999, section 8), the dependencies it learns, and stretches to revert."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple, Protocol

from wynot.core.config import Config
from wynot.core.outcome import ANY, FAIL, UNRESOLVED, Outcome
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial, Verdict

# What is known of which deltas need which others: supposed at first, learnt from tests on the way. A value.


@dataclass(frozen=True)
class Dependencies:
    """For each delta those it needs.

    >>> lore = Dependencies({1: Config.of([0]), 2: Config.of([1])})
    >>> lore.closed(Config.of([2])), lore.dropping(Config.full(4), Config.of([1]))
    (Config(0-2), Config(0, 3))
    >>> lore.learnt(Config.of([3]), Config.of([2])).closed(Config.of([3]))
    Config(0-3)
    """

    needs: Mapping[int, Config] = field(default_factory=dict)

    def closed(self, config: Config) -> Config:
        """With all that is needed."""
        members = set(config)
        waiting = [each for each in members if each in self.needs]
        while waiting:
            for needed in self.needs[waiting.pop()]:
                if needed not in members:
                    members.add(needed)
                    if needed in self.needs:
                        waiting.append(needed)
        return Config.of(members)

    @cached_property
    def _needing(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for delta, needed in self.needs.items():
            for each in needed:
                found.setdefault(each, []).append(delta)
        return found

    def dropping(self, config: Config, gone: Config) -> Config:
        """Without these, and without those that need them."""
        members, waiting = set(config) - set(gone), list(gone)
        while waiting:
            for each in self._needing.get(waiting.pop(), ()):
                if each in members:
                    members.discard(each)
                    waiting.append(each)
        return Config.of(members)

    def learnt(self, these: Config, needed: Config) -> Dependencies:
        """These have turned out to need those."""
        more = {each: self.needs.get(each, Config()) | (needed - Config.of([each])) for each in these}
        return Dependencies({**self.needs, **more}) if more else self


# The failure-resolution loop (Zeller 1999, section 8): a search that reads what unresolved tests say.
#
# A list minimiser asks about sets of groups of deltas. What it asks is not tested as it is: all that the deltas are
# known to need comes with them. If the test comes to nothing all the same, its message may name what is missing; that
# is pulled in, kept in mind for all configurations to come, and the test is tried again. So a configuration that is
# found may hold pieces of groups that the minimiser takes for gone; they are deltas like others at the next, finer
# level.
#
# The same search answers two questions. *What breaks the old one*: the smallest set of deltas that fails. *What to take
# back*: the smallest set without which all others pass; a candidate is then all but the set, and what is pulled in
# makes the set smaller.


Minimise = Callable[[Config], Strategy]
Units = Callable[[Config], Sequence[Config]]
"""What a level does not take apart: groups, which together hold all deltas of a set."""


class FailureMessageReader(Protocol):
    """Whoever understands the messages of tests."""

    def pulled(self, config: Config, message: str) -> tuple[Config, Config]:
        """What is missing in a configuration of which a test said this; and because of which others, if it is known."""
        ...

    def dropped(self, config: Config, message: str) -> Config:
        """What could go, so that nothing is missing any more."""
        ...


class ResolutionLevel(NamedTuple):
    """One level of a search, coarse or fine."""

    units: Units
    minimise: Minimise
    patience: int = 0
    """How often it is tried to mend a configuration."""
    dropping: bool = False
    """Whether what needs a group is left out with it."""
    supposing: bool = True
    """Whether what is needed comes along."""
    weary: int = 0
    """After so many unresolved tests it is given up, if by then not even half of the deltas are gone; 0: never."""


@dataclass(frozen=True, slots=True)
class ResolutionTask:
    """What to look for."""

    whole: Config
    """All deltas that are not set aside."""
    reader: FailureMessageReader
    levels: Sequence[ResolutionLevel]
    wanted: Outcome = FAIL
    taking_back: bool = False
    """Whether a candidate is all but the set in question."""

    def candidate(self, kept: Config) -> Config:
        """What is tested if these are in question."""
        return self.whole - kept if self.taking_back else kept

    def in_question(self, candidate: Config) -> Config:
        """The other way round."""
        return self.whole - candidate if self.taking_back else candidate


@dataclass(frozen=True, slots=True)
class Resolved(Found):
    """What was found, and what was learnt on the way."""

    lore: Dependencies = field(default_factory=Dependencies)
    weary: bool = False
    """Whether a level was given up."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A configuration that is being mended."""

    config: Config
    left: int


@dataclass(frozen=True, slots=True)
class _State:
    """Where the search stands."""

    kept: Config
    lore: Dependencies
    level: int = 0
    units: Sequence[Config] = ()
    begin: Callable[[], Strategy] | None = None
    """How the level's minimiser goes on; None: it has not begun, or cannot begin again from here."""
    place: int = 0
    """Trials of its question that are settled."""
    attempt: _Attempt | None = None
    most: int = 0
    """How many deltas there were when the level began."""
    unresolved: int = 0
    """Tests of the level that came to nothing."""
    weary: bool = False


def resolve(task: ResolutionTask, kept: Config, lore: Dependencies) -> Strategy:
    """Go down the levels. `kept` is known to do what is wanted."""
    return _resolve(task, _State(kept, lore))


def _resolve(task: ResolutionTask, state: _State) -> Strategy:
    while state.level < len(task.levels):
        level = task.levels[state.level]
        if state.begin is None:
            units = [unit for unit in level.units(state.kept) if unit]
            begin = partial(level.minimise, Config.full(len(units)))
            state = replace(state, units=units, begin=begin, most=len(state.kept))
        if len(state.units) > 1:
            state = yield from _along(task, level, state)
        state = _State(state.kept, state.lore, state.level + 1, weary=state.weary)
    return Resolved(state.kept, lore=state.lore, weary=state.weary)


def _along(
    task: ResolutionTask, level: ResolutionLevel, state: _State
) -> Generator[RestartableQuestion, Verdict | None, _State]:
    """One level, to its end."""
    assert state.begin is not None  # noqa: S101 - for mypy
    strategy = state.begin()
    try:
        question = next(strategy)
        while True:
            state = replace(state, begin=question.again if isinstance(question, RestartableQuestion) else None)
            answer: Verdict | None = None
            for place, trial in enumerate(question):
                if place < state.place:
                    continue
                state = replace(state, place=place)
                success, state = yield from _tried(task, level, state, trial.config)
                if 0 < level.weary <= state.unresolved and 2 * len(state.kept) > state.most:
                    return replace(state, weary=True)
                if success:
                    answer = Verdict(trial, FAIL)
                    break
            state = replace(state, place=0)
            question = strategy.send(answer)
    except StopIteration:
        return state


def _tried(
    task: ResolutionTask, level: ResolutionLevel, state: _State, wanted: Config
) -> Generator[RestartableQuestion, Verdict | None, tuple[bool, _State]]:
    """Whether these groups are enough, with what has to come with them."""
    if state.attempt is None:
        state = replace(state, attempt=_Attempt(_begun(task, level, state, wanted), level.patience))
    while state.attempt is not None:
        config, left = state.attempt.config, state.attempt.left
        kept = task.in_question(config)
        if len(kept) >= len(state.kept):
            break
        again = None if state.begin is None else partial(_resolve, task, state)
        verdict = yield RestartableQuestion(partial(_once, config), again)
        assert verdict is not None, "a driver must answer a trial that takes any outcome"  # noqa: S101
        if verdict.outcome is task.wanted:
            return True, replace(state, kept=kept, attempt=None)
        state = replace(state, unresolved=state.unresolved + (verdict.outcome is UNRESOLVED))
        if verdict.outcome is not UNRESOLVED or not left:
            break
        mended, lore = _mended(task, level, state.lore, config, verdict.evidence)
        if mended == config:
            break
        state = replace(state, lore=lore, attempt=_Attempt(mended, left - 1))
    return False, replace(state, attempt=None)


def _begun(task: ResolutionTask, level: ResolutionLevel, state: _State, wanted: Config) -> Config:
    """The configuration to begin with."""
    kept = Config.union([state.units[each] for each in wanted])
    if level.dropping:  # what went with a group is gone for good, although the minimiser knows nothing of it
        config = task.candidate(kept & state.kept)
        return state.lore.dropping(config, task.whole - config)
    config = task.candidate(kept)
    return state.lore.closed(config) if level.supposing else config


def _mended(
    task: ResolutionTask, level: ResolutionLevel, lore: Dependencies, config: Config, message: str
) -> tuple[Config, Dependencies]:
    """What to try instead, after this message; the same if there is nothing."""
    if level.dropping:
        return config - task.reader.dropped(config, message), lore
    added, needing = task.reader.pulled(config, message)
    lore = lore.learnt(needing, added) if added else lore
    return (lore.closed(config | added) if added else config), lore


def _once(config: Config) -> Iterator[Trial]:
    yield Trial(config, ANY)


# What to take back, where nearly all mixtures come to nothing: stretches of deltas, one after the other.
#
# To leave out half of the deltas and see it still fail is a stroke of luck if most mixtures are unresolved. A new
# version without a short stretch of them is nearly the new version: that mostly runs. If the failure is gone, the
# stretch holds what to take back, and all else is out of question; if it is not, the stretch is. What stays unresolved
# is cut in two, and comes again after all others. Of what a message names as missing, the stretch is relieved, as in
# `resolve`.


Halves = Callable[[Config], Sequence[Config]]


@dataclass(frozen=True, slots=True)
class RevertResult(Resolved):
    """The set that was found, or all; and where nobody has looked yet."""

    rest: tuple[Config, ...] = ()
    left: int = 0
    """Tests that may still be spent."""


@dataclass(frozen=True, slots=True)
class _StretchState:
    """Where the search stands."""

    queue: tuple[Config, ...]
    lore: Dependencies
    left: int
    """Tests that may still be spent."""
    attempt: tuple[Config, int] | None = None
    """The configuration that is being mended, and how often it may be."""


@dataclass(frozen=True, slots=True)
class RevertStretches:
    """How to look."""

    task: ResolutionTask
    halves: Halves
    counting: Config
    """Stretches of which nothing of this is left are not tried."""
    patience: int


def revert_stretches(how: RevertStretches, stretches: Sequence[Config], lore: Dependencies, most: int) -> Strategy:
    """The first stretch, with what needs it relieved, that is enough by itself; `most`: tests at most."""
    return _probe(how, _StretchState(tuple(stretches), lore, most))


def _probe(how: RevertStretches, state: _StretchState) -> Strategy:
    task = how.task
    while state.queue and state.left:
        config, patience = state.attempt or (state.lore.closed(task.candidate(state.queue[0])), how.patience)
        kept = task.in_question(config)
        if kept.isdisjoint(how.counting):
            state = _next(how, state, again=False)
            continue
        verdict = yield RestartableQuestion(partial(_once, config), partial(_probe, how, state))
        assert verdict is not None, "a driver must answer a trial that takes any outcome"  # noqa: S101
        state = replace(state, left=state.left - 1)
        if verdict.outcome is task.wanted:
            return RevertResult(kept, lore=state.lore, rest=state.queue[1:], left=state.left)
        if verdict.outcome is not UNRESOLVED:
            state = _next(how, state, again=False)
            continue
        added, needing = task.reader.pulled(config, verdict.evidence)
        lore = state.lore.learnt(needing, added) if added else state.lore
        mended = lore.closed(config | added)
        if patience and mended != config:
            state = replace(state, lore=lore, attempt=(mended, patience - 1))
        else:
            state = _next(how, state, again=True)
    return RevertResult(task.whole, lore=state.lore, left=state.left)


def _next(how: RevertStretches, state: _StretchState, *, again: bool) -> _StretchState:
    """Go on to the next stretch; this one comes again in halves, or is done with."""
    halves = tuple(how.halves(state.queue[0])) if again else ()
    return replace(state, queue=(*state.queue[1:], *halves), attempt=None)
