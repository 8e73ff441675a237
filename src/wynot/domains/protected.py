"""Protected regions: only what stands between DDBEGIN and DDEND lines is reduced, as in lithium."""

from __future__ import annotations

import re

from wynot.domains.flat import Region

_MARK = re.compile(rb"DDBEGIN|DDEND")


class MarkError(ValueError):
    """A mark without its counterpart."""


def free_regions(data: bytes) -> list[Region] | None:
    r"""Where deltas may be: between the marks; None where there are none.

    >>> free_regions(b"keep\n// DDBEGIN\nx\n// DDEND\nkeep\n")
    [(16, 18)]
    """
    regions: list[Region] = []
    opened: int | None = None
    for match in _MARK.finditer(data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        after = data.find(b"\n", match.end()) + 1 or len(data)
        if match.group() == b"DDBEGIN":
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
