"""Normalise messages so that only what identifies the failure is compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

from wynot.oracles.protocol import ProcessExit

# What two runs of the same failure may say differently is taken out of their words.
#
# Messages are compared after `normalise`; the functions on a stack are only cleaned up (`clean_frame`), never
# normalised: two different functions stay different, or a search would slip from one failure to another.


_PIECE = re.compile(
    r"""
      (?P<done> <(?:addr|num|path|text|name)> )
    | (?P<text> "(?:\\.|[^"\\\n])*"
              | (?<!\w)'(?:\\.|[^'\\\n]|(?<=\w)'(?=\w))*'(?!\w)
              | `[^`'\n]*[`']
              | \u2018[^\u2019\n]*\u2019 )
    | (?P<addr> (?<!\w)(?: 0[xX][0-9a-fA-F]+ | (?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,} )(?!\w) )
    | (?P<path> (?<![\w.>])(?:[A-Za-z]:)?(?:~|\.{1,2})?(?:[/\\]+[\w.+@%~-]+)+[/\\]*  # absolute, or from ., .. or ~
              | (?<![\w/.])(?:[\w.+@~-]+/)+[\w+@~-]*\.\w+                              # relative, with a suffix
              | (?<![\w.])[\w+@-]+(?:\.[\w+-]+)*\.[A-Za-z]\w{0,4}(?=:\d)               # a file before its line number
              | (?<!\w)(?:tmp[a-z0-9_]{8}|cc[A-Za-z0-9]{6}(?=\.))(?:\.\w+)?(?!\w) ) # mkstemp's and gcc's names
    | (?P<num>  (?<!\w)\d+(?:[.,]\d+)* )
    | (?P<name> [^\W\d]\w* )
    """,
    re.VERBOSE,
)


def normalise(text: str, vocabulary: frozenset[str] = frozenset()) -> str:
    """Addresses, numbers, paths, quoted text and the input's own words become placeholders.

    Repeated until nothing changes, hence idempotent. It ends: every change uses up characters that stand outside
    of placeholders, and none puts such characters in.

    >>> normalise("bug.c:7: 'x' is at 0x7f21, not in /tmp/a.o")
    '<path>:<num>: <text> is at <addr>, not in <path>'
    >>> normalise("cannot lower walk in loop 3", frozenset({"walk"}))
    'cannot lower <name> in loop <num>'
    """

    def placeholder(match: re.Match[str]) -> str:
        kind = match.lastgroup
        if kind == "done" or (kind == "name" and match[0] not in vocabulary):
            return match[0]
        return f"<{kind}>"

    while (changed := _PIECE.sub(placeholder, text)) != text:
        text = changed
    return text


def masked(text: str, vocabulary: frozenset[str] = frozenset()) -> list[str]:
    """The pieces of a text that `normalise` replaces.

    >>> masked("bug.c:7: 'x y' is not in loop", frozenset({"loop"}))
    ['bug.c', '7', "'x y'", 'loop']
    """
    found = (match for match in _PIECE.finditer(text) if match.lastgroup != "done")
    return [match[0] for match in found if match.lastgroup != "name" or match[0] in vocabulary]


def quoted(text: str) -> list[str]:
    """What stands in quotes.

    >>> quoted("could not convert 'n/a' to `int`, don't")
    ['n/a', 'int']
    """
    return [match[0][1:-1] for match in _PIECE.finditer(text) if match.lastgroup == "text"]


_BY_RUN = re.compile(
    r"""
      (?P<addr> (?<!\w)0[xX][0-9a-fA-F]{6,}(?!\w) )
    | (?P<path> (?<!\w)/(?:tmp|var/tmp|var/folders|dev/shm)(?:/[\w.+@%~=-]+)+
              | (?<!\w)(?:tmp[a-z0-9_]{8}|cc[A-Za-z0-9]{6}(?=\.))(?:\.\w+)?(?!\w) )
    | (?P<time> ^\W?(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?  # of a log line
              | (?:(?<=\bin\ )|(?<=\btook\ )|(?<=\bafter\ )|(?<=\belapsed\ )|(?<=\btime:\ ))
                \d+(?:\.\d+)?\ ?(?:[mun\u00b5]?s|secs?|seconds?|minutes?)\b )
    | (?P<pid>  (?<=\bpid\ )\d+ | (?<=\bpid=)\d+ | (?<=\bpid:\ )\d+ | (?<=\bprocess\ )\d+ | (?<===)\d+(?===) )
    | (?P<line> (?<=\w):\d+(?::\d+)?(?!\w) | (?<=",\ line\ )\d+ )                     # of a file
    """,
    re.VERBOSE | re.MULTILINE,
)
_FILE = re.compile(r"(?<![\w./@+~-])/?[\w.@+~-]+(?:/[\w.@+~-]+)*\.[A-Za-z]\w{0,4}$")  # no host of an address

_BLANKS = re.compile(r"""(?P<text>"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*'(?!\w))|[ \t]{2,}""")


def steady(text: str) -> str:
    """Only what another run on the same input may print differently becomes a placeholder; all values stay.

    That is addresses, temporary paths, durations, the time at the head of a log line, process ids, and lines of files,
    as those of a program's source change with the program. Blanks outside of quotes are layout.

    >>> steady("app.py:7: '' != 'n/a' at 0x7f21a0b0, see /tmp/x/log, in 0.12s")
    "app.py:<line>: '' != 'n/a' at <addr>, see <path>, in <time>"
    >>> steady("at 12:30: expected 0x1f, got 3")
    'at 12:30: expected 0x1f, got 3'
    """

    def placeholder(match: re.Match[str]) -> str:
        if match.lastgroup != "line":
            return f"<{match.lastgroup}>"
        if match[0][0] != ":":
            return "<line>"
        return ":<line>" if _FILE.search(text, max(0, match.start() - 80), match.start()) else match[0]

    return _BLANKS.sub(lambda match: match["text"] or " ", _BY_RUN.sub(placeholder, text))


_VERBATIM = re.compile(
    r"\boperator(?: ?(?:\(\)|\[\]|->\*?|<=>|<<=?|>>=?|&&|\|\||\+\+|--|[-+*/%^&|~!=<>,]=?)(?: (?=<))?| [^(]+)"
    r"|\((?:anonymous namespace|\*[^()]*)\)"  # C++'s unnamed namespace; the receiver of a Go method
)
_QUALIFIER = re.compile(r"(?: const| volatile| noexcept| &&?| \[with .*\])+$")
_LONG = 40


def clean_frame(function: str) -> str:
    """The function's own name: no arguments, no return type, long template arguments cut but told apart by a digest.

    >>> clean_frame("std::vector<int, std::allocator<int> >::size() const")
    'std::vector<int, std::allocator<int>>::size'
    >>> clean_frame("void (anonymous namespace)::walk<1>(char const*)::{lambda(int)#2}::operator()(int) const")
    '(anonymous namespace)::walk<1>::{lambda(int)#2}::operator()'
    """
    tight = re.sub(r"(?<=>) (?=>)", "", function.strip())
    named = "".join(piece for piece in _pieces(tight) if piece[0] != "(" or _VERBATIM.fullmatch(piece))
    pieces = list(_pieces(_QUALIFIER.sub("", named).strip()))
    own = max((at + 1 for at, piece in enumerate(pieces) if piece == " "), default=0)
    return "".join(_short(piece) if at > own else piece for at, piece in enumerate(pieces) if at >= own) or tight


def _pieces(text: str) -> Iterator[str]:
    """Brackets whole, the names of operators whole, all else character by character."""
    at = 0
    while at < len(text):
        verbatim = _VERBATIM.match(text, at)
        end = verbatim.end() if verbatim else _closing(text, at)
        yield text[at:end]
        at = end


def _closing(text: str, at: int) -> int:
    """The end of the bracket that opens here, or of the one character."""
    depth = 0
    for here in range(at, len(text)):
        if text[here] in "(<[{":
            depth += 1
        elif text[here] in ")>]}" and text[here - 1 : here + 1] != "->":
            depth -= 1
        if depth <= 0:
            return here + 1
    return len(text)


def _short(piece: str) -> str:
    if piece[0] != "<" or len(piece) <= _LONG:
        return piece
    return f"{piece[: _LONG // 2]}~{sha256(piece.encode()).hexdigest()[:8]}>"


# What a passing run prints: a failing run that prints it, too, does not say by it what has failed.


MAX_LINES = 20_000
"""Lines of a passing run that are remembered."""
Known = tuple[str, str, str]
"""Reader, kind and message of a failure that a passing run prints, and survives."""


@dataclass(frozen=True, slots=True)
class PassingOutput:
    """The lines of a passing run; and the failure that a reader would see in them."""

    lines: frozenset[str]
    failure: Known | None = None

    @classmethod
    def of(cls, ended: ProcessExit, folder: str) -> Self:
        """What this run printed."""
        from wynot.oracles.readers import loaded_readers  # noqa: PLC0415 - where there is something to read

        text = "\n".join(each.decode("utf-8", "replace") for each in (ended.stderr, ended.stdout))
        text = text.replace(f"{folder}/", "")
        lines = {steady(line.strip()) for line in text.splitlines()[:MAX_LINES]}
        found = loaded_readers.diagnose(text)
        known = None if found is None else (found.reader, found.kind, steady(found.message))
        return cls(frozenset(lines - {""}), known)

    def without(self, text: str) -> str:
        """The lines of a text that the passing run does not print."""
        return "\n".join(line for line in text.splitlines() if not self._has(line.strip()))

    def _has(self, line: str) -> bool:
        return line in self.lines or steady(line) in self.lines

    def as_json(self) -> dict[str, Any]:
        """For the journal."""
        return {"lines": sorted(self.lines), "failure": self.failure}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """From the journal."""
        failure = data["failure"]
        return cls(frozenset(data["lines"]), None if failure is None else (failure[0], failure[1], failure[2]))
