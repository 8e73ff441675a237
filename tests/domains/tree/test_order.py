"""In which order the nodes of a level are looked at."""

from __future__ import annotations

from wynot.domains.tree.languages import load


def test_kinds_stand_side_by_side_the_heaviest_last() -> None:
    tree = load("c").parse(b"int f(int a) { return a + 1; }\nint g(int b) { return b * 2; }\n")
    level = [node for node in range(len(tree)) if tree.shape.depths[node] == 2]
    kinds = [tree.kinds[node] for node in tree.by_kind(level)]
    assert kinds == [kind for kind in ("primitive_type", "function_declarator", "compound_statement") for _ in "fg"]


def test_the_items_of_a_file_stay_in_order() -> None:
    tree = load("c").parse(b"int a;\nint f(void) { return a; }\nint b;\n")
    level = [node for node in range(len(tree)) if tree.shape.depths[node] == 1]
    assert tree.by_kind(level) == level
