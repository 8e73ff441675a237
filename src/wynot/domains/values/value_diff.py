"""The differences between two values as deltas: absent, as in the passing one; present, as in the failing one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

from wynot.core.config import Config
from wynot.domains.text.pair_edits import differences
from wynot.domains.values.deconstruct import Arguments, fingerprint, parts, rebuilt
from wynot.domains.values.scalars import length

_NOTHING = object()
Build = Callable[[Config], Any]


class ValueDiff:
    """What differs: entries, items and characters, in whatever both values share."""

    def __init__(self, passing: Any, failing: Any) -> None:
        self.deltas: list[tuple[Any, Any]] = []
        """What each delta replaces by what; NOTHING: it was added, or taken away."""
        self._build = self._between(passing, failing)

    def __len__(self) -> int:
        return len(self.deltas)

    def render(self, config: Config) -> Any:
        """The passing value with these differences made."""
        return self._build(config)

    def digest(self, candidate: Any) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return fingerprint(candidate)

    def size(self, candidate: Any) -> int:
        """How much there is to read."""
        return length(candidate)

    def described(self, config: Config) -> list[tuple[Any, Any]]:
        """The pairs (passing, failing) of these deltas; None where there is nothing."""
        return [(_seen(old), _seen(new)) for old, new in map(self.deltas.__getitem__, config)]

    def _between(self, old: Any, new: Any) -> Build:
        if fingerprint(old) == fingerprint(new):
            return lambda _config: old
        kind = type(old)
        if kind is type(new):
            if kind in {str, bytes}:
                return self._texts(old, new)
            if kind in {list, tuple}:
                row = self._rows(old, new)
                return lambda config: rebuilt(old, enumerate(row(config)))
            if kind in {dict, Arguments} or (parts(old) and kind not in {set, frozenset}):
                return self._entries(old, new)
        return self._either(old, new)

    def _either(self, old: Any, new: Any) -> Build:
        self.deltas.append((old, new))
        number = len(self.deltas) - 1
        return lambda config: new if number in config else old

    def _entries(self, old: Any, new: Any) -> Build:
        left, right = dict(parts(old)), dict(parts(new))
        inner = {}
        for step in [*right, *(step for step in left if step not in right)]:
            one, other = left.get(step, _NOTHING), right.get(step, _NOTHING)
            both = one is not _NOTHING and other is not _NOTHING
            inner[step] = self._between(one, other) if both else self._either(one, other)
        order = self._order(list(left), list(right))

        def build(config: Config) -> Any:
            found = [(step, inner[step](config)) for step in order(config)]
            return rebuilt(new, [(step, value) for step, value in found if value is not _NOTHING])

        return build

    def _order(self, left: list[Any], right: list[Any]) -> Build:
        """That of entries: one for both values; where there is none, it is a difference of its own."""
        common = [step for step in left if step in right]
        if common != [step for step in right if step in left]:
            others = ([*left, *right], [*right, *left])
            return self._either(*(list(dict.fromkeys(steps)) for steps in others))
        return _always(_merged(left, right))

    def _rows(self, old: Sequence[Any], new: Sequence[Any]) -> Callable[[Config], list[Any]]:
        """Items side by side where a stretch was changed, the longer side's rest alone."""
        inner: list[Build] = []
        at = 0
        for hunk in differences([fingerprint(each) for each in old], [fingerprint(each) for each in new]):
            inner += [_always(each) for each in old[at : hunk.old_start]]
            left, right = old[hunk.old_start : hunk.old_stop], new[hunk.new_start : hunk.new_stop]
            for place in range(max(len(left), len(right))):
                one = left[place] if place < len(left) else _NOTHING
                other = right[place] if place < len(right) else _NOTHING
                both = one is not _NOTHING and other is not _NOTHING
                inner.append(self._between(one, other) if both else self._either(one, other))
            at = hunk.old_stop
        inner += [_always(each) for each in old[at:]]
        return lambda config: [value for value in (each(config) for each in inner) if value is not _NOTHING]

    def _texts(self, old: Any, new: Any) -> Build:
        empty = old[:0]
        left, right = ([text[at : at + 1] for at in range(len(text))] for text in (old, new))
        inner: list[Build] = []
        at = 0
        keys = [
            [each if isinstance(each, bytes) else each.encode("utf-8", "surrogatepass") for each in side]
            for side in (left, right)
        ]
        for hunk in differences(*keys):
            inner.append(_always(empty.join(left[at : hunk.old_start])))
            olds, news = left[hunk.old_start : hunk.old_stop], right[hunk.new_start : hunk.new_stop]
            inner += [
                self._either(olds[place] if place < len(olds) else empty, news[place] if place < len(news) else empty)
                for place in range(max(len(olds), len(news)))
            ]
            at = hunk.old_stop
        inner.append(_always(empty.join(left[at:])))
        return lambda config: empty.join(each(config) for each in inner)


def _merged(left: list[Any], right: list[Any]) -> list[Any]:
    """All of two rows that have what they share in the same order; each keeps its order.

    >>> _merged(["a", "x", "b"], ["y", "x", "c"])
    ['a', 'y', 'x', 'b', 'c']
    """
    merged: list[Any] = []
    rest = iter(right)
    for step in left:
        if step in right:
            merged += takewhile(lambda each, step=step: each != step, rest)  # type: ignore[misc]
        merged.append(step)
    return [*merged, *rest]


def _always(value: Any) -> Build:
    return lambda _config: value


def _seen(value: Any) -> Any:
    return None if value is _NOTHING else value
