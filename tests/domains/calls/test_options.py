"""Calls taken apart and put together: words, keys of configuration files, variables."""

from __future__ import annotations

import json
import string
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from wynot.core.call import HERE, Call, Variable
from wynot.core.config import Config
from wynot.domains.calls.call_tree import CallTree, ConfigFile, WordGroup, pieces
from wynot.domains.calls.config_keys import KeysError, read_keys

WORDS = st.lists(st.sampled_from(["-a", "-o", "--long", "--x=1", "file", "-I", "-5", "--", "sub", "-"]), max_size=8)


@settings(deadline=None)
@given(WORDS)
def test_with_everything_a_call_is_as_it_was(words: list[str]) -> None:
    call = CallTree(pieces(["prog", *words], {"--long": 2}))
    assert call.render(Config.full(len(call))).argv == ("prog", *words)


@settings(deadline=None)
@given(WORDS, st.data())
def test_what_is_left_stands_in_order_and_no_argument_stays_without_its_option(
    words: list[str], data: st.DataObject
) -> None:
    call = CallTree(pieces(["prog", *words]))
    config = Config.of([0, *data.draw(st.sets(st.integers(0, len(call) - 1)))])
    left = iter(["prog", *words])
    assert all(word in left for word in call.render(config).argv)
    for piece in call.pieces:
        if piece.free and piece.tied == 2:
            assert piece.rest == ()


def named(words: str, **ways: object) -> list[str]:
    return [p.name for p in pieces(words.split(), is_file=lambda w: w.endswith(".c"), **ways) if p.free]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("gcc -O2 -c a.c", ["-O2", "-c"]),
        ("gcc -o out a.c -lm", ["-o out", "-lm"]),
        ("prog sub --level 5 --flag", ["--level 5", "--flag"]),
        ("prog --level -5 -x", ["--level -5", "-x"]),
        ("prog -a -- -b", ["-a"]),
        ("prog - --x=1 y", ["--x=1"]),
        ("prog", []),
    ],
)
def test_options_with_their_arguments(words: str, names: list[str]) -> None:
    assert named(words) == names


def test_the_user_knows_what_an_option_takes() -> None:
    assert named("jq --arg n v . a.c", takes={"--arg": 2}) == ["--arg n v"]
    assert named("prog -v sub", takes={"-v": 0}) == ["-v"]


def test_the_other_reading() -> None:
    [_, piece] = pieces(["prog", "-v", "sub"])
    assert (piece.name, piece.rest) == ("-v sub", ())
    assert (piece.otherwise().name, piece.otherwise().rest) == ("-v", ("sub",))
    sure = WordGroup(("-v", "x"), free=True, tied=2)
    assert sure.otherwise() == sure


SCALARS = st.one_of(st.integers(-9, 9), st.booleans(), st.text(string.ascii_letters, max_size=3))
NAMES = st.text(string.ascii_lowercase, min_size=1, max_size=2)
DATA = st.dictionaries(
    NAMES,
    st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)),
    max_size=4,
)  # fmt: skip


def cut(data: object, gone: set[tuple[str | int, ...]], here: tuple[str | int, ...] = ()) -> object:
    if isinstance(data, dict):
        return {k: cut(v, gone, (*here, k)) for k, v in data.items() if (*here, k) not in gone}
    if isinstance(data, list):
        return [cut(v, gone, (*here, i)) for i, v in enumerate(data) if (*here, i) not in gone]
    return data


@pytest.mark.parametrize("format_", ["json", "toml", "yaml"])
@settings(max_examples=30, deadline=None)
@given(data=DATA, draw=st.data())
def test_keys_are_cut_and_nothing_else(format_: str, data: dict[str, object], draw: st.DataObject) -> None:
    import io  # noqa: PLC0415

    import tomlkit  # noqa: PLC0415

    if format_ == "yaml":
        stream = io.StringIO()
        YAML().dump(data, stream)
        text = stream.getvalue()
    else:
        text = json.dumps(data, indent=1) if format_ == "json" else tomlkit.dumps(data)
    keys = read_keys(f"a.{format_}", text.encode())
    gone = draw.draw(st.sets(st.sampled_from(keys.paths))) if keys.paths else set()
    left = keys.without(gone).decode()
    yaml: Any = YAML(typ="safe", pure=True)
    readers: dict[str, Callable[[str], Any]] = {"json": json.loads, "toml": tomllib.loads, "yaml": yaml.load}
    loads = readers[format_]
    assert loads(left) == cut(loads(text), gone)
    assert keys.without([]) == text.encode()


def test_what_is_left_keeps_its_look() -> None:
    toml = read_keys("a.toml", b"# head\na = 1  # one\nb = 2\n\n[t]\nx = [1,   2]\n")
    assert toml.without([("b",)]) == b"# head\na = 1  # one\n\n[t]\nx = [1,   2]\n"
    yaml = read_keys("a.yml", b"# head\na: 1  # one\nb: 2\nt:\n  x: 'q'\n")
    assert b"a: 1  # one" in yaml.without([("b",)])
    ini = read_keys("a.ini", b"; head\n[s]\nx = 1\n  more\n# why\ny: 2\n[t]\nflag\n")
    assert ini.paths == [("s",), ("s", "x"), ("s", "y"), ("t",), ("t", "flag")]
    assert ini.without([("s", "x"), ("t",)]) == b"; head\n[s]\n# why\ny: 2\n"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.toml", b"[a", "no valid TOML"),
        ("a.json", b"{", "no valid JSON"),
        ("a.yaml", b"a: [1", "no valid YAML"),
        ("a.ini", b"[a\n=x", "no valid INI"),
        ("a.json", b"\xff", "no text"),
        ("strange", b"[x", "neither JSON nor TOML nor INI"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(name: str, text: bytes, why: str) -> None:
    with pytest.raises(KeysError, match=why):
        read_keys(name, text)


def test_a_call_with_all_kinds_of_circumstances() -> None:
    keys = read_keys("a.json", b'{"x": {"y": 1, "z": 2}}')
    call = CallTree(
        pieces(["prog", "-a", HERE + "/a.json"], {"-a": 0}), [Variable("TZ", "UTC")], [ConfigFile("a.json", keys)],
        lambda name: name == "-a",
    )  # fmt: skip
    assert [d.name for d in call.deltas if d] == ["-a", "TZ", "a.json: x", "a.json: x.y", "a.json: x.z"]
    assert call.count == 4
    none = call.render(call.nothing())
    assert none == Call(("prog", "-a", HERE + "/a.json"), (Variable("TZ", None),), (("a.json", b"{}"),))
    assert none.words("/w") == ("prog", "-a", "/w/a.json")
