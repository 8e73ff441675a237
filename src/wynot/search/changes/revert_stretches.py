"""What to take back, where nearly all mixtures come to nothing: stretches of deltas, one after the other.

To leave out half of the deltas and see it still fail is a stroke of luck if most mixtures are unresolved. A new
version without a short stretch of them is nearly the new version: that mostly runs. If the failure is gone, the stretch
holds what to take back, and all else is out of question; if it is not, the stretch is. What stays unresolved is cut
in two, and comes again after all others. Of what a message names as missing, the stretch is relieved, as in `resolve`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import ANY, UNRESOLVED
from wynot.core.trial import RestartableQuestion, Strategy, Trial
from wynot.search.changes.failure_resolution import Dependencies, ResolutionTask, Resolved

Halves = Callable[[Config], Sequence[Config]]


@dataclass(frozen=True, slots=True)
class RevertResult(Resolved):
    """The set that was found, or all; and where nobody has looked yet."""

    rest: tuple[Config, ...] = ()
    left: int = 0
    """Tests that may still be spent."""


@dataclass(frozen=True, slots=True)
class _State:
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
    return _probe(how, _State(tuple(stretches), lore, most))


def _probe(how: RevertStretches, state: _State) -> Strategy:
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


def _next(how: RevertStretches, state: _State, *, again: bool) -> _State:
    """Go on to the next stretch; this one comes again in halves, or is done with."""
    halves = tuple(how.halves(state.queue[0])) if again else ()
    return replace(state, queue=(*state.queue[1:], *halves), attempt=None)


def _once(config: Config) -> Iterator[Trial]:
    yield Trial(config, ANY)
