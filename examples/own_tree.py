"""Hierarchical delta debugging on trees of one's own, as in chapter 7 of the thesis: a tree and a test object.

Neither has to know wynot: what counts is that a node has `children`, and that a test object has `test`. A tree that has
`unparse` is tested by what it writes, any other by the list of its nodes that are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import wynot


@dataclass
class Menu:
    label: str
    children: list[Menu] = field(default_factory=list)


MENU = Menu(
    "bar",
    [
        Menu(
            "File", [Menu("Open"), Menu("Recent", [Menu("a.txt"), Menu("b.txt")]), Menu("Print", [Menu("Landscape")])]
        ),
        Menu("Edit", [Menu("Undo"), Menu("Find", [Menu("Next"), Menu("Previous")])]),
    ],
)


def crashes(kept: list[Menu]) -> bool:
    """The test: it takes the nodes that are kept, from the root down, and says whether it fails."""
    return {"Landscape", "Find"} <= {node.label for node in kept}


@dataclass
class Sum:
    """An arithmetic expression that can write itself; what is gone is written as 1, so it is always one."""

    sign: str
    children: list[Sum | Number]

    def unparse(self, present: Callable[[object], bool]) -> str:
        return f"({self.sign.join(child.unparse(present) if present(child) else '1' for child in self.children)})"


@dataclass
class Number:
    value: int
    children: tuple[()] = ()

    def unparse(self, _present: Callable[[object], bool]) -> str:
        return str(self.value)


SUM = Sum(
    "+",
    [
        Sum("/", [Sum("+", [Number(1), Number(6)]), Sum("-", [Number(2), Number(2)])]),
        Sum("*", [Number(3), Number(5)]),
    ],
)


class DividesByZero:
    """The test object: `test` takes the text, and says PASS, FAIL or UNRESOLVED."""

    def test(self, text: str) -> wynot.Outcome:
        try:
            eval(text)
        except ZeroDivisionError:
            return wynot.Outcome.FAIL
        return wynot.Outcome.PASS


if __name__ == "__main__":
    print([node.label for node in wynot.hdd_star(MENU, crashes)])
    kept = set(map(id, wynot.hdd(SUM, DividesByZero())))
    print(SUM.unparse(lambda node: id(node) in kept))
