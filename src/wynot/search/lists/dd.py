"""The algorithms of the papers on lists: ddmin, ddmax, dd (2002, figures 5 and 15), and dd of 1999 (algorithm 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import FAIL, ONLY_FAIL, ONLY_PASS, RESOLVED, Outcome
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial, Verdict
from wynot.search.lists.split import Order, Split, evenly, halves, in_order

# The general delta debugging algorithm (Zeller & Hildebrandt 2002) and its two instances.
#
# One generator is all three, because they differ in the outcomes they want (figure 15 and its remarks):
#
# - `dd` wants FAIL and PASS: it narrows the difference from both sides,
# - `ddmin` wants FAIL only: the passing side stays empty (figure 5),
# - `ddmax` wants PASS only: the failing side stays whole (footnote 15), with the rules mirrored.
#
# A rule is applied as soon as the outcomes known enable it, so nothing is run that the rule does not need; with two
# subsets, "c'_pass + first" is the same test as "c'_fail - second" and is asked once.


def ddmin(config: Config, *, split: Split = evenly, order: Order = in_order, repeat: bool = False) -> Strategy:
    """Minimise a failing configuration (figure 5); the result is 1-minimal (proposition 11).

    With `repeat`, subsets whose outcome is known since an earlier step are asked again, as in figure 6's 27 steps; a
    driver with a cache runs the same tests either way.
    """
    return dd(Config(), config, wanted=ONLY_FAIL, split=split, order=order, repeat=repeat)


def ddmax(passing: Config, failing: Config, *, split: Split = evenly, order: Order = in_order) -> Strategy:
    """Grow the passing configuration as far as it goes: no single further delta can be added."""
    return dd(passing, failing, wanted=ONLY_PASS, split=split, order=order)


def dd(
    passing: Config,
    failing: Config,
    *,
    wanted: frozenset[Outcome] = RESOLVED,
    split: Split = evenly,
    order: Order = in_order,
    repeat: bool = False,
    finest: int | None = None,
) -> Strategy:
    """Isolate a 1-minimal difference between a passing and a failing configuration (figure 15).

    Invariant: `passing` is a subset of `failing`; the former passes, the latter fails; `chunks` partition the
    difference. With `finest`, the search gives up instead of cutting into more subsets than that.
    """
    chunks = list(split(failing - passing, 2))
    return _narrow(passing, failing, chunks, False, _Way(wanted, split, order, repeat, finest))


class _Way:
    """What does not change during a search."""

    def __init__(
        self, wanted: frozenset[Outcome], split: Split, order: Order, repeat: bool, finest: int | None
    ) -> None:
        self.wanted, self.split, self.order = wanted, split, order
        self.repeat, self.finest = repeat, finest

    def trials(self, passing: Config, failing: Config, chunks: Sequence[Config], known: bool) -> Iterator[Trial]:
        """Subsets, then complements; ddmax mirrors it. Two chunks are each other's complement."""
        ordered = self.order(chunks)
        added = (Trial(passing | chunk, self.wanted) for chunk in ordered)
        taken = (Trial(failing - chunk, self.wanted) for chunk in ordered)
        first, second = (taken, added) if self.wanted == ONLY_PASS else (added, taken)
        if self.repeat or not known:
            yield from first
        if len(chunks) > 2:
            yield from second


def _narrow(passing: Config, failing: Config, chunks: Sequence[Config], known: bool, way: _Way) -> Strategy:
    """Apply figure 15's rules until none applies; `known`: the first half of the trials is answered already."""
    minimal = True
    while len(chunks) > 1:
        verdict = yield RestartableQuestion(
            partial(way.trials, passing, failing, chunks, known),
            partial(_narrow, passing, failing, chunks, known, way),
        )
        if verdict is not None:
            passing, failing, chunks, known = _after(verdict, passing, failing, chunks, way)
            continue
        finer = halves(chunks, way.split)
        if len(finer) == len(chunks):
            break
        if way.finest is not None and len(finer) > way.finest:
            minimal = False
            break
        chunks, known = finer, False
    return Found(failing, passing, minimal)


def _after(
    verdict: Verdict, passing: Config, failing: Config, chunks: Sequence[Config], way: _Way
) -> tuple[Config, Config, Sequence[Config], bool]:
    """The state after a rule was applied: (passing, failing, chunks, known)."""
    config, mirrored = verdict.config, way.wanted == ONLY_PASS
    if verdict.outcome is FAIL:
        gone = failing - config
        failing = config
        fresh = mirrored
    else:
        gone = config - passing
        passing = config
        fresh = not mirrored
    rest = [chunk for chunk in chunks if chunk != gone]
    if len(rest) == len(chunks) - 1 and len(rest) > 1:
        # "increase to subset", "reduce to complement": the granularity stays, and so do the other chunks. What was
        # asked of the side that did not move is still known.
        return passing, failing, rest, not fresh
    return passing, failing, list(way.split(failing - passing, 2)), False


# Automated delta debugging (Zeller 1999, algorithm 11): divide and conquer, with interference.
#
# Meant for configurations that are monotone, unambiguous and consistent; there it finds a minimal failure-inducing set
# in at most 2|c| - 2 tests, 2 m log2 |c| for m guilty changes (propositions 16, 17, 19).


Task = tuple[Config, Config]
"""A call dd2(c, r): search c while r remains applied."""


def dd1999(config: Config, *, split: Split = evenly, order: Order = in_order) -> Strategy:
    """Find the failure-inducing changes in `config`."""
    return _search(((config, Config()),), Config(), split, order)


def _search(tasks: tuple[Task, ...], found: Config, split: Split, order: Order) -> Strategy:
    """The recursion of the paper with its calls kept in `tasks`, the next one first."""
    while tasks:
        (config, remain), later = tasks[0], tasks[1:]
        if len(config) <= 1:
            found, tasks = found | config, later
            continue
        halves = list(split(config, 2))
        verdict = yield RestartableQuestion(
            partial(_trials, order(halves), remain), partial(_search, tasks, found, split, order)
        )
        if verdict is not None:
            tasks = ((verdict.config - remain, remain), *later)
        else:
            one, two = halves  # interference: search both, the other half remaining applied
            tasks = ((one, two | remain), (two, one | remain), *later)
    return Found(found)


def _trials(halves: Sequence[Config], remain: Config) -> Iterator[Trial]:
    for half in halves:
        yield Trial(half | remain, ONLY_FAIL)
