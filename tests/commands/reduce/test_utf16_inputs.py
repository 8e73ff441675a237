"""Texts in UTF-16 and UTF-32 have the trees of their languages, too."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from tests.domains.samples import WIDE
from wynot.commands.reduce.reduction import reduce
from wynot.domains.text.atoms import WideEncoding, plain, wide
from wynot.domains.text.tokens import count
from wynot.engine.run_options import Options

C = "".join(f"int f{each}(int a) {{ return a + {each}; /* ä€𝄞 */ }}\r\n" for each in range(30))


def text(data: bytes) -> str:
    """What a program reads that takes UTF-16 with its mark only."""
    return data.decode("utf-16") if data.startswith(codecs.BOM_UTF16_LE) else ""


def fails(data: bytes) -> bool:
    said = text(data)
    return "f7(" in said and said.count("{") == said.count("}") > 0


def test_a_wide_text_is_read_by_its_grammar() -> None:
    asked: list[bytes] = []

    def counted(each: bytes) -> bool:
        asked.append(each)
        return fails(each)

    result = reduce(codecs.BOM_UTF16_LE + C.encode("utf-16-le"), counted, name="x.c")
    assert result.minimality == "1-tree-minimal"
    assert fails(result.data)
    assert len(text(result.data)) < 20
    assert len(asked) < 60


@pytest.mark.parametrize("encoding", WIDE)
def test_there_and_back(encoding: str) -> None:
    data = ("\ufeff" + C).encode(encoding)
    found = wide(data)
    assert found == WideEncoding(encoding)
    assert found.narrowed(data) == C.encode()
    assert found.widened(C.encode()) == data
    assert found.narrowed(found.widened(b"")) == b""
    assert wide(C.encode()) is None


@pytest.mark.parametrize("options", [Options(atoms="bytes"), Options(causes=2), Options(delimiters=(b";\0",))])
def test_places_in_the_file_are_those_of_the_file(options: Options) -> None:
    data = codecs.BOM_UTF16_LE + "a;b;c;".encode("utf-16-le")
    assert reduce(data, lambda each: b"b" in each, options, name="x").causes[0] in {b"b", b"b\0", b"b\0;\0"}


def test_an_empty_file_that_fails() -> None:
    data = codecs.BOM_UTF16_LE + C.encode("utf-16-le")
    assert reduce(data, lambda _each: True, name="x.c").data == b""


def test_tokens_of_a_wide_text_are_those_of_its_text() -> None:
    narrow, broad = b"int x = 1;\n", "\ufeffint x = 1;\n".encode("utf-16-le")
    assert count(plain(broad)) == count(plain(narrow)) == 5


def test_a_wide_text_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.c").write_bytes(codecs.BOM_UTF16_LE + C.encode("utf-16-le"))
    (tmp_path / "in" / "y.c").write_bytes(C.encode())
    result = reduce(tmp_path / "in", lambda files: fails(files.get("x.c", b"")))
    assert list(result.files) == ["x.c"]
    assert len(text(result.files["x.c"])) < 20
    assert result.cost.counts.tests < 80


def test_the_mark_alone_may_fail() -> None:
    """A file that has only that, too: the empty one does not fail."""
    for said in ("select 1;\nselect 2;\n", ""):
        data = codecs.BOM_UTF16_LE + said.encode("utf-16-le")
        result = reduce(data, lambda each: each.startswith(codecs.BOM_UTF16_LE), name="x.sql")
        assert (result.data, result.weak) == (codecs.BOM_UTF16_LE, False)


def test_the_mark_alone_is_not_asked_for_where_something_is_protected() -> None:
    data = codecs.BOM_UTF16_LE + "keep\nDDBEGIN\na\nb\nDDEND\n".encode("utf-16-le")
    result = reduce(data, lambda each: each.startswith(codecs.BOM_UTF16_LE), name="x.txt")
    assert "keep" in text(result.data)
