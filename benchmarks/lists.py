"""Numbers of tests to minimise a list: wynot's sweep, ddmin, CDD and ProbDD, picire, lithium, the information bound.

All guilty elements are needed, nothing else matters. Real code of all tools, in this process; a result that is not
exactly the guilty elements ends the benchmark. What counts is the tests of the search: not the first one of the
whole list, and not picire's repeated ones of what it knows to fail. Medians over seeds; of `even` and `ends` there
is only one list. The bound, m log2(n/m) + m for m guilty of n elements, holds for `random`; lists that are more
regular than that can be done with fewer tests.
"""

from __future__ import annotations

import logging
import math
import random
from array import array
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import product
from typing import Any

import picire
from lithium.strategies import Minimize
from lithium.testcases import TestcaseLine

import common
import wynot
from common import median, progress, table, tell
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS
from wynot.core.trial import Strategy
from wynot.domains.values.scalars import ItemList
from wynot.engine.driver import drive
from wynot.engine.executors.executor import InlineExecutor
from wynot.engine.tester import Tester
from wynot.search.lists.published import cdd, probdd

SPREADS = ("random", "cluster", "fives", "even", "ends")
CHANCE = frozenset({"random", "cluster", "fives"})

Fails = Callable[[Iterable[int]], bool]


def guilty(spread: str, size: int, count: int, seed: int) -> list[int]:
    """Which elements are needed."""
    chance = random.Random(f"{size} {count} {seed}")
    if spread == "cluster":
        start = chance.randrange(size - count + 1)
        return list(range(start, start + count))
    if spread == "fives":
        return _fives(chance, size, count)
    if spread == "even":
        return [(2 * i + 1) * size // (2 * count) for i in range(count)]
    if spread == "ends":
        return [*range((count + 1) // 2), *range(size - count // 2, size)]
    return sorted(chance.sample(range(size), count))


def _fives(chance: random.Random, size: int, count: int) -> list[int]:
    """Clusters of five, the last one of what is left, at random places: choose gaps, then lay the clusters between."""
    lengths = [5] * (count // 5) + [count % 5] * (count % 5 > 0)
    places = sorted(chance.sample(range(size - count + len(lengths)), len(lengths)))
    found: list[int] = []
    for number, (place, length) in enumerate(zip(places, lengths, strict=True)):
        start = place + len(found) - number
        found += range(start, start + length)
    return found


class Test:
    """Says whether all guilty elements are there, and counts how often it was asked."""

    def __init__(self, needed: Sequence[int]) -> None:
        self.needed = frozenset(needed)
        self.asked = 0

    def __call__(self, kept: Iterable[int]) -> bool:
        self.asked += 1
        return self.needed.issubset(kept)


def by_sweep(size: int, test: Test) -> list[int]:
    return wynot.sweep(range(size), test)


def by_ddmin(size: int, test: Test) -> list[int]:
    return wynot.ddmin(range(size), test)


def by_dd(size: int, test: Test) -> list[int]:
    """Isolates one of them: another question, with fewer tests to its answer."""
    found = wynot.dd(range(size), test).difference
    if len(found) != 1 or found[0] not in test.needed:
        raise SystemExit(f"dd isolates {found}")
    return sorted(test.needed)


def by_strategy(search: Callable[[Config], Strategy], size: int, test: Test) -> list[int]:
    """One that the command line has, and the library does not."""
    lab: Tester[tuple[Config, list[int]]] = Tester(InlineExecutor(lambda kept: FAIL if test(kept[1]) else PASS))
    found = drive(partial(search, Config.full(size)), ItemList(range(size)), lab, lambda _config, _outcome: None)
    return list(found.failing)


def by_picire(size: int, test: Test) -> list[int]:
    """Its DD as it comes, with outcomes kept by content; by configuration, as usual, takes gigabytes here."""

    def ask(config: list[int], config_id: tuple[str, ...]) -> object:
        if "assert" in config_id:
            return picire.Outcome.FAIL
        return picire.Outcome.FAIL if test(config) else picire.Outcome.PASS

    cache = picire.ContentCache()
    cache.set_test_builder(lambda config: blake2b(array("I", config), digest_size=16).digest())
    found: list[int] = picire.DD(ask, cache=cache)(list(range(size)))
    return found


def by_lithium(size: int, test: Test) -> list[int]:
    """Its default strategy as it comes."""
    whole = TestcaseLine()
    whole.parts = [b"%d\n" % number for number in range(size)]
    whole.reducible = [True] * size
    search: Any = Minimize().reduce(whole)  # its annotation says less than it gives
    for attempt in search:
        search.feedback(test(map(int, attempt.parts)))
    return list(map(int, search.testcase.parts))


TOOLS: dict[str, Callable[[int, Test], list[int]]] = {
    "sweep": by_sweep,
    "ddmin": by_ddmin,
    "dd": by_dd,
    "cdd": partial(by_strategy, cdd),
    "probdd": partial(by_strategy, probdd),
    "picire": by_picire,
    "lithium": by_lithium,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A kind of problem."""

    size: int
    count: int
    spread: str

    @property
    def bound(self) -> float:
        """How many tests with two outcomes must be asked to tell the guilty elements from all others."""
        return self.count * math.log2(self.size / self.count) + self.count

    def tests(self, tools: Sequence[str], seeds: int) -> dict[str, float]:
        """The median number of tests of each tool."""
        logging.disable(logging.CRITICAL)  # the peers report each step
        found: dict[str, list[int]] = {name: [] for name in tools}
        for seed in range(seeds if self.spread in CHANCE else 1):
            needed = guilty(self.spread, self.size, self.count, seed)
            for name in tools:
                test = Test(needed)
                if TOOLS[name](self.size, test) != needed:
                    raise SystemExit(f"{name} does not find the guilty elements of {self}, seed {seed}")
                found[name].append(test.asked)
        return {name: median(numbers) for name, numbers in found.items()}


def summary(results: Sequence[tuple[Cell, dict[str, float]]], tools: Sequence[str]) -> list[tuple[object, ...]]:
    """Over all kinds of problems: how often the fewest tests, and how many for one of the bound's."""
    rows: list[tuple[object, ...]] = []
    for name in tools:
        best = sum(tests[name] == min(tests.values()) for _, tests in results)
        logs = [math.log(tests[name] / cell.bound) for cell, tests in results]
        worst = max(tests[name] / cell.bound for cell, tests in results)
        rows.append((name, best, math.exp(sum(logs) / len(logs)), worst))
    return rows


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--sizes", type=common.numbers, default=[100, 1000, 10000], help="[100,1000,10000]")
    parser.add_argument("--guilty", type=common.numbers, default=[1, 3, 10, 30, 100], help="[1,3,10,30,100]")
    parser.add_argument("--spreads", type=common.words, default=list(SPREADS), help=f"[{','.join(SPREADS)}]")
    parser.add_argument("--tools", type=common.words, default=list(TOOLS), help=f"[{','.join(TOOLS)}]")
    parser.add_argument("--seeds", type=int, default=11, help="lists of each kind [%(default)s]")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="kinds of problems at once [%(default)s]")
    args = parser.parse_args()
    cells = [Cell(*kind) for kind in product(args.sizes, args.guilty, args.spreads) if kind[1] <= kind[0]]
    results = []
    with ProcessPoolExecutor(args.jobs) as pool:
        futures = [(cell, pool.submit(cell.tests, args.tools, args.seeds)) for cell in cells]
        for cell, future in futures:
            results.append((cell, future.result()))
            progress(f"{cell}: {results[-1][1]}")
    heads = ("spread", "elements", "guilty", "bound", *args.tools)
    rows = [(c.spread, c.size, c.count, round(c.bound), *map(_whole, t.values())) for c, t in results]
    tell(table(heads, rows))
    tell()
    tell(table(("tool", "fewest", "tests/bound", "at worst"), summary(results, args.tools)))
    common.save(args.json, [dict(zip(heads, row, strict=True)) for row in rows])


def _whole(number: float) -> float | int:
    return int(number) if number == int(number) else number


if __name__ == "__main__":
    main()
