"""Which files the words of a command mean where tests run inside of the folder that is tested."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from wynot.cli.common_options import OracleOptions
from wynot.cli.oracle_options import make_oracle
from wynot.errors import UsageError
from wynot.oracles.command import Command
from wynot.oracles.extra_commands import BuildFirst, ValidIf
from wynot.oracles.script import Script
from wynot.oracles.signature import Precision

INSIDE = frozenset({"Makefile", "tests", "tests/test_x.py", "run"})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the user's, in which files of the same names are."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    for name in ("tests/test_x.py", "Makefile", "run", "own"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("sh", "tests/test_x.py"), ("sh", "tests/test_x.py")),
        (("sh", "./tests/../Makefile", "."), ("sh", "./tests/../Makefile", ".")),
        (("./run", "tests"), ("./run", "tests")),
        (("{}/run", "{}"), ("{}/run", "{}")),
        (("sh", "tests/test_x.py::test_one"), ("sh", "tests/test_x.py::test_one")),
        (("sh", "own", "-o", "own"), ("sh", "HERE/own", "-o", "own")),
        (("./own", "--own", "nothing"), ("HERE/own", "--own", "nothing")),
    ],
)
def test_words_mean_what_is_in_the_folder(here: Path, words: tuple[str, ...], meant: tuple[str, ...]) -> None:
    """And never what is in the user's own, unless it is only there."""
    oracle = make_oracle(OracleOptions(), words, INSIDE)
    assert oracle == Command(
        tuple(word.replace("HERE", str(here)) for word in meant),
        precision=Precision(values=True),
        debugger=shutil.which("gdb"),
        inside=True,
    )


def test_a_script_runs_inside(here: Path) -> None:
    assert make_oracle(OracleOptions(test="own"), (), INSIDE) == Script(str(here / "own"), inside=True)


@pytest.mark.usefixtures("here")
def test_a_build_goes_before_everything() -> None:
    oracle = make_oracle(OracleOptions(test="own", valid_if="sh Makefile"), (), INSIDE, "make -j2 && make install")
    assert isinstance(oracle, BuildFirst)
    assert oracle.build == "make -j2 && make install"
    assert isinstance(oracle.inner, ValidIf)
    assert oracle.inner.validity == Command(("sh", "Makefile"), inside=True)


@pytest.mark.usefixtures("here")
def test_nothing_cannot_be_run() -> None:
    with pytest.raises(UsageError, match="--build is empty"):
        make_oracle(OracleOptions(test="own"), (), INSIDE, " ")
    with pytest.raises(UsageError, match="no such program"):
        make_oracle(OracleOptions(), ("./nowhere",), INSIDE)
