"""Text that a search must keep: protected regions, and a suffix behind a prefix."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.domains.text.atom_domain import Region
from wynot.domains.text.atoms import wide_encoding_of

# A text behind another one: the deltas of the first, and one more, which is all of the other.


class Rendering(Protocol):
    """Makes a text of a configuration."""

    def render(self, config: Config) -> bytes:
        """The text with these deltas."""
        ...


class PrefixedDomain:
    """The deltas of a text have the numbers they have by themselves, what stands before it the next one."""

    def __init__(self, head: bytes, text: Rendering, deltas: int) -> None:
        self._head, self._text, self._deltas = head, text, Config.full(deltas)

    def render(self, config: Config) -> bytes:
        """What is left of both."""
        own = config & self._deltas
        return self._text.render(own) if own == config else self._head + self._text.render(own)

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)


class MarkError(ValueError):
    """A mark without its counterpart."""


def free_regions(data: bytes) -> list[Region] | None:
    r"""Where deltas may be: between the marks; None where there are none.

    >>> free_regions(b"keep\n// DDBEGIN\nx\n// DDEND\nkeep\n")
    [(16, 18)]
    """
    regions: list[Region] = []
    opened: int | None = None
    for begins, line, after in _marks(data):
        if begins:
            if opened is not None:
                raise MarkError("a DDBEGIN line follows another one without a DDEND line between them")
            opened = after
        else:
            if opened is None:
                raise MarkError("a DDEND line stands before any DDBEGIN line")
            regions.append((opened, max(opened, line)))
            opened = None
    if opened is not None:
        raise MarkError("a DDBEGIN line has no DDEND line after it")
    return regions or None


def protected_part(data: bytes) -> bytes:
    r"""What stands outside of the free regions; nothing where there are none.

    >>> protected_part(b"keep\nDDBEGIN\nx\nDDEND\n")
    b'keep\nDDBEGIN\nDDEND\n'
    """
    regions = free_regions(data)
    if regions is None:
        return b""
    bounds = (0, *(at for region in regions for at in region), len(data))
    return b"".join(data[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True))


def _marks(data: bytes) -> Iterator[tuple[bool, int, int]]:
    """Each mark: whether it begins a region, where its line starts, where the next line starts."""
    encoding = wide_encoding_of(data) or "ascii"
    begin, end, feed = (word.encode(encoding) for word in ("DDBEGIN", "DDEND", "\n"))
    line = after = 0
    for match in re.finditer(re.escape(begin) + b"|" + re.escape(end), data):
        if match.start() >= after:
            line = _feed(data, feed, after, match.start())
            found = _next(data, feed, match.end())
            after = len(data) if found < 0 else found + len(feed)
        yield match.group() == begin, line, after


def _next(data: bytes, feed: bytes, at: int) -> int:
    """The next line feed, between characters."""
    at = data.find(feed, at)
    while at >= 0 and at % len(feed):
        at = data.find(feed, at + 1)
    return at


def _feed(data: bytes, feed: bytes, start: int, stop: int) -> int:
    """Where the line that holds `stop` starts, `start` at the earliest."""
    at = data.rfind(feed, start, stop)
    while at >= 0 and at % len(feed):
        at = data.rfind(feed, start, at + len(feed) - 1)
    return start if at < 0 else at + len(feed)
