"""Counts words, and remembers where they stood."""
from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

WORD = re.compile(r"[a-z']+", re.IGNORECASE)


@dataclass(order=True)
class Entry:
    word: str
    lines: list[int] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.lines)


def index(text: str, *, skip: frozenset[str] = frozenset({"the", "a"})) -> dict[str, Entry]:
    found: dict[str, Entry] = defaultdict(lambda: Entry(""))
    for number, line in enumerate(text.splitlines(), start=1):
        for match in WORD.finditer(line):
            if (word := match[0].lower()) in skip:
                continue
            found[word].word = word
            found[word].lines.append(number)
    return dict(found)


if __name__ == "__main__":
    try:
        with open("words.txt", encoding="utf-8") as source:
            entries = sorted(index(source.read()).values(), key=lambda e: (-e.count, e.word))
    except OSError as error:
        print(f"cannot read: {error}")
    else:
        print(*(f"{e.word:>12} {e.count}" for e in entries[:10]), sep="\n")
