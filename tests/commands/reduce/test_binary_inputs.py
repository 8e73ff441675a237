"""Files that are no texts: where things have their places, what is not needed becomes zero."""

from __future__ import annotations

import struct
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wynot
from tests.laws.effort import few
from wynot.commands.reduce.reduction import reduce
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.domains.text.atoms import byte_ends
from wynot.domains.text.tokens import count, token_ends
from wynot.domains.text.zeroing import binary, blanks, rows
from wynot.engine.run_options import Options
from wynot.errors import BudgetEnded
from wynot.report.result_text import reduced_text

MAGIC = b"\x7fBIN"


def table(entries: int = 40, size: int = 50) -> bytes:
    """A file of named parts, and at its end a table of where they are; its head says where that is."""
    chance = Random(1)
    parts = [b"part%02d" % each + bytes(chance.randrange(1, 256) for _ in range(size)) for each in range(entries)]
    at = [8 + each * (size + 6) for each in range(entries)]
    body = b"".join(parts)
    places = b"".join(struct.pack("<I", place) for place in at)
    return MAGIC + struct.pack("<I", 8 + len(body)) + body + places


def part_7(data: bytes) -> Outcome:
    """Fails if the eighth part is where the table says."""
    if data[:4] != MAGIC or len(data) < 8:
        return UNRESOLVED
    (start,) = struct.unpack("<I", data[4:8])
    if len(data) != start + 160:
        return UNRESOLVED
    (place,) = struct.unpack("<I", data[start + 28 : start + 32])
    return FAIL if data[place : place + 6] == b"part07" else PASS


def test_what_has_its_place_stays_there_and_the_rest_is_zero() -> None:
    """Nothing can be cut but for parts before the table, one test each; all else is zero after a few hundred tests."""
    asked: list[bytes] = []

    def counted(data: bytes) -> Outcome:
        asked.append(data)
        return part_7(data)

    result = reduce(table(), counted, name="x.bin")
    assert part_7(result.data) is FAIL
    assert len(result.data.replace(b"\0", b"")) <= len(MAGIC) + 2 + 6 + 2
    assert result.minimality == "1-minimal"
    assert count(result.data) <= 6
    assert len(asked) < 400


def test_what_can_be_cut_is_cut() -> None:
    """Zeros are of no use where most of a file can go."""
    chance = Random(2)
    data = b"\0\xff" + bytes(chance.randrange(256) for _ in range(2000)) + b"bug"
    result = reduce(data, lambda each: b"bug" in each, name="x.bin")
    assert result.data == b"bug"
    assert result.cost.counts.tests < 40


def test_a_long_row_of_zeros_is_not_gone_through_one_by_one() -> None:
    """Whichever of them goes, the file is the same."""
    data = b"\xff" + bytes(100_000) + b"bug"
    result = reduce(data, lambda each: len(each) == len(data) and each.endswith(b"bug"), name="x.bin")
    assert result.data == bytes(100_001) + b"bug"
    assert result.minimality == "1-minimal"
    counts = result.cost.counts
    assert counts.tests + counts.cached < 500


@few
@given(st.lists(st.sampled_from([b"a", b"bc ", b"\n", b"\xff", bytes(1), bytes(2), bytes(7)])).map(b"".join))
def test_rows_lose_nothing(data: bytes) -> None:
    """Atoms stand in order, up to the end of the file."""
    for atoms in (byte_ends, token_ends):
        ends = list(rows(atoms)(data, 0, len(data)))
        assert ends == sorted(set(ends))
        assert ends[-1:] == ([len(data)] if data else [])


def test_only_where_nothing_else_was_asked_for() -> None:
    """An algorithm or atoms that were asked for are what is done."""
    data = table(4)
    result = reduce(data, lambda each: len(each) == len(data), Options(atoms="bytes"), name="x.bin")
    assert result.data == data
    assert set(reduce(data, lambda each: len(each) == len(data), name="x.bin").data) == {0}


def test_which_files_are_no_texts() -> None:
    assert binary(table())
    assert not binary(b"plain\0text")
    assert not binary("naïve".encode("latin-1"))
    assert not binary("wide".encode("utf-16"))


@few
@given(st.binary(max_size=40), st.sets(st.integers(0, 39)))
def test_what_is_absent_is_zero(data: bytes, kept: set[int]) -> None:
    """And all else is as it was, at its place."""
    domain = blanks(data)
    places = [at for at, byte in enumerate(data) if byte]
    config = Config.of(sorted(each for each in kept if each < len(places)))
    staying = {places[each] for each in config}
    assert domain.render(config) == bytes(byte if at in staying else 0 for at, byte in enumerate(data))
    assert domain.render(Config.full(len(domain))) == data


def test_protected_regions_stay() -> None:
    data = b"\xff\0keep\nDDBEGIN\nabc\nDDEND\n"
    result = reduce(data, lambda each: len(each) >= len(data) - 4, name="x.bin")
    assert result.data.startswith(b"\xff\0keep\nDDBEGIN\n")


def test_what_stands_between_two_regions_stays() -> None:
    data = b"\xff\0HEAD\nDDBEGIN\nabc\x01\nDDEND\nKEEP\xfe\nDDBEGIN\ndef\x02\nDDEND\nTAIL\n"
    result = reduce(data, lambda each: len(each) == len(data), name="x.bin")
    assert b"DDEND\nKEEP\xfe\nDDBEGIN\n" in result.data
    assert not {b"a", b"d", b"\x01", b"\x02"} & {bytes([each]) for each in result.data[14:]} - {b"D"}


def test_zeros_before_a_mark_are_cut_all_the_same() -> None:
    """The mark is not at the begin of a line any more; what is free is known."""
    data = b"\xff\0HEAD\nDDBEGIN\n" + b"abc\x01def" * 30 + b"\nDDEND\nTAIL\n"

    def fails(each: bytes) -> bool:
        head, _, rest = each.partition(b"DDBEGIN\n")
        free = rest.partition(b"DDEND")[0]
        return head[:1] == b"\xff" and (len(each) == len(data) or not (free.strip(b"\0") or len(free) < 161))

    result = reduce(data, fails, name="x.bin")
    assert len(result.data) == len(data) - 50
    assert result.minimality == "1-minimal"


def test_zeros_of_a_file_in_a_folder_are_kept_when_the_budget_ends(tmp_path: Path) -> None:
    """Of two folders as large as each other that with more zeros is the simpler one."""
    chance = Random(5)
    data, needed = chance.randbytes(3000), [chance.randrange(3000) for _ in range(12)]
    (tmp_path / "b.bin").write_bytes(data)

    def fails(files: dict[str, bytes]) -> bool:
        found = files.get("b.bin", b"")
        return len(found) == len(data) and all(found[at] == data[at] for at in needed)

    with pytest.raises(BudgetEnded) as ended:
        wynot.reduce(tmp_path, fails, Options(budget_tests=160))
    best = ended.value.best
    assert isinstance(best, wynot.Reduced)
    assert best.files["b.bin"].count(0) > 2000


def test_it_is_told_how_much_is_not_zero() -> None:
    data = table(4)
    told = reduced_text(reduce(data, lambda each: len(each) == len(data) and each[:1] == MAGIC[:1], name="x.bin"))
    assert f"{len(data)} -> {len(data)} bytes" in told
    assert " -> 1 of these bytes are not zero" in told
    assert "zero" not in reduced_text(reduce(b"a\nb\n", lambda each: b"a" in each, name="x.txt"))
