"""Delta debugging with unresolved tests (Zeller 1999, algorithm 12, "dd+").

Four cases, in the paper's order: found, interference, preference, try again. Outcomes that a case needs and that are
known already are asked again under another wish: the driver has them, so no test is run twice.

Two places where the paper leaves room (docs/decisions/0002-dd-plus.md):

- complements are tried in order and the first that passes decides between interference and preference;
- for "try again", changes that are applied from now on (r') also leave c', as the paper's text says ("can be
  excluded from c"); its formula alone would keep them. Should nothing be left then, they stay.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL, ONLY_PASS, Outcome
from wynot.core.trial import Found, Question, RestartableQuestion, Strategy, Trial, Verdict
from wynot.search.lists.split import Order, Split, evenly, halves, in_order

Task = tuple[Config, Config, tuple[Config, ...]]
"""A call dd3(c, r, n), with c already cut into its n subsets."""


def ddplus(config: Config, *, split: Split = evenly, order: Order = in_order) -> Strategy:
    """Find the failure-inducing changes in `config` although tests may be unresolved."""
    return _search((_task(config, Config(), split),), Config(), split, order)


def _task(config: Config, remain: Config, split: Split) -> Task:
    return config, remain, tuple(split(config, 2)) if len(config) > 1 else (config,)


def _search(tasks: tuple[Task, ...], found: Config, split: Split, order: Order) -> Strategy:
    while tasks:
        (config, remain, chunks), later = tasks[0], tasks[1:]
        if len(config) <= 1:
            found, tasks = found | config, later
            continue
        subsets = [chunk | remain for chunk in order(chunks)]
        verdict = yield RestartableQuestion(
            partial(_trials, subsets, ONLY_FAIL), partial(_search, tasks, found, split, order)
        )
        if verdict is not None:  # found
            tasks = (_task(verdict.config - remain, remain, split), *later)
            continue
        complements = [(config - chunk) | remain for chunk in order(chunks)]
        verdict = yield RestartableQuestion(partial(_trials, complements, ONLY_PASS))
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


def _trials(configs: Sequence[Config], wanted: frozenset[Outcome]) -> Iterator[Trial]:
    for config in configs:
        yield Trial(config, wanted)


def _divide(
    passing: Config, config: Config, remain: Config, split: Split
) -> Generator[Question, Verdict | None, tuple[Task, ...]]:
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
        verdict = yield RestartableQuestion(partial(_trials, configs[start:], wanted))
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
) -> Generator[Question, Verdict | None, Task | None]:
    """Twice as many subsets of c', with r' applied; None when they are single changes already."""
    if all(len(chunk) == 1 for chunk in chunks):
        return None
    left = yield from _left_over(config, remain, chunks)
    fine = yield from _those(chunks, [chunk | remain for chunk in chunks], ONLY_PASS)
    kept = [chunk for chunk in chunks if chunk <= left]
    return left, (remain | fine) - left, tuple(halves(kept, split))
