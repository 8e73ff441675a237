"""The algorithms of the papers on lists: ddmin, ddmax, dd (2002, 1999) and dd+; how they split lists."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import FAIL, ONLY_FAIL, ONLY_PASS, RESOLVED, Outcome
from wynot.core.trial import Found, Question, RestartableQuestion, Strategy, Trial, Verdict

# How a configuration is cut into subsets, and which subset is tried first.
#
# The papers ask only for disjoint subsets of similar size. `evenly` does that; `by_group` keeps related deltas together
# as long as it can (Zeller 1999, section 6, "grouping related changes").


Split = Callable[[Config, int], Sequence[Config]]
"""Cuts a configuration into at most so many non-empty subsets, whose union it is."""

Order = Callable[[Sequence[Config]], Sequence[Config]]
"""Says which subset comes first."""


def evenly(config: Config, count: int) -> list[Config]:
    """Cut into `count` subsets whose sizes differ by one at most.

    >>> evenly(Config.full(8), 3)
    [Config(0-1), Config(2-4), Config(5-7)]
    """
    size = len(config)
    count = min(count, size)
    return [config.part(size * i // count, size * (i + 1) // count) for i in range(count)]


def halves(chunks: Sequence[Config], split: Split = evenly) -> list[Config]:
    """The same chunks at twice the granularity ("increase granularity").

    Every chunk is cut on its own, so the new subsets nest in the old ones and no subset of an earlier granularity
    comes back under another cut; the bounds of the papers rest on that.
    """
    return [half for chunk in chunks for half in (split(chunk, 2) if len(chunk) > 1 else (chunk,))]


def by_group(labels: Sequence[Sequence[Hashable]]) -> Split:
    """Cut between groups as long as there are several; `labels[i]` names delta i's groups, coarse to fine.

    >>> split = by_group([("a",), ("a",), ("a",), ("b",)])
    >>> split(Config.full(4), 2)
    [Config(0-2), Config(3)]
    >>> split(Config.full(3), 2)
    [Config(0), Config(1-2)]
    """

    def edges(members: Sequence[int], depth: int) -> list[int]:
        """The ranks at which a new group begins, groups of up to this depth."""
        keys = [tuple(labels[m][: depth + 1]) for m in members]
        return [i for i in range(1, len(keys)) if keys[i] != keys[i - 1]]

    def split(config: Config, count: int) -> list[Config]:
        members = list(config)
        depths = max((len(labels[m]) for m in members), default=0)
        for depth in range(depths):
            found = edges(members, depth)
            if found:
                return _cut_at(config, found, count)
        return evenly(config, count)

    return split


def _cut_at(config: Config, edges: Sequence[int], count: int) -> list[Config]:
    """Cut at those of the allowed edges that come nearest to an even cut."""
    size, cuts = len(config), [0]
    for i in range(1, count):
        ideal = size * i / count
        at = bisect_left(edges, ideal)
        near = min(edges[max(at - 1, 0) : at + 1], key=lambda e: abs(e - ideal))
        if near > cuts[-1]:
            cuts.append(near)
    return [config.part(a, b) for a, b in zip(cuts, [*cuts[1:], size], strict=True)]


def in_order(chunks: Sequence[Config]) -> Sequence[Config]:
    """The first subset first, as in the papers' tables."""
    return chunks


def last_first(chunks: Sequence[Config]) -> Sequence[Config]:
    """The last subset first: in programs, uses come after what they use."""
    return chunks[::-1]


def smallest_first(chunks: Sequence[Config]) -> Sequence[Config]:
    """The subset with the fewest deltas first: of several causes, the smallest is found."""
    return sorted(chunks, key=len)


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


# Delta debugging with unresolved tests (Zeller 1999, algorithm 12, "dd+").
#
# Four cases, in the paper's order: found, interference, preference, try again. Outcomes that a case needs and that are
# known already are asked again under another wish: the driver has them, so no test is run twice.
#
# Two places where the paper leaves room (docs/decisions/0002-dd-plus.md):
#
# - complements are tried in order and the first that passes decides between interference and preference;
# - for "try again", changes that are applied from now on (r') also leave c', as the paper's text says ("can be
#   excluded from c"); its formula alone would keep them. Should nothing be left then, they stay.


DdPlusTask = tuple[Config, Config, tuple[Config, ...]]
"""A call dd3(c, r, n), with c already cut into its n subsets."""


def ddplus(config: Config, *, split: Split = evenly, order: Order = in_order) -> Strategy:
    """Find the failure-inducing changes in `config` although tests may be unresolved."""
    return _search_plus((_task(config, Config(), split),), Config(), split, order)


def _task(config: Config, remain: Config, split: Split) -> DdPlusTask:
    return config, remain, tuple(split(config, 2)) if len(config) > 1 else (config,)


def _search_plus(tasks: tuple[DdPlusTask, ...], found: Config, split: Split, order: Order) -> Strategy:
    while tasks:
        (config, remain, chunks), later = tasks[0], tasks[1:]
        if len(config) <= 1:
            found, tasks = found | config, later
            continue
        subsets = [chunk | remain for chunk in order(chunks)]
        verdict = yield RestartableQuestion(
            partial(_trials_plus, subsets, ONLY_FAIL), partial(_search_plus, tasks, found, split, order)
        )
        if verdict is not None:  # found
            tasks = (_task(verdict.config - remain, remain, split), *later)
            continue
        complements = [(config - chunk) | remain for chunk in order(chunks)]
        verdict = yield RestartableQuestion(partial(_trials_plus, complements, ONLY_PASS))
        if verdict is not None:
            tasks = (*(yield from _divide(verdict.config, config, remain, split)), *later)
            continue
        task = yield from _try_again(config, remain, chunks, split)
        if task is None:  # nothing left to divide
            left = yield from _left_over(config, remain, chunks)
            found, tasks = found | left, later
        else:
            tasks = (task, *later)
    return Found(found)


def _trials_plus(configs: Sequence[Config], wanted: frozenset[Outcome]) -> Iterator[Trial]:
    for config in configs:
        yield Trial(config, wanted)


def _divide(
    passing: Config, config: Config, remain: Config, split: Split
) -> Generator[Question, Verdict | None, tuple[DdPlusTask, ...]]:
    """A complement passes: interference if its subset passes, too; preference if that is unresolved."""
    chunk = config - passing
    rest = config - chunk
    tasks = (_task(chunk, rest | remain, split),)
    verdict = yield [Trial(chunk | remain, ONLY_PASS)]
    return tasks if verdict is None else (*tasks, _task(rest, chunk | remain, split))


def _those(
    chunks: Sequence[Config], configs: Sequence[Config], wanted: frozenset[Outcome]
) -> Generator[Question, Verdict | None, Config]:
    """The union of those chunks whose configuration (at the same place in `configs`) has the outcome."""
    union, start = Config(), 0
    while start < len(configs):
        verdict = yield RestartableQuestion(partial(_trials_plus, configs[start:], wanted))
        if verdict is None:
            break
        start = configs.index(verdict.config, start)
        union |= chunks[start]
        start += 1
    return union


def _left_over(config: Config, remain: Config, chunks: Sequence[Config]) -> Generator[Question, Verdict | None, Config]:
    """The paper's c': without what is known not to be failure-inducing; all of it, if that were nothing."""
    spare = yield from _those(chunks, [(config - chunk) | remain for chunk in chunks], ONLY_FAIL)
    fine = yield from _those(chunks, [chunk | remain for chunk in chunks], ONLY_PASS)
    return (config - spare - fine) or (config - spare) or config


def _try_again(
    config: Config, remain: Config, chunks: Sequence[Config], split: Split
) -> Generator[Question, Verdict | None, DdPlusTask | None]:
    """Twice as many subsets of c', with r' applied; None when they are single changes already."""
    if all(len(chunk) == 1 for chunk in chunks):
        return None
    left = yield from _left_over(config, remain, chunks)
    fine = yield from _those(chunks, [chunk | remain for chunk in chunks], ONLY_PASS)
    kept = [chunk for chunk in chunks if chunk <= left]
    return left, (remain | fine) - left, tuple(halves(kept, split))
