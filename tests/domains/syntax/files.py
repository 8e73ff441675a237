"""Files in every language: a natural one each, and any number of spoilt ones."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from tests.domains.samples import PIECES
from wynot.domains.syntax.language_loading import NAMES

SAMPLES = Path(__file__).parent / "samples"
_TOKEN = re.compile(rb"\w+|\s+|.", re.DOTALL)


def sample_path(name: str) -> Path:
    """The file that shows what a language looks like."""
    (path,) = SAMPLES.glob(f"{name}.*")
    return path


@cache
def sample(name: str) -> bytes:
    """What is in it."""
    return sample_path(name).read_bytes()


def spoilt(name: str, seed: int, times: int = 1) -> bytes:
    """A file that began as a natural one, perhaps as several in a row, and was changed a few times."""
    chance = Random(seed)
    lines = (sample(name) * times).splitlines(keepends=True)
    if chance.random() < 0.8:
        start = chance.randrange(len(lines))
        lines = lines[start : chance.randint(start, len(lines))]
    for _ in range(chance.randint(0, 8)):
        _spoil(lines, name, chance)
    data = b"".join(lines)
    return chance.choice(WHOLES)(data) if chance.random() < 0.5 else data


def _spoil(lines: list[bytes], name: str, chance: Random) -> None:
    """One change, to a line or a few."""
    at = chance.randint(0, len(lines))
    end = min(at + chance.choice((1, 1, 2, 5)), len(lines))
    what = chance.randrange(6)
    if what == 0:
        del lines[at:end]
    elif what == 1:
        lines[at:at] = lines[at:end]
    elif what == 2:  # from elsewhere, perhaps of another language
        other = sample(chance.choice((name, name, *NAMES))).splitlines(keepends=True)
        lines.insert(at, chance.choice(other))
    elif what == 3:
        lines.insert(at, b"".join(chance.choices(PIECES, k=chance.randint(1, 5))))
    elif what == 4:
        lines.insert(at, chance.randbytes(chance.randint(1, 8)))
    elif at < len(lines) and lines[at]:
        lines[at] = _mutated(lines[at], chance)


def _mutated(line: bytes, chance: Random) -> bytes:
    """A line with a token less, twice, or in another place."""
    tokens = _TOKEN.findall(line)
    at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
    tokens[at] = chance.choice((b"", tokens[at] * 2, tokens[other], b"(", b"}", b'"', b"\t"))
    return b"".join(tokens)


WHOLES: tuple[Callable[[bytes], bytes], ...] = (
    lambda data: data.replace(b"\n", b"\r\n"),
    lambda data: data.replace(b"\n", b"\r"),
    lambda data: codecs.BOM_UTF8 + data,
    lambda data: data[: len(data) * 2 // 3],
    lambda data: data.decode("utf-8", "replace").encode("utf-16"),
    lambda data: data.replace(b"    ", b"\t"),
)
"""What may befall all of a file."""
