"""The languages that are known, by name; their grammars are used where they are installed."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import cache
from pathlib import PurePath

from wynot.domains.syntax.adapters.tree_sitter_adapter import TreeSitterLanguage
from wynot.domains.syntax.language_table import GRAMMARS, LanguageEntry
from wynot.domains.syntax.syntax_tree import Language
from wynot.domains.text.tokens import C_COMMENT

_BY_NAME = {grammar.name: grammar for grammar in GRAMMARS}
NAMES = tuple(_BY_NAME)

_HEAD = 2000
"""How many bytes of a file are looked at to see how it begins."""
_BODY = 200_000
"""How many to see which of two languages it is."""
_CPP = re.compile(rb"^\s*(?:class\s+\w[^;(]*\{|template\s*<|(?:inline\s+)?namespace\b|using\s)|\w::~?\w", re.MULTILINE)
_XML = re.compile(rb"\s*<[?!]")


class MissingWheelError(LookupError):
    """A language is known, but its grammar is not installed, or not one that can be used."""

    def __init__(self, grammar: LanguageEntry, *, found: bool = False) -> None:
        fault = "does not fit this version of tree-sitter" if found else "is not installed"
        super().__init__(f"the grammar of {grammar.name} {fault}")
        self.wheel = grammar.wheel


@cache
def load(name: str) -> Language:
    """A language by its name; KeyError where there is none, MissingWheelError where it is not installed."""
    grammar = _BY_NAME[name]
    if not grammar.wheel:
        return _own(name)
    try:
        language = TreeSitterLanguage(grammar)
    except ImportError:
        raise MissingWheelError(grammar) from None
    except (AttributeError, ValueError):
        raise MissingWheelError(grammar, found=True) from None
    return _guarded(language)


def load_c89() -> Language:
    """C in which functions need no type; MissingWheelError where the grammar of C is not installed."""
    from wynot.domains.syntax.adapters.tree_sitter_adapter import C89  # noqa: PLC0415 - only the published algorithms ask for it

    language = load("c")
    return C89(language, _load_cpp) if isinstance(language, TreeSitterLanguage) else language


def _load_cpp() -> TreeSitterLanguage | None:
    try:
        language = load("cpp")
    except MissingWheelError:
        return None
    return language if isinstance(language, TreeSitterLanguage) else None


def _own(name: str) -> Language:
    """A language that is read without a grammar; what reads it is loaded for whoever needs it."""
    if name == "sexpr":
        from wynot.domains.syntax.adapters.sexpr import Sexpr  # noqa: PLC0415

        return Sexpr()
    from wynot.domains.syntax.adapters.outline import Outline  # noqa: PLC0415

    return Outline()


def _guarded(language: Language) -> Language:
    """Some grammars cannot bear every text."""
    if language.name not in {"yaml", "xml", "html"}:
        return language
    from wynot.domains.syntax.incremental_parse import (  # noqa: PLC0415
        GuardedLanguage,
        few_blocks,
        few_tags,
    )

    return GuardedLanguage(language, few_blocks if language.name == "yaml" else few_tags)


def guessed(filename: str, data: bytes) -> str | None:
    """The name of the language that a file seems to be written in.

    >>> guessed("bug.c", b""), guessed("script", b"#!/usr/bin/env python3"), guessed("x.unknown", b"")
    ('c', 'python', None)
    >>> guessed("list.h", b"struct list;"), guessed("list.h", b"namespace list {}")
    ('c', 'cpp')
    """
    path = PurePath(filename)
    named = next(_named(path), None)
    if named is None:
        return next(_opened(data), None)
    return _told_apart(named, path.suffix, data)


def _named(path: PurePath) -> Iterator[str]:
    for sign in (path.name, path.suffix, path.suffix.lower()):
        yield from (grammar.name for grammar in GRAMMARS if sign in grammar.names)


def _opened(data: bytes) -> Iterator[str]:
    head = data[:_HEAD].removeprefix(codecs.BOM_UTF8).decode("latin-1")
    return (grammar.name for grammar in GRAMMARS if grammar.opening and re.match(grammar.opening, head))


def _told_apart(named: str, suffix: str, data: bytes) -> str:
    """Some names are shared: a header is C or C++, a translation of Qt is no TypeScript."""
    if suffix == ".h" and _CPP.search(C_COMMENT.sub(b"", data[:_BODY])):
        return "cpp"
    if suffix == ".ts" and _XML.match(data.removeprefix(codecs.BOM_UTF8)):
        return "xml"
    return named
