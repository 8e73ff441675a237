"""What functions do, in languages in which what they are called and take says enough to whoever calls them.

Most of what holds a typed program together is inside of functions: what they call, and what that gives back. With
nothing in them but the least that a compiler takes for a body, most of the program needs nothing of the rest; only
those functions that the failure is in have to be as they were. (rustc has it as a pass of its own, "everybody loops".)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.text.tokens import count, more_than

HOLLOW = {
    "c": b"{}", "cpp": b"{}", "go": b"{panic(0)}", "rust": b"{loop{}}",
    "java": b"{throw null;}", "c-sharp": b"{throw null;}", "typescript": b"{throw 0}", "tsx": b"{throw 0}",
    "kotlin": b"{TODO()}", "scala": b"???", "swift": b"{fatalError()}",
    "haskell": b"= undefined", "ocaml": b"assert false",
}  # fmt: skip
"""The least that a function may do, whatever it is to give back."""
_LET = "let_binding"
_FUNCTION = re.compile(r"(function|method|constructor|destructor)(_(definition|declaration|item))?|" + _LET)
_BODY = re.compile(r"\w*body|\w*block|compound_statement|match")
_TAKES = frozenset({"parameter", "type"})
"""What grammars call what a function takes, or the role of a type: with either OCaml knows what `assert false` is."""
_FIRST = re.compile(rb"(super|this)\s*\(")
"""What a constructor has to begin with, if it does: another one is called."""
_BOUND = re.compile(rb"\b(constexpr|consteval|auto|const\s+fn)\b|->\s*impl\b")
"""Heads of functions that are nothing without what they do: it is worked out at compile time, or is their type."""
TRIES = 3
"""How many bodies of a kind are looked at, until one of them may be hollow."""


def bodies(places: EditCandidates, language: str) -> dict[int, bytes]:
    """The bodies of functions that are not within others, each with the least that may stand there."""
    hollow = HOLLOW.get(language)
    if hollow is None:
        return {}
    tree = places.tree
    proper: set[tuple[str, str]] = set()
    tried: Counter[tuple[str, str]] = Counter()
    found: dict[int, bytes] = {}
    for node in _bodies(places):
        text = _text(places, node, hollow)
        if text is None:
            continue
        start, end = tree.starts[node], tree.ends[node]
        if len(text) >= end - start or not more_than(count(text), tree.data, start, end):
            continue
        kinds = tree.kinds[tree.shape.parents[node]], tree.kinds[node]
        if kinds not in proper and tried[kinds] < TRIES:
            tried[kinds] += 1
            if places.proper(node, start, end, text):
                proper.add(kinds)
        if kinds in proper:
            found[node] = text
    return found


def _bodies(places: EditCandidates) -> Iterator[int]:
    tree, shape = places.tree, places.tree.shape
    upto = 0
    for node in range(1, len(tree)):
        if node < upto or not (tree.fields[node] == "body" or _BODY.fullmatch(tree.kinds[node])):
            continue
        parent = shape.parents[node]
        if _FUNCTION.fullmatch(tree.kinds[parent]) and places.may_go(node):
            upto = shape.lasts[node]
            if not _BOUND.search(tree.data, tree.starts[parent], tree.starts[node]):
                yield node


def _text(places: EditCandidates, node: int, hollow: bytes) -> bytes | None:
    """The least that may stand in one place; None where there is none."""
    tree = places.tree
    if tree.kinds[tree.shape.parents[node]] == _LET:
        beside = tree.shape.children(tree.shape.parents[node])
        takes = any(tree.kinds[each] in _TAKES or tree.fields[each] in _TAKES for each in beside)
        function = b"fun _ -> " + hollow if tree.kinds[node].startswith("fun") else None
        return hollow if takes else function
    if hollow.startswith(b"=") and not tree.data.startswith(b"=", tree.starts[node]):
        return None
    if tree.data.startswith(b"=", tree.starts[node]) and hollow.startswith(b"{"):  # Kotlin's other way to say it
        return b"= " + hollow.strip(b"{}")
    first = next((child for child in tree.shape.children(node) if "comment" not in tree.kinds[child]), None)
    if first is None or not _FIRST.match(tree.data, tree.starts[first]):
        return hollow
    return hollow.replace(b"{", b"{" + tree.text(first), 1)
