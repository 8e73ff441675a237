"""Lines as a terminal may be given them."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    r"""A line without anything that a terminal would obey, or not show.

    >>> visible("a\x1b[2Jb\u202ec é")
    'a\\x1b[2Jb\\u202ec é'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or _shown(each) else ascii(each)[1:-1] for each in text)


def _shown(character: str) -> bool:
    return unicodedata.category(character) in {"Zs", "So", "Mn"}
