"""Passes that only simplify: names, literals, layout, and the transformations of `clang_delta`."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from wynot.commands.reduce.parsed_text import ParseCache, ParsedText
from wynot.commands.reduce.passes.basic_passes import AtomPass, NumberedTexts, Pass, PreparedPass, checked
from wynot.core.artifact import digest, simplicity
from wynot.core.config import Config
from wynot.domains.cleanup.literals import comments, contents, literals, piece_ends, spaces
from wynot.domains.cleanup.rename import names
from wynot.domains.cleanup.rewrite_domain import Rewrite, Rewrites, covering
from wynot.domains.text.atom_domain import Region, flat
from wynot.domains.text.atoms import CHARS
from wynot.domains.text.protected import MarkError, free_regions
from wynot.engine.budget import TestCounts
from wynot.errors import UsageError
from wynot.search.combinators import try_empty_first
from wynot.search.lists.bisection import greedy_descent
from wynot.search.lists.sweep import sweep
from wynot.search.trees.hdd import TreeLevels, hdd

BY_TREE = ("comments", "literals", "rename", "whitespace")
CLEANUPS = ("clang-delta", *BY_TREE, "chars")
"""Clean-ups by the names users give them, in the order in which they are done."""

_BY_INDENTATION = frozenset({"python", "yaml", "haskell", "markdown"})
"""Languages where indentation says what belongs to what; their grammars do not always notice when it is lost."""

Finder = Callable[[ParsedText, Config], Sequence[Rewrite]]
"""Says what in a text could be simpler, within the positions that may change."""


@dataclass(frozen=True, slots=True)
class RewritePass:
    """Simpler texts for things of one kind."""

    name: str
    forest: ParseCache
    find: Finder
    strict: bool
    """Only valid texts are tested."""

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Look for what could be simpler."""
        grown = self.forest.grown(data, free)
        domain = Rewrites(data, self.find(grown, _positions(data, free)))
        levels = TreeLevels(domain.shape, bool, partial(try_empty_first, sweep))
        search = partial(hdd, levels, Config.full(len(domain)))
        asking = checked(search, domain, grown, counts, strict=self.strict)
        return PreparedPass(domain, len(domain), asking)


@dataclass(frozen=True, slots=True)
class StringPass:
    """Characters of strings."""

    name: str
    forest: ParseCache
    strict: bool
    """Only valid texts are tested."""

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Look into the strings."""
        grown = self.forest.grown(data, free)
        domain = flat(data, piece_ends, contents(grown.tree, _positions(data, free)))
        search = partial(try_empty_first, sweep, Config.full(len(domain)))
        asking = checked(search, domain, grown, counts, strict=self.strict)
        return PreparedPass(domain, len(domain), asking)


def _positions(data: bytes, free: Sequence[Region] | None) -> Config:
    return Config.full(len(data)) if free is None else covering(free)


def plainer(asked: Container[str], forest: ParseCache, *, strict: bool) -> tuple[Pass, ...]:
    """The passes that make what is left plainer, one kind of thing after the other."""
    flush = forest.language.name not in _BY_INDENTATION
    finders: dict[str, Finder] = {
        "comments": lambda grown, free: comments(grown.tree, free),
        "literals": lambda grown, free: literals(grown.tree, free),
        "rename": lambda grown, free: names(grown.tree, grown.checker, free),
        "whitespace": lambda grown, free: spaces(grown.tree, free, flush=flush),
    }
    passes: list[Pass] = [RewritePass(name, forest, find, strict) for name, find in finders.items() if name in asked]
    return (*passes, StringPass("strings", forest, strict)) if "literals" in asked else tuple(passes)


def characters(forest: ParseCache | None) -> Pass:
    """Characters, the finest atoms; with a forest, only valid texts."""
    return AtomPass(CHARS, sweep, forest)


# C and C++ through `clang_delta`, the source transformations of creduce and cvise, where one of them is installed.


PROGRAM = "clang_delta"
_FOLDERS = ("lib/cvise", "libexec/cvise", "lib/*/cvise", "lib*/cvise", "libexec", "lib/creduce", "lib/*/creduce")
"""Where Debian and others put it, below /usr or /usr/local: it is seldom on the path."""
_SUFFIXES = {"c": ".c", "cpp": ".cpp"}
_UNWANTED = ("rename-", "expression-detector")
"""Names are made short another way; the latter needs to be told values."""
_PATIENCE = 60.0

Instance = tuple[bytes, str, int]
"""A text (its digest), a transformation, and the place where it is done."""


def find_program(roots: tuple[str, ...] = ("/usr", "/usr/local")) -> str | None:
    """Where the program is."""
    on_path = shutil.which(PROGRAM)
    places = (
        place for root in roots for folder in _FOLDERS for place in sorted(Path(root).glob(f"{folder}/{PROGRAM}"))
    )
    return on_path or next((str(place) for place in places if shutil.which(place)), None)


def clang_delta(forest: ParseCache | None, *, strict: bool) -> ClangDeltaPass:
    """The pass, or what is missing for it."""
    language = forest.language.name if forest is not None else "a language that is not known"
    if forest is None or language not in _SUFFIXES:
        raise UsageError(
            f"clang_delta reads C and C++, and this is {language}",
            "say so if it is C: --language c; else leave --clang-delta out",
        )
    program = find_program()
    if program is None:
        raise UsageError("clang_delta is not installed", "install it: apt install cvise")
    return ClangDeltaPass(forest, strict, program)


@dataclass(frozen=True, slots=True)
class ClangDeltaPass:
    """One transformation after the other, at one place after the other."""

    forest: ParseCache
    strict: bool
    program: str
    name: str = "clang_delta"
    barren: set[Instance] = field(default_factory=set, compare=False)
    """What has come to nothing; often the same text comes again."""

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Number the texts, from this one on."""
        grown = self.forest.grown(data, free)
        made = _Made(self, data, free)
        search = checked(partial(greedy_descent, made.below), made.texts, grown, counts, strict=self.strict)
        return PreparedPass(made.texts, 1, search)

    def made(self, data: bytes, transformation: str, instance: int) -> bytes | None:
        """What the program makes of a text; None where it cannot."""
        key = digest(data), transformation, instance
        if key in self.barren:
            return None
        text = _run(self.program, data, _SUFFIXES[self.forest.language.name], transformation, instance)
        if text is None:
            self.barren.add(key)
        return text


class _Made:
    """The texts that the program makes out of one, and out of those.

    What is below a text depends on the way that led to it, never on when it was asked for: a driver may look ahead.
    """

    def __init__(self, using: ClangDeltaPass, data: bytes, free: list[Region] | None) -> None:
        self.texts = NumberedTexts(data)
        self._using = using
        self._pinned = _pinned(data, free)
        self._made: dict[tuple[int, str, int], int | None] = {}
        self._origins = {0: ("", 1)}

    def below(self, number: int) -> Iterator[int]:
        """All simpler texts, beginning with the transformation and the place that led here."""
        transformations = _transformations(self._using.program)
        name, place = self._origins[number]
        at = transformations.index(name) if name else 0
        for each in (*transformations[at:], *transformations[:at]):
            yield from self._instances(number, each, place if each == name else 1)
        if place > 1:
            yield from self._instances(number, name, 1, place)

    def _instances(self, number: int, transformation: str, start: int, stop: int | None = None) -> Iterator[int]:
        instance = start
        while instance != stop:
            key = number, transformation, instance
            if key not in self._made:
                self._made[key] = self._make(*key)
            made = self._made[key]
            if made is None:
                return
            if simplicity(self.texts[made]) < simplicity(self.texts[number]):
                yield made
            instance += 1

    def _make(self, number: int, transformation: str, instance: int) -> int | None:
        """One text; None where there are no more. One that would touch what is protected counts as no change."""
        text = self._using.made(self.texts[number], transformation, instance)
        if text is None:
            return None
        if self._pinned is not None and self._pinned != _pinned(text, _free(text)):
            return number
        made = self.texts.add(text)
        self._origins[made] = transformation, instance
        return made


@cache
def _transformations(program: str) -> tuple[str, ...]:
    listed = subprocess.run((program, "--transformations"), capture_output=True, timeout=_PATIENCE, check=False)
    return tuple(name for name in listed.stdout.decode().split() if not name.startswith(_UNWANTED))


def _run(program: str, data: bytes, suffix: str, transformation: str, instance: int) -> bytes | None:
    with tempfile.TemporaryDirectory(prefix="wynot-") as folder:
        path = Path(folder, f"input{suffix}")
        path.write_bytes(data)
        command = (program, f"--transformation={transformation}", f"--counter={instance}", str(path))
        try:
            done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False, cwd=folder)
        except subprocess.TimeoutExpired:
            return None
    return done.stdout if done.returncode == 0 else None


def _free(text: bytes) -> list[Region]:
    try:
        return free_regions(text) or []
    except MarkError:
        return []


def _pinned(data: bytes, free: list[Region] | None) -> list[bytes] | None:
    """What is protected, piece by piece."""
    if free is None:
        return None
    bounds = [0, *(at for region in free for at in region), len(data)]
    return [data[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
