"""Parse texts within limits of time and depth, incrementally where that saves time."""

from __future__ import annotations

import os
import re
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate
from typing import NamedTuple

import tree_sitter

from wynot.domains.syntax.adapters.outline import Outline
from wynot.domains.syntax.edits.edit_candidates import ProbedLanguage
from wynot.domains.syntax.incremental_validity import differing
from wynot.domains.syntax.syntax_tree import EditedRange, Language, SyntaxTree, ValidityChecker

# Limits on parsing: signals interrupt it, its work is bounded, and deep nesting falls back to an outline.


# Parse with tree-sitter so that signals interrupt it and its work has a limit.
#
# tree-sitter holds the interpreter's lock while it parses, and no signal handler runs. On some texts that takes hours:
# a scanner that meets 20,000 unclosed comments reads the whole rest of the text at each of them. But tree-sitter can
# read its text in pieces, through a callback. Python runs signal handlers there, and an exception ends the parse. The
# number of pieces that are read measures the work: it depends on the text only, not on the speed of the machine.
#
# On others, such as 20,000 unclosed type arguments in Java, tree-sitter takes long for one step at the end of the text,
# reads nothing meanwhile, and cannot be ended. A large text is therefore parsed in a forked process first: that one can
# be killed.


PIECE = 512
"""Bytes that the parser gets at a time."""
MAX_READS_PER_PIECE = 100
"""How often a parse may read each piece of a text, on average. Texts with and without errors stay below a quarter of it
in all languages (tests/domains/syntax/test_bounded_parse.py)."""
MAX_UNLIMITED = 1024
"""Texts up to this size, in bytes, are parsed at once: the worst one known takes half a second."""
MAX_UNTRIED = 4096
"""Texts up to this size, in bytes, are not tried in a process: the worst one known takes half a second."""
MAX_STEP = 1.0
"""Seconds of processor time between two reads, about a thousand times what usual texts take."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)
"""Signals whose handlers end a run by an exception."""


class ParseLimitError(Exception):
    """The parser would read the text too often, or take too long for a step."""


class _Source:
    """A text that counts how often it is read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._left = MAX_READS_PER_PIECE * (len(data) // PIECE + 1)

    def read(self, offset: int, _point: object) -> bytes:
        """The piece that begins at an offset; none at the end of the text."""
        self._left -= 1
        if self._left < 0:
            raise ParseLimitError
        return self._data[offset : offset + PIECE]


def parse(parser: tree_sitter.Parser, data: bytes, old: tree_sitter.Tree | None = None) -> tree_sitter.Tree:
    """The syntax tree of a text, parsed anew only where it differs from `old`, which was edited to fit.

    Raises ParseLimitError where that takes too much work, and whatever a signal handler raises.
    """
    known = () if old is None else (old,)
    if len(data) <= MAX_UNLIMITED:
        return parser.parse(data, *known)
    if old is None and len(data) > MAX_UNTRIED:
        _try(parser, data)
    try:
        return parser.parse(_Source(data).read, *known)
    except SystemError as error:  # tree-sitter wraps what the callback raises, once for each piece asked for after it
        raise _cause(error) from None


def _try(parser: tree_sitter.Parser, data: bytes) -> None:
    """Parse a text in a process of its own; ParseLimitError if that takes too long."""
    ours = os.getpid()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        with _handlers_held(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the child takes no lock
            pid = os.fork()
    except OSError:  # no process is to be had: do without
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return
    if not pid:
        try:
            _parse_and_exit(parser, data, ours)
        finally:
            os._exit(1)
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        status = os.waitpid(pid, 0)[1]
    except ChildProcessError:  # somebody else has waited for it
        return
    except BaseException:  # what a signal handler raises
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        raise
    if status:
        raise ParseLimitError


@contextmanager
def _handlers_held() -> Iterator[None]:
    """Keep signal handlers from raising: Python drops what they raise in its fork hooks, and leaves locks held.

    A mask is not enough, as another thread may take the signal. What came is raised again at the end.
    """
    if threading.current_thread() is not threading.main_thread():  # handlers run in that one only
        yield
        return
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in ENDING}
    ours = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in ours:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in ours.items():
            signal.signal(number, handler)
        for missed in came:
            signal.raise_signal(missed)


def _parse_and_exit(parser: tree_sitter.Parser, data: bytes, parent: int) -> None:
    """In the new process: a step that takes too long ends it."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ENDING stays blocked: the parent decides
    source = _Source(data)

    def read(offset: int, point: object) -> bytes:
        signal.setitimer(signal.ITIMER_PROF, MAX_STEP)
        if os.getppid() != parent:
            os._exit(1)
        try:
            return source.read(offset, point)
        except ParseLimitError:
            os._exit(1)

    parser.parse(read)
    os._exit(0)


def _cause(error: BaseException) -> BaseException:
    """The exception that began a chain."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


# Languages whose parser cannot bear deep nesting: texts that are nested too deeply are read as outlines.


Bearable = Callable[[bytes], bool]


class GuardedLanguage(ProbedLanguage):
    """Reads files with a grammar where that is safe."""

    def __init__(self, language: Language, bearable: Bearable) -> None:
        self.name, self._language, self._bearable = language.name, language, bearable

    def parse(self, data: bytes, deepest: int | None = None) -> SyntaxTree:
        """The tree of a file."""
        return self._for(data).parse(data, deepest)

    def checker(self, data: bytes) -> ValidityChecker:
        """Says which texts are as valid as this one; one that cannot be read is not."""
        language = self._for(data)
        checker = language.checker(data)
        return GuardedChecker(checker, self._bearable) if language is self._language else checker

    def _for(self, data: bytes) -> Language:
        return self._language if self._bearable(data) else Outline()


class GuardedChecker:
    """Asks another one, where that is safe."""

    def __init__(self, checker: ValidityChecker, bearable: Bearable) -> None:
        self._checker, self._bearable = checker, bearable

    def __call__(self, candidate: bytes, places: Sequence[EditedRange] = ()) -> bool:
        """Whether a text can be read and is valid."""
        return self._bearable(candidate) and self._checker(candidate, places)

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes from `start` to `end`."""
        return self._checker.kinds(candidate, start, end) if self._bearable(candidate) else frozenset()

    @property
    def broken(self) -> float:
        """The share of the text that is in errors."""
        return self._checker.broken

    @property
    def clean(self) -> bool:
        """Whether there are no errors."""
        return self._checker.clean


BLOCKS = 250
TAGS = 500

_LINE = re.compile(rb"([ \t]*)([^\r\n]+)")
_SIGN = re.compile(rb"(?<!\S)[-?:](?!\S)")
_FEW = 40
_FOUR_SIGNS = re.compile(rb"(?:[-?:][ \t](?<!\S..)[^\r\n]*?){4}")

_OPTIONAL = rb"(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|t[dhr]|option|tbody)\b"
_TAG = re.compile(rb"(?i)<[a-z_:][^<>]*/>|<(?!%s)[a-z_:]|</(?!%s)" % (_OPTIONAL, _OPTIONAL))


def few_blocks(data: bytes) -> bool:
    r"""Whether few blocks of YAML are open at once. Errs on the safe side.

    >>> few_blocks(b"a:\n  - - b\n  - c\n"), few_blocks(b"- " * 250)
    (True, False)
    """
    if not (b" " * _FEW in data or b"\t" in data or _FOUR_SIGNS.search(data)):
        return True  # at most 40 lines own each other, each opens two blocks and one more for each of up to four signs
    open_ = [(-1, 0)]  # indentations, and how many blocks are open at most
    for line in _LINE.finditer(data):
        indent = len(line[1])
        while open_[-1][0] >= indent:
            open_.pop()
        open_.append((indent, open_[-1][1] + 2 + len(_SIGN.findall(line[2]))))
        if open_[-1][1] > BLOCKS:
            return False
    return True


def few_tags(data: bytes) -> bool:
    """Whether few elements of XML or HTML are open at once, as far as a glance can say.

    >>> few_tags(b"<a><b/><c><br></c></a>"), few_tags(b"<a>" * 501)
    (True, False)
    """
    steps = (0 if tag.endswith(b">") else -1 if tag == b"</" else 1 for tag in _TAG.findall(data))
    return max(accumulate(steps), default=0) <= TAGS


SMALL = 4096
"""Texts up to this size are parsed anew: it takes no longer than looking for what has changed."""


class ParsedVersion(NamedTuple):
    """A text and its syntax tree."""

    data: bytes
    tree: tree_sitter.Tree


def regrown(parser: tree_sitter.Parser, known: ParsedVersion, data: bytes) -> tree_sitter.Tree | None:
    """The tree of a text from that of another one; None where that would take as long as to read it anew.

    Only where neither has errors: what tree-sitter makes of one with errors can depend on where it comes from.
    """
    if len(data) <= SMALL or len(data) * 2 < len(known.data) or known.tree.root_node.has_error:
        return None
    place = differing(known.data, data)
    if (place[2] - place[0]) * 2 > len(data):
        return None
    tree = reparsed(parser, known, data, place)
    return None if tree.root_node.has_error else tree


def reparsed(
    parser: tree_sitter.Parser, known: ParsedVersion, data: bytes, place: tuple[int, int, int]
) -> tree_sitter.Tree:
    """Read a text that differs from a known one at one place."""
    start, old_end, new_end = place
    tree = known.tree.copy()
    point = _point(data, start)  # the same in both
    ends = _beyond(point, known.data[start:old_end]), _beyond(point, data[start:new_end])
    tree.edit(start, old_end, new_end, point, *ends)
    return parse(parser, data, tree)


def edited(
    parser: tree_sitter.Parser, known: ParsedVersion, data: bytes, places: Sequence[EditedRange]
) -> tree_sitter.Tree:
    """Read a text that differs from a known one at some places, in order."""
    tree = known.tree.copy()
    at, grown, point = 0, 0, (0, 0)
    for start, end, now in places:
        begin = start + grown
        point = _beyond(point, data[at:begin])
        after = _beyond(point, data[begin:now])
        tree.edit(begin, end + grown, now, point, _beyond(point, known.data[start:end]), after)
        at, grown, point = now, now - end, after
    return parse(parser, data, tree)


def _beyond(point: tuple[int, int], text: bytes) -> tuple[int, int]:
    """The row and column after a text that begins at a point."""
    rows = text.count(b"\n")
    return point[0] + rows, len(text) - text.rfind(b"\n") - 1 if rows else point[1] + len(text)


def _point(data: bytes, at: int) -> tuple[int, int]:
    """A position as row and column."""
    return data.count(b"\n", 0, at), at - data.rfind(b"\n", 0, at) - 1
