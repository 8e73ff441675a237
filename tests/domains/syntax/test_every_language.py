"""Each language: its sample is read without an error, and any file, however spoilt, is read as a whole."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpus.test_corpus import CORPUS, NEEDED
from tests.domains.syntax.files import sample, sample_path, spoilt
from tests.domains.syntax.laws import assert_in_order, assert_well_formed, assert_whole, fewer, some
from wynot.core.config import Config
from wynot.domains.syntax.language_loading import NAMES, guessed, load

seeds = st.integers(0, 2**32)
every_language = pytest.mark.parametrize("name", NAMES)

ODD = {
    "nothing": b"",
    "a line break": b"\n",
    "blanks": b" \t \r\n\t ",
    "a byte order mark": b"\xef\xbb\xbf",
    "NULs": b"\0\0\n\0",
    "not UTF-8": b"\xff\xfe\xc3(\x80\xed\xa0\x80\n",
    "half a character": "é€".encode()[:-1],
    "only closing": b")]}>*/-->'''",
    "only opening": b"([{<\"'/*<!--",
}


@every_language
def test_the_sample_is_read_without_an_error(name: str) -> None:
    data = sample(name)
    assert 20 <= data.count(b"\n") <= 50
    assert guessed(sample_path(name).name, data) == (None if name == "outline" else name)
    pruned = assert_whole(load(name), data)
    assert len(pruned) > 40
    checker = load(name).checker(data)
    assert checker.broken == 0
    assert checker(data)


@every_language
def test_every_node_of_the_sample_is_of_its_kind(name: str) -> None:
    """What `kinds` says of a stretch is what `parse` finds there."""
    data = sample(name)
    tree, checker = load(name).parse(data), load(name).checker(data)
    for node in range(1, len(tree)):
        assert tree.kinds[node] in checker.kinds(data, tree.starts[node], tree.ends[node])


@every_language
def test_the_sample_can_be_cut_down(name: str) -> None:
    """Each node that may be replaced by nothing leaves a text that is as valid, nearly always."""
    pruned = assert_whole(load(name), sample(name))
    whole = Config.full(len(pruned))
    nodes = [node for node in range(1, len(pruned)) if pruned.places.smallest(node) is not None]
    assert len(nodes) > len(pruned) / 5
    checker = load(name).checker(sample(name))
    valid = [checker(pruned.render(whole - pruned.tree.shape.subtree(node))) for node in nodes]
    assert sum(valid) >= 0.85 * len(valid)


@every_language
@some
@given(seed=seeds)
def test_any_file_is_read_as_a_whole(name: str, seed: int) -> None:
    assert_whole(load(name), spoilt(name, seed))


@every_language
@fewer
@given(seed=seeds)
def test_what_is_left_stays_in_order(name: str, seed: int) -> None:
    assert_in_order(assert_whole(load(name), spoilt(name, seed)), seed)


@every_language
@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_odd_files(name: str, data: bytes) -> None:
    pruned = assert_whole(load(name), data)
    pruned.render(Config())
    assert load(name).checker(data)(data)


@every_language
def test_only_the_upper_levels(name: str) -> None:
    """Nodes below a level may be left out; the others are the same."""
    language, data = load(name), sample(name)
    tree = language.parse(data)
    for deepest in (1, 3, 10**6):
        part = language.parse(data, deepest)
        assert_well_formed(part)
        spans = set(zip(part.kinds, part.starts, part.ends, strict=True))
        assert spans <= set(zip(tree.kinds, tree.starts, tree.ends, strict=True))
        assert len(part) == len(tree) or deepest < 10**6


@every_language
@pytest.mark.parametrize("data", [b"1", b"a+b", b"f(x)", b"[1]", b"- a", b"a{}", b"a.b", b"x;"])
def test_small_files_have_all_their_nodes(name: str, data: bytes) -> None:
    assert load(name).parse(data).kinds == load(name).parse(data, 10**6).kinds


@every_language
@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"], ids=["unix", "dos", "mac"])
def test_line_ends_and_byte_order_marks(name: str, before: bytes, line_end: bytes) -> None:
    data = before + sample(name).replace(b"\n", line_end)
    assert_in_order(assert_whole(load(name), data), seed=1)


def inputs() -> list[Path]:
    """The inputs of the corpus."""
    cases = [(path.parent, tomllib.loads(path.read_text())) for path in sorted(CORPUS.glob("*/case.toml"))]
    return [folder / facts["input"] for folder, facts in cases if facts["kind"] == "input"]


@pytest.mark.corpus
@pytest.mark.parametrize("path", inputs() or [None], ids=lambda path: path and path.parent.name)
def test_the_corpus(path: Path | None) -> None:
    if path is None:
        if NEEDED:
            pytest.fail(f"no corpus at {CORPUS}")
        pytest.skip(f"no corpus at {CORPUS}")
    data = path.read_bytes()
    for name in {guessed(path.name, data) or "outline", "outline"}:
        assert_whole(load(name), data)
