"""Whether a file is searched as it is, or as UTF-8 that stands for its own encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wynot.domains.wide import Wide, wide

if TYPE_CHECKING:
    from wynot.run.options import Options


def searched_as_utf8(data: bytes, options: Options) -> Wide | None:
    """The encoding of a file that UTF-8 stands for in the search; None if it is none, or places in the file count."""
    by_places = options.causes > 1 or options.delimiters or options.grammar is not None or options.atoms == "bytes"
    found = None if by_places else wide(data)
    return found if found is not None and found.narrowed(data) else None
