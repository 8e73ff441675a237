"""All that reads what programs print: loaded together, and only where there is something to read."""

from __future__ import annotations

import re

from wynot.oracles.readers.gdb import read as gdb
from wynot.oracles.readers.message_details import details, shortened, silent
from wynot.oracles.readers.registry import diagnose
from wynot.oracles.signature import Diagnosis

__all__ = ["details", "diagnose", "gdb", "shortened", "silent", "words"]

_TELLING = re.compile(r"\b(?:internal|fatal|error|exception|panic|abort|assert\w*|failed|failure)\b", re.IGNORECASE)
_LOCATION = re.compile(r"^(?:[^\s:]+:)?\d+(?::\d+)?:\s*|^[^\s:]*[/.][^\s:]*:(?:\d+:)*(?!\d)\s*")


def words(errors: str, output: str = "") -> Diagnosis | None:
    r"""The first line that speaks of an error, else the last one; without the place it names in the input.

    What is printed to standard error counts first: the rest may be no more than what the program does.

    >>> words("a.c: In function 'f':\na.c:3:5: error: expected ';'").message
    "error: expected ';'"
    >>> words("a.py:3 E302 two lines expected").message
    'a.py:3 E302 two lines expected'
    >>> words("no records\n", "reading\n").message
    'no records'
    """
    both = [[line.strip() for line in text.splitlines() if line.strip()] for text in (errors, output)]
    lines = [*both[0], *both[1]]
    if not lines:
        return None
    telling = next((line for line in lines if _TELLING.search(line)), (both[0] or both[1])[-1])
    return Diagnosis("words", "", _LOCATION.sub("", telling))
