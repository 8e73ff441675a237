"""Programs that no other reader knows: the line in which they say what is wrong.

Not one of the readers that are tried in turn, as it always finds something; it is asked last.
"""

from __future__ import annotations

import re

from wynot.oracles.diagnosis import Diagnosis

name = "words"

_TELLING = re.compile(r"\b(?:internal|fatal|error|exception|panic|abort|assert\w*|failed|failure)\b", re.IGNORECASE)
_LOCATION = re.compile(r"^(?:[^\s:]+:)?\d+(?::\d+)?:\s*|^[^\s:]*[/.][^\s:]*:(?:\d+:)*\s*")


def read(text: str) -> Diagnosis | None:
    r"""The first line that speaks of an error, else the last line of all; without the place it names in the input.

    >>> read("a.c: In function 'f':\na.c:3:5: error: expected ';'").message
    "error: expected ';'"
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    telling = next((line for line in lines if _TELLING.search(line)), lines[-1])
    return Diagnosis(name, "", _LOCATION.sub("", telling))
