"""What remains of a failing input when a difference that was found in it is taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wynot.core.config import Config
from wynot.core.trial import Found
from wynot.domains.text.atom_domain import AtomDomain
from wynot.domains.text.pair_edits import PairEdits

Replaced = tuple[int, int, bytes]
"""Positions start..stop of a text, and what stands there instead."""
Step = tuple[AtomDomain | PairEdits, Found]
"""Deltas of a failing input, and what was found among them: the next step begins with its failing side."""


def taken_back(steps: Sequence[Step]) -> list[Replaced]:
    r"""Where the first failing input differs from one without the difference of the last step.

    >>> from wynot.domains.text.pair_edits import edits
    >>> from wynot.domains.text.atoms import byte_ends, line_ends
    >>> lines = edits(b"a=1\nb=1\nc=1\n", b"a=2\nb=2\nc=1\nd\n", line_ends)
    >>> chars = edits(b"a=1\nb=1\nc=1\n", b"a=1\nb=2\nc=1\n", byte_ends)
    >>> none, one, every = Config(), Config.of([1]), Config.full(1)
    >>> back = taken_back([(lines, Found(one, none, minimal=True)), (chars, Found(every, none, minimal=True))])
    >>> back, replaced(b"a=2\nb=2\nc=1\nd\n", back)
    ([(6, 7, b'1')], b'a=2\nb=1\nc=1\nd\n')
    """
    *before, (domain, found) = steps
    places = list(_replacements(domain, found.difference))
    for domain, found in reversed(before):
        gone = list(_replacements(domain, Config.full(len(domain)) - found.failing))
        places = _placed(places, gone)
    return places


def replaced(text: bytes, places: Sequence[Replaced]) -> bytes:
    """A text with these places replaced."""
    stops = [0, *(stop for _, stop, _ in places)]
    starts = [*(start for start, _, _ in places), len(text)]
    new = [*(each for _, _, each in places), b""]
    return b"".join(text[at:start] + put for at, start, put in zip(stops, starts, new, strict=True))


def _replacements(domain: AtomDomain | PairEdits, config: Config) -> Iterator[Replaced]:
    """How the text with all deltas becomes the one without these."""
    everything = Config.full(len(domain))
    if isinstance(domain, AtomDomain):
        for start, stop in (domain.kept(everything) - domain.kept(everything - config)).intervals():
            yield start, stop, b""
        return
    at = 0
    for number, (common, (old, new)) in enumerate(zip(domain.common, domain.changes, strict=False)):
        at += len(common)
        if number in config:
            yield at, at + len(new), old
        at += len(new)


def _placed(places: list[Replaced], gone: list[Replaced]) -> list[Replaced]:
    """Places of a text as places of the text before `gone` was replaced in that; in order, none overlaps another."""
    found: list[Replaced] = []
    last = shift = number = 0

    def before(at: int, *, ends: bool) -> int:
        nonlocal shift, number
        while number < len(gone):
            start, stop, text = gone[number]
            first = start + shift
            if at < first or (ends and at == first):
                break
            if at < first + len(text):
                return stop if ends else start
            shift += len(text) - (stop - start)
            number += 1
        return at - shift

    for start, stop, text in places:
        first = max(last, before(start, ends=False))
        last = max(first, before(stop, ends=True)) if start < stop else first
        found.append((first, last, text))
    return found


def rest_of(config: Config, places: Sequence[Replaced]) -> Config:
    """Positions of a text that are not among those replaced."""
    return config - Config.of(at for start, stop, _ in places for at in range(start, stop))
