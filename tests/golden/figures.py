"""The papers' examples: which configurations an algorithm tests, in which order, and with which outcomes.

A figure is a text file in tests/golden/figures: a line for each test, then the result. The tests of figure 1 of 2006
ask a compiler, so its outcomes are taken from the file. To write all files again:

    python -m tests.golden.figures

Some sequences stand in other tests and are not repeated here:

- 1999, tables 1, 2, 3, 5, 6 and 7: tests/search/test_1999.py, and by `wynot changes` tests/cli/test_changes_papers.py.
- 2002, figures 4 and 6, with all 27 steps of figure 6: tests/search/test_2002.py.
- 2006, algorithm 1 on a tree of seven nodes: tests/search/test_hdd.py.
- 2006, figure 4, and SHA1.java of the thesis: stories, `seed-...@ALGORITHM` in tests/golden/stories.

Examples of the papers without a sequence here: those with 10^6 characters or with random input (tests/search/
test_2002.py asserts their bounds), and STRIPE, which runs programs (tests/commands/trace/test_figure_6.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Generic, TypeVar

import wynot
from tests.commands.reduce import test_syntax_trees as paper_2006
from tests.commands.reduce import test_user_grammar as thesis
from tests.golden.story import LETTERS, OUTCOMES, UnknownCandidateError
from tests.search import test_2002 as paper_2002
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome

FIGURES = Path(__file__).with_name("figures")
Item = TypeVar("Item")
Kept = TypeVar("Kept")
ListTest = Callable[[list[Item]], Outcome | bool]


class Noted(Generic[Kept]):
    """A test that writes down what it is asked and what it answers."""

    def __init__(self, test: Callable[[Kept], Outcome | bool], shown: Callable[[Kept], str]) -> None:
        self.test, self.shown = test, shown
        self.lines: list[str] = []

    def __call__(self, kept: Kept) -> Outcome:
        found = self.test(kept)
        outcome = found if isinstance(found, Outcome) else FAIL if found else PASS
        self.lines.append(f"{LETTERS[outcome]} {self.shown(kept)}".rstrip())
        return outcome


def ranges(numbers: Iterable[int]) -> str:
    """Numbers, in order: `1-3 7`."""
    runs = (list(run) for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]))
    pairs = ((run[0][1], run[-1][1]) for run in runs)
    return " ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in pairs)


def minimised(
    search: Callable[[Sequence[int], ListTest[int]], list[int]], items: Sequence[Item], test: ListTest[Item]
) -> list[str]:
    """What a minimiser does with a list; its items by their numbers, from 1."""
    noted = Noted(by_number(items, test), ranges)
    found = search(range(1, len(items) + 1), noted)
    return [*noted.lines, f"= {ranges(found)}"]


def isolated(items: Sequence[Item], test: ListTest[Item]) -> list[str]:
    """What `dd` does with a list."""
    noted = Noted(by_number(items, test), ranges)
    found = wynot.dd(range(1, len(items) + 1), noted)
    return [*noted.lines, f"= {ranges(found.difference)} of {ranges(found.failing)}"]


def by_number(items: Sequence[Item], test: ListTest[Item]) -> ListTest[int]:
    """The same test of items that are given by their numbers."""
    return lambda numbers: test([items[number - 1] for number in numbers])


def reduced(data: bytes, test: Callable[[bytes], Outcome | bool], name: str, options: wynot.Options) -> list[str]:
    """What a reduction does with a text."""
    noted = Noted(test, quoted)
    found = wynot.reduce(data, noted, options, name=name)
    return [*noted.lines, f"= {quoted(found.data)}"]


def quoted(data: bytes) -> str:
    """A text in one line."""
    return json.dumps(data.decode())


def without(left_out: str, items: Sequence[str]) -> list[str]:
    """All items but one."""
    return [item for item in items if item != left_out]


def table_4(kept: list[int]) -> Outcome:
    """1999, table 4: a half is unresolved, the other passes."""
    if kept == [1, 2, 3, 4]:
        return UNRESOLVED
    return FAIL if 3 in kept else PASS


def lists() -> dict[str, Callable[[], list[str]]]:
    """The figures about lists."""
    select, options, actions = list(paper_2002.SELECT), paper_2002.OPTIONS, paper_2002.recording()
    lines = paper_2002.page().splitlines(keepends=True)
    crashes: ListTest[bytes] = lambda kept: paper_2002.crashes_when_printed(b"".join(kept))  # noqa: E731 - one expression
    return {
        "1999-table-4-ddplus": partial(minimised, wynot.ddplus, range(1, 9), table_4),
        "2002-figure-2-select-ddmin": partial(minimised, wynot.ddmin, select, paper_2002.has_select),
        "2002-figure-3-select-dd": partial(isolated, select, paper_2002.has_select),
        "2002-table-1-options-ddmin": partial(minimised, wynot.ddmin, options, paper_2002.prevented),
        "2002-table-1-options-ddmin-again": partial(
            minimised, wynot.ddmin, without("-fforce-addr", options), paper_2002.prevented
        ),
        "2002-table-1-removals-ddmin": partial(minimised, wynot.ddmin, options, paper_2002.crashes_without),
        "2002-table-1-removals-dd": partial(isolated, options, paper_2002.crashes_without),
        "2002-actions-ddmin": partial(minimised, wynot.ddmin, actions, paper_2002.crashes_mozilla),
        "2002-lines-of-html-ddmin": partial(minimised, wynot.ddmin, lines, crashes),
        "2002-overrun-dd": partial(isolated, range(1, 10**5 + 1), paper_2002.overrun),
    }


def texts(answer: Callable[[bytes], Outcome]) -> dict[str, Callable[[], list[str]]]:
    """The figures about texts; `answer` is the compiler of figure 1."""
    grammar = wynot.load_grammar(thesis.DATA / "arithmetic.y")
    found: dict[str, Callable[[], list[str]]] = {}
    for algorithm in ("hdd", "hdd_plus", "hdd_star"):
        chosen = wynot.Options(algorithm=algorithm)
        found[f"2006-figure-1-{algorithm}"] = partial(reduced, paper_2006.FIGURE_1, answer, "figure1.c", chosen)
        chosen = wynot.Options(algorithm=algorithm, grammar=grammar)
        found[f"2007-arithmetic-{algorithm}"] = partial(reduced, thesis.SUM, thesis.Calculator(), "sum.x", chosen)
    return found


def figures(answer: Callable[[bytes], Outcome]) -> Mapping[str, Callable[[], list[str]]]:
    """All figures, by the names of their files."""
    return {**lists(), **texts(answer)}


def recorded(lines: Sequence[str]) -> Callable[[bytes], Outcome]:
    """The compiler's answers, as they stand in a file."""
    known = {line[2:]: OUTCOMES[line[0]] for line in lines if line[0] in OUTCOMES}

    def answer(data: bytes) -> Outcome:
        if quoted(data) not in known:
            raise UnknownCandidateError(f"a text that is not in the figure: {quoted(data)}")
        return known[quoted(data)]

    return answer


def main() -> None:
    """Write all files."""
    FIGURES.mkdir(exist_ok=True)
    for name, told in figures(paper_2006.compiles_and(b"y--")).items():
        (FIGURES / f"{name}.txt").write_text("".join(f"{line}\n" for line in told()))


if __name__ == "__main__":
    main()
