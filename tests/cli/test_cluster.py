"""What is said where `--cluster` cannot be done."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.stage import open_stage
from wynot.cli.main import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cluster", "nowhere"], "is not a cluster address"),
        (["--cluster", "local:0"], "is not a cluster address"),
        (["--cluster", "local:2", "-j", "2"], "a cluster decides itself"),
        (["--cluster-tls-ca", "ca.pem"], "add --cluster ADDRESS"),
        (["--cluster", "tls://host:1", "--cluster-tls-ca", "/no/ca.pem"], "/no/ca.pem: no such file"),
        (["--cluster", "tcp://host:1", "--cluster-tls-ca", "{file}"], "write --cluster tls://host:1"),
        (["--cluster", "tls://host:1", "--cluster-tls-cert", "{file}"], "needs its key"),
        (["--cluster", "local:2", "--cluster-tls-ca", "{file}"], "its own certificates"),
    ],
)
def test_bad_addresses(words: list[str], said: str, tmp_path: Path) -> None:
    file = tmp_path / "input.txt"
    file.write_text("x")
    given = [word.format(file=file) for word in words]
    done = CliRunner().invoke(main, ["reduce", str(file), *given, "--", "false"])
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.splitlines()) == 2


@pytest.mark.parametrize("words", [["events", "{file}"], ["trace", "--", "python3", "{file}"]])
def test_what_runs_here_only(words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "input.py"
    file.write_text("x")
    given = [word.format(file=file) for word in words]
    done = CliRunner().invoke(main, [given[0], "--cluster", "local:2", *given[1:]])
    assert done.exit_code == 2
    assert "--cluster cannot be used here" in done.output


def test_dask_is_missing(tmp_path: Path) -> None:
    (tmp_path / "dask.py").write_text("raise ImportError")
    with open_stage(tmp_path) as stage:
        stage.file("input.txt", "x")
        stage.changed["PYTHONPATH"] = f"{tmp_path}:{stage.env.get('PYTHONPATH', '')}"
        done = stage.wynot("reduce", "input.txt", "--cluster", "local:2", "--", "false")
        assert done.code == 2
        assert done.err.splitlines()[-2:] == [
            "wynot: --cluster needs dask.distributed, which is not installed",
            "  pip install 'wynot[cluster]'",
        ]


def test_nobody_answers(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with open_stage(tmp_path) as stage:
        stage.file("input.txt", "x")
        done = stage.wynot("reduce", "input.txt", "--cluster", address, "--", "false")
        assert done.code == 2
        assert f"wynot: no cluster answers at {address}" in done.err
        assert "Traceback" not in done.err
