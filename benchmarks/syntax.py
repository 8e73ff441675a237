"""Syntax errors of a text, as tree-sitter sees them: independent of how wynot judges."""

from __future__ import annotations

import importlib
import warnings

from tree_sitter import Language, Parser

# The wheel and its function, where they are not called after the language.
_NAMES = {
    "c++": ("cpp", "language"),
    "c#": ("c_sharp", "language"),
    "shell": ("bash", "language"),
    "smt-lib": ("commonlisp", "language"),
    "lisp": ("commonlisp", "language"),
    "svg": ("xml", "language_xml"),
    "xml": ("xml", "language_xml"),
    "php": ("php", "language_php"),
    "ocaml": ("ocaml", "language_ocaml"),
    "typescript": ("typescript", "language_typescript"),
    "tsx": ("typescript", "language_tsx"),
}


def key(language: str) -> str:
    """A case's language in one word; of random text it has none."""
    words = language.lower().split()
    return "" if not words or "(random" in words else words[0]


_UNCLOSED = {"start_tag", "self_closing_tag", "element", "text", "entity", "comment", "doctype"}
"""In HTML a start tag needs no end tag: a row of these is no error, whatever the grammar says."""


def errors(data: bytes, language: str) -> int | None:
    """How many places are wrong or missing; None where no parser is installed."""
    wheel, function = _NAMES.get(key(language), (key(language), "language"))
    try:
        module = importlib.import_module(f"tree_sitter_{wheel}")
    except ImportError:
        return None
    with warnings.catch_warnings(action="ignore"):  # older wheels give their grammar as a number
        parser = Parser(Language(getattr(module, function)()))
    found, left = 0, [parser.parse(data).root_node]
    while left:
        node = left.pop()
        if key(language) != "html":
            found += node.is_error or node.is_missing
        elif node.is_error:
            found += not node.children or any(child.type not in _UNCLOSED for child in node.children)
        else:
            found += node.is_missing and node.type != "_implicit_end_tag"
        left += [child for child in node.children if child.has_error]
    return found


def valid(data: bytes, original: bytes, language: str) -> bool | None:
    """Whether there is no new error; None where nobody can say."""
    found, before = errors(data, language), errors(original, language)
    return None if found is None or before is None else found <= before
