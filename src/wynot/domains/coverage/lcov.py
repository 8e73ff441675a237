"""LCOV: what lcov, c8, grcov, llvm-cov and many others write.

Of its records `SF`, `DA`, `FN` and `FNDA` are read, and lcov 2's `FNL` and `FNA`.
"""

from __future__ import annotations

from wynot.domains.coverage.counts import Table, UnreadableError, new_table, whole_numbers


def read_lcov(text: str) -> Table:
    r"""The counts of each file.

    >>> table = read_lcov("SF:a.c\nFN:1,3,f\nFNDA:0,f\nDA:2,0\nDA:5,7\nend_of_record\n")
    >>> dict(table["a.c"].lines), table["a.c"].dead
    ({2: 0, 5: 7}, {(1, 3)})
    """
    table, path = new_table(), None
    functions: dict[str, tuple[int, int]] = {}
    for line in text.splitlines():
        kind, _, rest = line.strip().partition(":")
        if kind == "SF":
            path, functions = rest, {}
            table[path].lines.update()  # it is mentioned
        elif kind == "end_of_record":
            path = None
        elif kind in _READERS:
            if path is None:
                raise UnreadableError(f"{kind} comes before a file is named")
            _READERS[kind](rest.split(","), table, path, functions)
    return table


def _line(words: list[str], table: Table, path: str, _functions: dict[str, tuple[int, int]]) -> None:
    number, count = whole_numbers(_two(words)[:2])
    table[path].add(number, count)


def _function(words: list[str], _table: Table, _path: str, functions: dict[str, tuple[int, int]]) -> None:
    """`FN:first,last,name`; older ones do not say where it ends."""
    if len(words) > 2 and words[1].isdigit():
        first, last = whole_numbers(words[:2])
        functions[",".join(words[2:])] = first, last


def _calls(words: list[str], table: Table, path: str, functions: dict[str, tuple[int, int]]) -> None:
    count = whole_numbers(_two(words)[:1])[0]
    extent = functions.get(",".join(words[1:]))
    if count == 0 and extent is not None:
        table[path].dead.add(extent)


def _numbered(words: list[str], _table: Table, _path: str, functions: dict[str, tuple[int, int]]) -> None:
    """`FNL:number,first,last`."""
    if len(words) > 2:
        first, last = whole_numbers(words[1:3])
        functions[f"#{words[0]}"] = first, last


def _named(words: list[str], table: Table, path: str, functions: dict[str, tuple[int, int]]) -> None:
    """`FNA:number,count,name`."""
    _calls([_two(words)[1], f"#{words[0]}"], table, path, functions)


def _two(words: list[str]) -> list[str]:
    if len(words) < 2:
        raise UnreadableError("a record is too short")
    return words


_READERS = {"DA": _line, "FN": _function, "FNDA": _calls, "FNL": _numbered, "FNA": _named}
