"""Hierarchical delta debugging on a tree of one's own: a menu that makes a (pretended) program crash."""

from __future__ import annotations

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


if __name__ == "__main__":
    print([node.label for node in wynot.hdd_star(MENU, crashes)])
