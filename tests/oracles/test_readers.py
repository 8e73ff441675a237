"""Readers against what programs really print: the cases are files in `outputs/`, see the README there."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.oracles.readers import registry
from wynot.oracles.readers.registry import READERS, diagnose
from wynot.oracles.readers.stack_frames import collapse
from wynot.oracles.signature import Diagnosis, FailureReader

OUTPUTS = Path(__file__).parent / "outputs"
CASES = sorted(path for path in OUTPUTS.glob("*/*.txt") if path.parent.name != "none")
NAMELESS_FUNCTIONS = {"stripped", "troff"}
NONE = sorted(OUTPUTS.glob("none/*.txt"))


def case_name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def expected(path: Path) -> Diagnosis:
    told = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return Diagnosis(**{**told, "frames": tuple(told["frames"])})


@pytest.mark.parametrize("path", CASES, ids=case_name)
def test_the_right_reader_understands_it(path: Path) -> None:
    found = diagnose(path.read_text(encoding="utf-8"))
    assert found == expected(path)
    assert found is not None
    assert found.reader == path.parent.name


@pytest.mark.parametrize("path", NONE, ids=case_name)
def test_ordinary_output_is_left_alone(path: Path) -> None:
    assert diagnose(path.read_text(encoding="utf-8")) is None


@pytest.mark.parametrize("path", CASES, ids=case_name)
def test_output_around_it_does_not_matter(path: Path) -> None:
    """Warnings before, and what else was on standard output after."""
    text = path.read_text(encoding="utf-8")
    assert diagnose(f"warning: unused variable 'x'\n{text}\nresults written: 3\n") == expected(path)


@pytest.mark.parametrize("path", [path for path in CASES if path.stem not in NAMELESS_FUNCTIONS], ids=case_name)
def test_addresses_do_not_matter(path: Path) -> None:
    """The same run at other addresses is the same failure, as long as functions have names."""
    moved = path.read_text(encoding="utf-8").replace("0x0000", "0x00ab").replace("0x5", "0x6").replace("0x7f", "0x7e")
    assert diagnose(moved) == expected(path)


def test_every_reader_has_cases_and_every_case_a_reader() -> None:
    names = [reader.name for reader in READERS]
    assert sorted(names) == sorted({path.parent.name for path in CASES})
    assert {path.with_suffix("") for path in OUTPUTS.glob("*/*.json")} == {path.with_suffix("") for path in CASES}


def test_cases_are_small_and_come_from_nowhere_in_particular() -> None:
    for path in CASES + NONE:
        text = path.read_text(encoding="utf-8")
        assert len(text) < 8192, path
        assert "/home/" not in text, path
        assert "/root/" not in text, path


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@given(
    text=st.text()
    | st.lists(st.sampled_from([line for path in CASES for line in path.read_text(encoding="utf-8").splitlines()])).map(
        "\n".join
    )
)
def test_no_output_upsets_a_reader(reader: FailureReader, text: str) -> None:
    """Cut or shuffled output (a full pipe, several threads that print) is understood or not, but never an error."""
    found = reader.read(text)
    assert found is None or (found.reader == reader.name and "\n" not in found.message and "" not in found.frames)


NAMES = st.lists(st.sampled_from("abc"), max_size=12)


@given(
    NAMES,
    st.lists(st.sampled_from("xyz"), min_size=1, max_size=6, unique=True),
    st.integers(2, 50),
    st.integers(0, 5),
    NAMES,
)
def test_the_depth_of_a_recursion_is_not_kept(
    inner: list[str], cycle: list[str], times: int, rest: int, outer: list[str]
) -> None:
    deep = inner + cycle * times + cycle[: rest % len(cycle)] + outer
    once = inner + cycle * 2 + outer
    assert collapse(deep) == collapse(once)


@given(st.lists(st.integers().map(str), unique=True))
def test_a_stack_without_repetition_is_kept(names: list[str]) -> None:
    assert collapse(names) == tuple(names)


# --- readers that users bring


class Shouting:
    """A reader of a made-up program."""

    name = "shouting"

    def read(self, text: str) -> Diagnosis | None:
        return Diagnosis(self.name, "shout", text.strip()) if text.isupper() else None


class Broken:
    name = "broken"

    def read(self, text: str) -> Diagnosis | None:
        raise ZeroDivisionError(text)


TRACE = 'Traceback (most recent call last):\n  File "x.py", line 1, in f\nKeyError: 1\n'


def test_a_reader_that_is_brought_is_asked_first() -> None:
    assert diagnose("HELP!\n", [Shouting()]) == Diagnosis("shouting", "shout", "HELP!")
    assert diagnose("HELP!\n") is None
    found = diagnose(TRACE, [Shouting()])
    assert found is not None
    assert found.reader == "python"


def test_a_reader_that_fails_is_told_of_and_left_out() -> None:
    with pytest.warns(RuntimeWarning, match="the reader 'broken' failed: ZeroDivisionError"):
        found = diagnose(TRACE, [Broken()])
    assert found is not None
    assert found.kind == "KeyError"


def plug(monkeypatch: pytest.MonkeyPatch, *values: str) -> None:
    entries = [EntryPoint(f"e{number}", value, registry.GROUP) for number, value in enumerate(values)]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries if group == registry.GROUP else [])
    monkeypatch.setattr(registry, "plugins", registry.plugins.__wrapped__)


def test_plug_ins_are_found_by_their_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    plug(monkeypatch, f"{__name__}:SHOUTING")
    assert diagnose("HELP!") == Diagnosis("shouting", "shout", "HELP!")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("wynot_no_such_module", "cannot be loaded: ModuleNotFoundError"),
        (f"{__name__}:NOTHING", "cannot be loaded: AttributeError"),
        (f"{__name__}:TRACE", "is not a reader"),
        (f"{__name__}:NAMELESS", "is not a reader"),
    ],
)
def test_a_plug_in_that_does_not_load_is_told_of_and_left_out(
    monkeypatch: pytest.MonkeyPatch, value: str, words: str
) -> None:
    plug(monkeypatch, value)
    with pytest.warns(RuntimeWarning, match=words):
        found = diagnose(TRACE)
    assert found is not None
    assert found.kind == "KeyError"


def test_plug_ins_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def entry_points(group: str) -> list[EntryPoint]:
        asked.append(group)
        return []

    monkeypatch.setattr(registry, "entry_points", entry_points)
    registry.plugins.cache_clear()
    try:
        for _ in range(3):
            diagnose("fine")
    finally:
        registry.plugins.cache_clear()
    assert asked == ["wynot.readers"]


SHOUTING = Shouting()
NAMELESS = SimpleNamespace(read=print)


def test_a_diagnosis_reads_well() -> None:
    path = OUTPUTS / "gcc" / "in-function.txt"
    assert (
        str(diagnose(path.read_text(encoding="utf-8")))
        == "internal compiler error at cfgexpand.cc:4006 in `expand_gimple_stmt_1`"
    )
    assert asdict(expected(path))["reader"] == "gcc"
