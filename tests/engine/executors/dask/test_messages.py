"""What travels arrives as it was, and is small where the other side knows most of it."""

from __future__ import annotations

import pickle
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from wynot.core.artifact import Content
from wynot.core.call import Call, Variable
from wynot.core.folder import Folder
from wynot.engine.executors.dask.messages import (
    LARGE,
    ContentShelf,
    ParcelMaker,
    TestOrder,
    folder_patch,
    patch,
    patched,
    patched_folder,
)
from wynot.engine.executors.sandbox import Limits
from wynot.oracles.script import Script

ORDER = TestOrder(Script("/bin/true"), "input.txt", 0, lasting=False, limits=Limits(seconds=1))
TEXTS = st.lists(
    st.sampled_from([b"int x;\n", b"{", b"}\n", b"aaaa", b"b", b"the quick brown fox jumps\n"]), max_size=60
)


@given(TEXTS, TEXTS)
def test_a_patched_text_is_the_text(one: list[bytes], other: list[bytes]) -> None:
    base, text = b"".join(one), b"".join(other)
    pieces = patch(base, text)
    assert pieces is None or patched(base, pieces) == text


@given(TEXTS, st.sets(st.integers(0, 59)))
def test_what_is_cut_out_costs_next_to_nothing(lines: list[bytes], gone: set[int]) -> None:
    kept = [b"%d %s" % (place, line * 9) for place, line in enumerate(lines)]
    pieces = patch(b"".join(kept), b"".join(line for place, line in enumerate(kept) if place not in gone))
    assert pieces is not None
    assert len(pieces) <= 4 * len(gone) + 2


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.binary(max_size=3)),
    st.dictionaries(st.sampled_from("abcdef"), st.binary(max_size=3)),
)
def test_a_patched_folder_is_the_folder(one: dict[str, bytes], other: dict[str, bytes]) -> None:
    base, folder = Folder.of(one), Folder.of(other)
    again = patched_folder(base, folder_patch(base, folder))
    assert again == folder
    assert (again.entries, list(again.digests)) == (folder.entries, list(folder.digests))


def test_parcels_arrive_whoever_knows_what() -> None:
    """Receivers forget, and join late; one that lacks something says so, and gets it."""
    chance = Random(3)
    text = chance.randbytes(4 * LARGE)
    contents: list[Content] = [Call(("a", "b"), (Variable("HOME", "x" * LARGE),)), b"", b"small"]
    contents += [text[: chance.randrange(len(text))] + text[chance.randrange(len(text)) :] for _ in range(40)]
    contents += [Folder.of({"a/b": text, "c": chance.randbytes(3)}) for _ in range(3)]
    packer, shelves = ParcelMaker(), [(ContentShelf(), set[bytes]()) for _ in range(3)]
    for content in contents:
        place = chance.randrange(3)
        if chance.random() < 0.2:
            shelves[place] = ContentShelf(), shelves[place][1]  # another one, of whom nobody knows
        shelf, known = shelves[place]
        found = shelf.unpack(packer.pack(ORDER, content, known))
        if found is None:
            known.clear()
            found = shelf.unpack(packer.pack(ORDER, content, known))
        assert found == (ORDER, content)


def test_a_large_text_is_sent_once() -> None:
    text = Random(1).randbytes(100 * LARGE)
    packer, known = ParcelMaker(), set[bytes]()
    sizes = [len(packer.pack(ORDER, text[:cut] + text[cut + 9 :], known)) for cut in range(0, 9000, 1000)]
    assert sizes[0] > len(text) - 100
    assert max(sizes[1:]) < 1000


def test_an_order_can_be_pickled_whatever_is_in_it() -> None:
    assert pickle.loads(pickle.dumps(ORDER)) == ORDER
