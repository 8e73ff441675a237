"""The process ends at once, and nothing is lost: neither output, nor exit code, nor what is to be done in the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BEFORE = """
import atexit, os, sys, threading, time
sys.argv = ["wynot", *sys.argv[1:]]
class Taken:
    def __del__(self):
        os.write(1, b"taken apart ")
sys.modules["taken"] = Taken()
atexit.register(print, "at the end", end=" ")
{more}
from wynot.__main__ import main
main()
"""
THREAD = "threading.Thread(target=lambda: (time.sleep(0.3), os.write(1, b'waited for '))).start()"


def ended(more: str, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-c", BEFORE.format(more=more), *words], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(("words", "code"), [(("--version",), 0), (("reduce",), 2)])
def test_what_is_registered_is_done_and_what_is_printed_is_written(words: tuple[str, ...], code: int) -> None:
    status, said = ended("", *words)
    assert status == code
    assert "at the end" in said
    assert "taken apart" not in said
    assert ("version" in said) == (code == 0)


@pytest.mark.parametrize(("more", "word"), [(THREAD, "waited for"), ("sys.setprofile(lambda *_: None)", "taken apart")])
def test_who_has_still_something_to_do_is_waited_for(more: str, word: str) -> None:
    status, said = ended(more, "--version")
    assert status == 0
    assert "at the end" in said
    assert word in said


def test_a_profile_of_the_whole_is_made(tmp_path: Path) -> None:
    kept = tmp_path / "profile"
    words = [sys.executable, "-m", "cProfile", "-o", str(kept), "-m", "wynot", "--version"]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 0
    assert kept.stat().st_size > 0
