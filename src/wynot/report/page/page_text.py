"""Texts as a page shows them: nothing that is not visible, and not more than somebody reads."""

from __future__ import annotations

from collections.abc import Iterable

from wynot.core.artifact import Laid
from wynot.core.folder import EntryKind, Folder
from wynot.report.escape import printable
from wynot.report.page.kept_parts import TextPart

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
