"""A file as a row of atoms: nothing is lost, nothing is there twice, whatever the file."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domains.samples import LEVELS, WIDE, aligned, files
from tests.laws.effort import few
from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.domains.text.atom_domain import Atoms, flat, regions_within
from wynot.domains.text.atoms import WORDS, byte_ends, line_ends
from wynot.domains.values.scalars import ItemList

ATOMS = [level.atoms for level in LEVELS]
seeds = st.integers(0, 2**32)


def assert_partition(data: bytes, atoms: Atoms, start: int, stop: int) -> None:
    """Ends ascend from behind `start` to `stop`."""
    ends = list(atoms(data, start, stop))
    assert ends == sorted(set(ends))
    assert ends[-1:] == ([stop] if start < stop else [])
    assert all(end > start for end in ends)


@few
@given(files)
def test_atoms_are_a_partition(data: bytes) -> None:
    for atoms in ATOMS:
        assert_partition(data, atoms, 0, len(data))


@few
@given(files, seeds)
def test_atoms_of_a_region_are_a_partition(data: bytes, seed: int) -> None:
    start, stop = sorted(aligned(data, at) for at in Random(seed).choices(range(len(data) + 1), k=2))
    for atoms in ATOMS:
        assert_partition(data, atoms, start, stop)


@pytest.mark.parametrize(
    ("atoms", "encoding"),
    [
        pytest.param(
            level.atoms,
            encoding,
            id=f"{level.name} of {encoding}",
        )
        for level in LEVELS
        for encoding in WIDE
    ],
)
def test_a_region_may_cut_a_character_in_two(atoms: Atoms, encoding: str) -> None:
    """Delimiters and marks are bytes; they know nothing of wide characters."""
    data = WIDE[encoding] + "a\nb;\U0001f600\nc".encode(encoding)
    for start in range(len(data)):
        for stop in range(start, len(data) + 1):
            assert_partition(data, atoms, start, stop)


@few
@given(files, seeds)
def test_everything_is_the_file_and_nothing_is_nothing(data: bytes, seed: int) -> None:
    """And what is between is the chosen atoms, one after the other."""
    for level in LEVELS:
        domain = level.deltas(data, [(0, len(data))])
        assert domain.render(Config.full(len(domain))) == data
        assert domain.render(Config()) == b""
        chosen = Config.of(index for index in range(len(domain)) if Random(seed + index).random() < 0.5)
        pieces = [data[domain.starts[index] : domain.ends[index]] for index in chosen]
        candidate = domain.render(chosen)
        assert candidate == b"".join(pieces)
        assert domain.size(candidate) == len(candidate)
        assert domain.digest(candidate) == digest(candidate)


@few
@given(files, seeds)
def test_what_is_not_free_is_in_every_candidate(data: bytes, seed: int) -> None:
    chance = Random(seed)
    places = chance.sample(range(len(data) + 1), min(len(data) + 1, 2 * chance.randint(0, 3)))
    bounds = sorted({aligned(data, place) for place in places})
    bounds = bounds[: len(bounds) // 2 * 2]
    regions = list(zip(bounds[::2], bounds[1::2], strict=True))
    fixed = Config.full(len(data)) - Config(tuple(bounds))
    for level in LEVELS:
        domain = level.deltas(data, regions)
        assert domain.pinned == fixed
        assert domain.render(Config.full(len(domain))) == data
        assert domain.render(Config()) == b"".join(data[a:b] for a, b in fixed.intervals())
        half = Config.of(range(0, len(domain), 2))
        assert fixed <= domain.kept(half)
        assert len(domain.kept(half) - fixed) == sum(domain.ends[index] - domain.starts[index] for index in half)


@few
@given(seeds)
def test_regions_of_what_is_left(seed: int) -> None:
    """Once other bytes are gone, the same bytes stand elsewhere; regions that now touch are one."""
    chance = Random(seed)
    whole = Config.of(chance.sample(range(30), chance.randint(0, 30)))
    part = Config.of(index for index in whole if chance.random() < 0.5)
    regions = regions_within(whole, part)
    left = list(whole)
    assert [left[at] for start, stop in regions for at in range(start, stop)] == list(part)
    assert all(start < stop for start, stop in regions)
    assert all(one[1] < two[0] for one, two in pairwise(regions))


@pytest.mark.parametrize("regions", [[(0, 2), (3, 5)], [(1, 1), (3, 5)], [(0, 5)], []])
def test_what_is_pinned(regions: list[tuple[int, int]]) -> None:
    pinned = flat(b"abcde", byte_ends, regions).pinned
    assert pinned == Config.of(index for index in range(5) if not any(a <= index < b for a, b in regions))


def test_bytes_are_counted_not_listed() -> None:
    """A million single bytes take no list of a million numbers."""
    domain = flat(bytes(10**6), byte_ends)
    assert isinstance(domain.starts, range)
    assert len(domain) == 10**6


class Watched(bytes):
    """Notes each piece that is copied out of it."""

    pieces: list[int]

    def __getitem__(self, key: slice) -> bytes:  # type: ignore[override]
        piece = super().__getitem__(key)
        self.pieces.append(len(piece))
        return piece


def test_rendering_copies_stretches_not_atoms() -> None:
    """Half of a million lines is one piece, not half a million."""
    data = Watched(b"x\n" * 10**5)
    data.pieces = []
    domain = flat(data, line_ends)
    data.pieces.clear()
    everything = Config.full(len(domain))
    assert len(domain.render(everything.part(1000, 90_000))) == 2 * 89_000
    assert data.pieces == [2 * 89_000]
    data.pieces.clear()
    domain.render(everything.without(5, 7).without(50, 70))
    assert data.pieces == [10, 90, 2 * 10**5 - 144]


@few
@given(st.integers(0, 2**12 - 1))
def test_items_keep_their_order(bits: int) -> None:
    """A list of anything, even of what cannot be compared; the key is the configuration."""
    things = [object() for _ in range(12)]
    domain = ItemList(things)
    config = Config.of(index for index in range(12) if bits >> index & 1)
    candidate = domain.render(config)
    assert candidate == (config, [thing for index, thing in enumerate(things) if bits >> index & 1])
    assert domain.size(candidate) == len(config)
    assert domain.digest(candidate) == domain.digest(domain.render(Config(config.bounds)))
    other = Config.of(index for index in range(12) if (bits ^ 1) >> index & 1)
    assert domain.digest(candidate) != domain.digest(domain.render(other))
    assert len(domain) == 12


def test_words_stay_apart() -> None:
    """`foobar` is neither what was there nor what was asked for."""
    words = WORDS.deltas(b"foo.bar;\n", [(0, 9)])
    assert words.render(Config.of([0, 2, 3])) == b"foo bar;\n"
    assert words.render(Config.of([0, 1, 3])) == b"foo.;\n"
    assert WORDS.deltas(b"a;$b;", [(0, 5)]).render(Config.of([0, 2])) == b"a $b"
    pinned = WORDS.deltas(b"foo.bar;\n", [(3, 9)])  # positions are told of what is kept then
    assert pinned.render(Config.of([1, 2])) == b"foobar;\n"
