"""Text in reports: shortened, quoted, the parts that remain, the trace table (Cleve & Zeller 2000, figure 6)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import PurePath
from typing import Any, NamedTuple

from wynot.core.artifact import Laid
from wynot.core.folder import EntryKind, Folder
from wynot.engine.record.read import Run
from wynot.report.escape import printable

LONG = 14
"""Stretches that were cut and have more lines than these are shown by their ends..."""
ENDS = 3
"""...so many lines each."""
WIDE = 600
"""The same for characters in a stretch without line ends."""
MOST = 150_000
"""Characters of one text that are shown: a page stays below 3 MB, whatever has to be escaped."""


def text_of(content: Laid) -> str:
    """A content as text; of a folder its files one after the other."""
    if isinstance(content, Folder):
        return "".join(
            f"==> {path} <==\n{_ended(visible(entry.data))}"
            for path, entry in content.entries.items()
            if entry.kind is EntryKind.FILE
        )
    return visible(content)


def visible(data: bytes) -> str:
    r"""Bytes as text; what a terminal or a browser would not show is written out.

    >>> visible(b"a\0\xff\n")
    'a\\x00\\xff\n'
    """
    return printable(data.decode("utf-8", "backslashreplace").replace("\r\n", "\n"))


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def shortened(found: Iterable[TextPart]) -> list[TextPart]:
    """What was cut in long stretches is only hinted at."""
    shown: list[TextPart] = []
    left = MOST
    for piece in found:
        parts = _hinted(piece.text) if piece.how == "cut" else [TextPart(piece.text, piece.how)]
        for part in parts:
            if left <= 0:
                shown.append(TextPart("… the rest is not shown", "gap"))
                return shown
            shown.append(part._replace(text=part.text[:left]))
            left -= len(part.text)
    return shown


def _hinted(text: str) -> list[TextPart]:
    lines = text.split("\n")
    if len(lines) > LONG:
        head, tail = "\n".join(lines[:ENDS]) + "\n", "\n".join(lines[-ENDS:])
        gap = TextPart(f"… {len(lines) - 2 * ENDS:,} lines …\n", "gap")
        return [*_narrow(head), gap, *_narrow(tail)]
    return _narrow(text)


def _narrow(text: str) -> list[TextPart]:
    if len(text) <= WIDE:
        return [TextPart(text, "cut")]
    half = WIDE // 3
    gap = TextPart(f" … {len(text) - 2 * half:,} characters … ", "gap")
    return [TextPart(text[:half], "cut"), gap, TextPart(text[-half:], "cut")]


# The table of figure 6 (Cleve & Zeller 2000): events, their source, and a column for each criterion.


MANY = 1000
"""Rows that are shown."""
MAX_TABLE_WIDTH = 200
"""Characters of a statement."""


class TraceTable(NamedTuple):
    """The columns' titles and the rows: the event, its cells (with whether it is left), whether any column has it."""

    titles: list[str]
    rows: list[tuple[str, list[tuple[str, bool]], bool]]


def trace_table(runs: Sequence[Run]) -> TraceTable | None:
    """The table of all columns that one command has made."""
    views = [
        run.facts["view"] for run in runs if isinstance(run.facts.get("view"), dict) and "rows" in run.facts["view"]
    ]
    if not views:
        return None
    whole = all(view["whole"] for view in views)
    events: dict[int, list[Any]] = {row[0]: row for view in views for row in view["rows"]}
    sets = [each for view in views for each in _sets(view)]
    kept = [events for _, events in sets]
    several = len({row[1] for row in events.values()}) > 1
    rows = []
    for event in sorted(events)[:MANY]:
        _, file, line, text, _ = events[event]
        text = text[:MAX_TABLE_WIDTH]
        name = f"{PurePath(file).name}:{line}_{event}" if several else f"{line}_{event}"
        cells = [(text, False)] if whole else []
        cells += [(text if event in each else "", event in each) for each in kept]
        rows.append((name, cells, any(event in each for each in kept)))
    return TraceTable([*(["Original trace"] if whole else []), *(title for title, _ in sets)], rows)


def _sets(view: dict[str, Any]) -> Iterator[tuple[str, set[int]]]:
    """The events of each cause, with a title."""
    title = str(view["title"])
    yield title, {row[0] for row in view["rows"] if row[4]}
    for number, events in enumerate(view.get("further", []), 2):
        yield f"{title}, cause {number}", set(events)


# Which parts of the original are left in the result (2002, figure 2), found by comparing the two texts.
#
# The record keeps no way from one to the other: passes may have replaced what they could not leave out. So the result
# is laid over the original token by token, such that what was one stretch stays one as far as possible.


_TOKEN = re.compile(r"\w+|\n|[^\S\n]+|[^\w\s]")
NEAR = 24
"""So many places of a token are weighed."""
MUCH = 4_000_000
"""Pairs of tokens that are compared at most; of larger texts, lines are."""


class TextPart(NamedTuple):
    """A stretch of the original, or one that is new in the result."""

    text: str
    how: str
    """kept, cut or new."""


def pieces(original: str, result: str) -> list[TextPart]:
    """The original in stretches that are left or cut, with what is new in the result where it stands.

    >>> pieces("if (x) { f(); g(); }", "if (x) { g(); }")[:3]
    [TextPart(text='if (x) {', how='kept'), TextPart(text=' f();', how='cut'), TextPart(text=' g(); }', how='kept')]
    """
    for before, after in (_lines(original), _lines(result)), (_TOKEN.findall(original), _TOKEN.findall(result)):
        places = _within(before, after)
        if places is not None:
            kept = set(places)
            return _merged([TextPart(token, "kept" if place in kept else "cut") for place, token in enumerate(before)])
    if len(before) * len(after) > MUCH:
        before, after = _lines(original), _lines(result)
    if len(before) * len(after) > MUCH:
        return [TextPart(original, "cut"), TextPart(result, "new")]
    return _merged(_compared(before, after))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _compared(before: list[str], after: list[str]) -> list[TextPart]:
    found = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            found.append(TextPart("".join(before[a:b]), "kept"))
            continue
        found.append(TextPart("".join(before[a:b]), "cut"))
        found.append(TextPart("".join(after[c:d]), "new"))
    return found


def _merged(found: list[TextPart]) -> list[TextPart]:
    merged: list[TextPart] = []
    texts: list[str] = []
    for piece in found:
        if not piece.text:
            continue
        if merged and merged[-1].how == piece.how:
            texts.append(piece.text)
            continue
        if merged:
            merged[-1] = merged[-1]._replace(text="".join(texts))
        merged.append(piece)
        texts = [piece.text]
    if merged:
        merged[-1] = merged[-1]._replace(text="".join(texts))
    return merged


def _within(before: list[str], after: list[str]) -> list[int] | None:
    """Where each token of the result stands in the original; None where it is no part of it.

    Of all ways to lay it over, one with few gaps: each token may go to places between its first and its last chance.
    """
    where: dict[str, list[int]] = defaultdict(list)
    for place, token in enumerate(before):
        where[token].append(place)
    first, last = _chances(where, after, len(before))
    if first is None or last is None:
        return None
    rows: list[dict[int, tuple[int, int]]] = []
    for rank, token in enumerate(after):
        spots = where[token]
        near = spots[bisect_left(spots, first[rank]) : bisect_right(spots, last[rank])]
        wanted = {place + 1 for place in rows[-1]} if rows else set()
        chosen = {*near[: NEAR // 2], *near[-NEAR // 2 :], *(each for each in near if each in wanted)}
        rows.append(_scored(rows[-1] if rows else None, sorted(chosen)))
        if not rows[-1]:
            return first
    place = max(rows[-1], key=lambda each: rows[-1][each][0]) if rows else -1
    found = []
    for row in reversed(rows):
        found.append(place)
        place = row[place][1]
    return found[::-1]


def _scored(before: dict[int, tuple[int, int]] | None, places: list[int]) -> dict[int, tuple[int, int]]:
    """For each place the most neighbours so far, and the place of the token before."""
    if before is None:
        return dict.fromkeys(places, (0, -1))
    row: dict[int, tuple[int, int]] = {}
    earlier = sorted(before)
    best, at = (-1, -1), 0
    for place in places:
        while at < len(earlier) and earlier[at] < place:
            best = max(best, (before[earlier[at]][0], earlier[at]))
            at += 1
        if best[0] < 0:
            continue
        next_to = before.get(place - 1)
        row[place] = (next_to[0] + 1, place - 1) if next_to is not None and next_to[0] + 1 >= best[0] else best
    return row


def _chances(where: dict[str, list[int]], after: list[str], count: int) -> tuple[list[int] | None, list[int] | None]:
    """The first and the last place where each token can go."""
    first, place = [], -1
    for token in after:
        spots = where.get(token, [])
        at = bisect_right(spots, place)
        if at == len(spots):
            return None, None
        place = spots[at]
        first.append(place)
    last, place = [], count
    for token in reversed(after):
        spots = where[token]
        place = spots[bisect_left(spots, place) - 1]
        last.append(place)
    return first, last[::-1]
