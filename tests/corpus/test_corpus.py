"""Real failures of real programs, from the corpus beside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

CORPUS = Path(os.environ.get("WYNOT_CORPUS", Path(__file__).parents[2].parent / "shared" / "corpus"))
NEEDED = os.environ.get("CI") == "true"
CASES = ("fuzz-pcal", "fuzz-as86", "seed-bug-c")

pytestmark = pytest.mark.corpus


def case(name: str) -> tuple[Path, Path]:
    """The input and the check of a case, its program installed."""
    folder = CORPUS / name
    if not folder.is_dir():
        if NEEDED:
            pytest.fail(f"no corpus at {CORPUS}")
        pytest.skip(f"no corpus at {CORPUS}")
    about = tomllib.loads((folder / "case.toml").read_text())
    source, check = folder / about["input"], folder / "check"
    shown = subprocess.run([check, source], capture_output=True, check=False).returncode
    if shown == 125 and NEEDED:
        subprocess.run(["bash", folder / "install"], capture_output=True, check=True)
        shown = subprocess.run([check, source], capture_output=True, check=False).returncode
    if shown != 0:
        if NEEDED:
            pytest.fail(f"{name} does not fail here (exit {shown})")
        pytest.skip(f"{name}: its program is not installed; run {folder / 'install'}")
    return source, check


def wynot(command: str, *words: object, home: Path) -> dict[str, object]:
    """Run wynot with --json and read its answer."""
    done = subprocess.run(
        [sys.executable, "-m", "wynot", command, "--json", "-q", *map(str, words)],
        capture_output=True,
        env={**os.environ, "WYNOT_HOME": str(home)},
        cwd=home,
        check=True,
    )
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("name", CASES)
def test_same_result_for_any_number_of_jobs_and_by_replay(name: str, tmp_path: Path) -> None:
    """-j 1, 2, 8 give the same bytes; so does a replay from the journal, with one look at the input."""
    source, check = case(name)
    results = []
    for jobs in (1, 2, 8):
        out = tmp_path / f"out{jobs}"
        answer = wynot("reduce", source, "--test", check, "-o", out, "-j", jobs, "--fresh", home=tmp_path)
        assert answer["minimality"] == ("1-tree-minimal" if name.startswith("seed") else "1-minimal")
        results.append((out.read_bytes(), answer["needed"]))
    assert len(set(results)) == 1
    replayed = wynot("reduce", source, "--test", check, "-o", tmp_path / "replayed", home=tmp_path)
    assert (tmp_path / "replayed").read_bytes() == results[0][0]
    assert (replayed["tests"], replayed["baseline_tests"]) == (0, 1)


@pytest.mark.parametrize("name", CASES)
def test_the_result_fails_and_no_single_character_can_be_left_out(name: str, tmp_path: Path) -> None:
    """Checked without wynot: by the case's own check, once for each character."""
    source, check = case(name)
    out = tmp_path / source.name
    wynot("reduce", source, "--test", check, "-o", out, "-j", 2, "--language", "none", home=tmp_path)
    text = out.read_bytes().decode()
    assert subprocess.run([check, out], check=False).returncode == 0
    for i in range(len(text)):
        out.write_bytes((text[:i] + text[i + 1 :]).encode())
        assert subprocess.run([check, out], check=False).returncode != 0, f"character {i} can be left out"


@pytest.mark.parametrize(
    ("algorithm", "runs", "tokens"), [("hdd", 86, 51), ("hdd_star", 164, 51), ("hdd_plus", 164, 51), (None, 150, 49)]
)
def test_the_papers_c_program(algorithm: str | None, runs: int, tokens: int, tmp_path: Path) -> None:
    """2006, figure 4: HDD 86 tests -> 51 tokens, HDD* 164 -> 51; ours must not be dearer or larger."""
    source, check = case("seed-bug-c")
    words = ["--algorithm", algorithm] if algorithm else []
    answer = wynot("reduce", source, "--test", check, "-o", tmp_path / "out.c", *words, home=tmp_path)
    assert answer["tests"] <= runs  # type: ignore[operator]
    assert answer["after"]["tokens"] <= tokens  # type: ignore[index]


def test_the_thesis_java_program(tmp_path: Path) -> None:
    """Thesis, chapter 5: 88 tests, none with a syntax error, 41 characters that are not blank."""
    source, check = case("seed-sha1-java")
    out = tmp_path / "out.java"
    answer = wynot("reduce", source, "--test", check, "-o", out, "-j", 2, home=tmp_path)
    assert answer["needed"] <= 88  # type: ignore[operator]
    assert answer["outcomes"]["unresolved"] == 0  # type: ignore[index]
    assert len(b"".join(out.read_bytes().split())) <= 41


def test_a_plain_command_is_enough(tmp_path: Path) -> None:
    """No test script: the command that crashes, and its signal is recognised."""
    source, _ = case("fuzz-pcal")
    out = tmp_path / "out"
    answer = wynot("reduce", source, "-o", out, "--", "pcal", "-f", "{}", "-o", "out.ps", home=tmp_path)
    assert str(answer["looked_for"]).startswith("SIGSEGV")
    assert len(out.read_bytes()) == 1


def test_isolating_a_crash_takes_a_binary_search(tmp_path: Path) -> None:
    """Proposition 18 on a real program: no unresolved outcome, so at most ceil(log2 n) tests, one character."""
    source, check = case("fuzz-pcal")
    answer = wynot("isolate", source, "--test", check, "-o", tmp_path / "pair", home=tmp_path)
    assert answer["difference"] == 1
    assert isinstance(answer["tests"], int)
    assert answer["tests"] <= (10_000).bit_length()
