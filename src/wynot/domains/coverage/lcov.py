"""LCOV: what lcov, c8, grcov, llvm-cov and many others write.

Of its records `SF`, `DA` and `FN` are read, and lcov 2's `FNL`.
"""

from __future__ import annotations

from wynot.domains.coverage.line_counts import LineCounts, Table, UnreadableError, new_table, whole_numbers


def read_lcov(text: str) -> Table:
    r"""The counts of each file.

    >>> table = read_lcov("SF:a.c\nFN:1,3,f\nFNDA:0,f\nDA:2,0\nDA:5,7\nend_of_record\n")
    >>> dict(table["a.c"].lines), table["a.c"].functions
    ({2: 0, 5: 7}, {(1, 3)})
    """
    table = new_table()
    counts: LineCounts | None = None
    for line in text.splitlines():
        kind, _, rest = line.strip().partition(":")
        if kind == "SF":
            counts = table[rest]
        elif kind == "end_of_record":
            counts = None
        elif kind in _READERS:
            if counts is None:
                raise UnreadableError(f"{kind} comes before a file is named")
            _READERS[kind](rest.split(","), counts)
    return table


def _line(words: list[str], counts: LineCounts) -> None:
    """`DA:line,count`."""
    if len(words) < 2:
        raise UnreadableError("a record is too short")
    number, count = whole_numbers(words[:2])
    counts.add(number, count)


def _function(words: list[str], counts: LineCounts) -> None:
    """`FN:first,last,name`; older ones do not say where it ends."""
    if len(words) > 2 and words[1].isdigit():
        first, last = whole_numbers(words[:2])
        counts.functions.add((first, last))


def _numbered(words: list[str], counts: LineCounts) -> None:
    """`FNL:number,first,last`."""
    _function([*words[1:], ""], counts)


_READERS = {"DA": _line, "FN": _function, "FNL": _numbered}
