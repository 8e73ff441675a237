"""`--grammar`, `wynot grammar check`, `wynot grammar convert`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wynot.cli.main import main

DATA = Path(__file__).parents[1] / "domains" / "grammar" / "data"
CALCULATE = (sys.executable, "-c", "import sys; eval(open(sys.argv[1]).read())", "{}")


def wynot(*words: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, words)))


@pytest.fixture
def total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WYNOT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "sum.x"
    path.write_text("((1+(2*3))/(2-2))+(3*5)\n")
    return path


def test_reduce_by_a_grammar(total: Path) -> None:
    done = wynot("reduce", total, "--grammar", DATA / "arithmetic.y", "--algorithm", "hdd", "-q", "--", *CALCULATE)
    assert done.exit_code == 0, done.output
    assert Path("sum.reduced.x").read_text() == "(1/(2-2))+1\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--grammar", "nowhere.y"), "nowhere.y: no such file"),
        (("--grammar", DATA / "arithmetic.y", "--language", "c"), "not both"),
        (("--start", "E"), "but there is none"),
        (("--grammar", DATA / "arithmetic.g4", "--start", "sum"), "no rule sum"),
        (("--grammar", DATA / "arithmetic.lark", "--tokens", "nowhere"), "nowhere: no such file"),
    ],
)
def test_what_cannot_be(total: Path, words: tuple[str | Path, ...], said: str) -> None:
    done = wynot("reduce", total, *words, "--", *CALCULATE)
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.strip().splitlines()) == 2


def test_check_shows_what_is_in_a_grammar(tmp_path: Path) -> None:
    path = tmp_path / "odd.lark"
    path.write_text('start: "a" | loop | e\nloop: "b" loop\nlost: "c"\ne: e "+" e | N\nN: /[0-9]+/\n')
    done = wynot("grammar", "check", path)
    assert done.exit_code == 0, done.output
    for line in ("rules that derive nothing: loop", "rules that start does not lead to: lost", "ambiguous: 1 choices"):
        assert line in done.output
    assert "  e      1\n" in done.output


def test_check_shows_the_tree_of_an_input(total: Path) -> None:
    done = wynot("grammar", "check", DATA / "arithmetic.g4", total)
    assert done.exit_code == 0, done.output
    assert "      e  (1+(2*3))/(2-2)  [-> 1]" in done.output


def test_check_says_where_an_input_does_not_parse(total: Path) -> None:
    total.write_text("1+")
    done = wynot("grammar", "check", DATA / "arithmetic.g4", total)
    assert done.exit_code == 2
    assert "sum.x:1:3: arithmetic.g4 does not describe this input: the end of the file cannot come here" in done.output


def test_convert(total: Path) -> None:
    shown = wynot("grammar", "convert", DATA / "arithmetic.y")
    assert shown.exit_code == 0, shown.output
    assert wynot("grammar", "convert", DATA / "arithmetic.y", "-o", "sums.lark").exit_code == 0
    assert Path("sums.lark").read_text() in shown.output
    done = wynot("grammar", "check", "sums.lark", total)
    assert done.exit_code == 0, done.output
    assert wynot("grammar", "convert", "sums.lark", "-o", "sums.lark").exit_code == 2
