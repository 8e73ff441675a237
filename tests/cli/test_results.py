"""What a run writes and prints: files, words, JSON; and that nothing else is touched."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from tests.support.stage import Stage
from wynot import __version__

TEXT = "one\nbug 1\ntwo\nbug 2\nthree\nbug 3\nfour\n"
TEST = ("--test", "./check")


@pytest.fixture
def problem(stage: Stage) -> Stage:
    return stage.posed(TEXT)


def names(stage: Stage) -> list[str]:
    return sorted(path.name for path in stage.work.iterdir())


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("bug.c", "bug.reduced.c"),
        ("bug", "bug.reduced"),
        ("a.tar.gz", "a.tar.reduced.gz"),
        (".hidden", ".hidden.reduced"),
        ("my bug.c", "my bug.reduced.c"),
        ("sub/bug.c", "bug.reduced.c"),
        ("-bug.c", "-bug.reduced.c"),
        ("žluťoučký.c", "žluťoučký.reduced.c"),
    ],
)
def test_the_result_is_written_here_beside_the_name(problem: Stage, name: str, result: str) -> None:
    (problem.work / "sub").mkdir()
    problem.file(name, TEXT)
    done = problem.here("reduce", *TEST, "--", name) if name.startswith("-") else problem.wynot("reduce", name, *TEST)
    assert done.code == 0, done.err
    assert (problem.work / result).read_bytes() == b"bug"
    assert f"written to {result}" in done.out


def test_a_name_that_is_no_text(problem: Stage) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    problem.file(name, TEXT)
    done = problem.wynot("reduce", name, *TEST, "--json")
    assert not done.crash
    assert done.code == 0
    assert (problem.work / os.fsdecode(b"caf\xe9.reduced.txt")).read_bytes() == b"bug"
    again = problem.wynot("reduce", name, *TEST)
    assert not again.crash
    assert again.code == 0


@pytest.mark.parametrize("command", ["reduce", "isolate"])
def test_an_input_that_can_be_read_only_once(problem: Stage, command: str) -> None:
    """`wynot reduce <(make-input)`: an input is read once."""
    read, write = os.pipe()
    os.write(write, TEXT.encode())
    os.close(write)
    done = problem.wynot(command, "/dev/stdin", *TEST, "--json", stdin=read)
    os.close(read)
    assert done.code == 0, done.err
    assert done.json["size_before"] == len(TEXT)


def test_the_original_is_never_touched(problem: Stage) -> None:
    path = problem.work / "in.txt"
    path.chmod(0o444)
    before = path.stat()
    problem.script("check", 'echo changed >> "$1"; grep -q bug "$1"')
    assert problem.here("reduce", "in.txt", *TEST, "-j", "2").code == 0
    assert problem.here("isolate", "in.txt", *TEST).code == 0
    after = path.stat()
    assert path.read_text() == TEXT
    assert (after.st_ino, after.st_mtime_ns, after.st_mode) == (before.st_ino, before.st_mtime_ns, before.st_mode)


def test_the_results_of_further_causes_do_not_touch_the_original(problem: Stage) -> None:
    """The second cause would go to in.2.txt, which is what is being reduced."""
    path = problem.file("in.2.txt", TEXT)
    done = problem.here("reduce", "in.2.txt", *TEST, "--atoms", "lines", "--causes", "3", "-o", "in.txt")
    assert path.read_text() == TEXT
    assert done.code == 2
    assert "the original is never overwritten" in done.err


@pytest.mark.parametrize("side", ["failing", "passing"])
def test_isolate_does_not_touch_what_it_was_given(problem: Stage, side: str) -> None:
    """Inputs may have the very names that results get."""
    given = {"failing": "fails.txt", "passing": "works.txt", side: side}
    problem.file(given["failing"], TEXT)
    problem.file(given["passing"], "one\ntwo\n")
    problem.here("isolate", given["failing"], "--passing", given["passing"], *TEST, "-o", ".")
    assert (problem.work / given["failing"]).read_text() == TEXT
    assert (problem.work / given["passing"]).read_text() == "one\ntwo\n"


def test_a_special_file_is_not_replaced_by_a_result(problem: Stage) -> None:
    """For root, `-o /dev/null` must not put a file in the place of the device."""
    pipe = problem.work / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        done = problem.here("reduce", "in.txt", *TEST, "-o", "pipe")
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        assert done.code == 2 or os.read(reader, 100) == b"bug"
    finally:
        os.close(reader)


def test_a_result_replaces_an_older_one_whole(problem: Stage) -> None:
    """Whoever reads the older one goes on reading it; nothing is left beside the new one."""
    target = problem.file("out.txt", "older " * 1000)
    with target.open() as older:
        assert problem.here("reduce", "in.txt", *TEST, "-o", "out.txt").code == 0
        assert older.read() == "older " * 1000
    assert target.read_bytes() == b"bug"
    assert names(problem) == ["check", "in.txt", "out.txt"]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_result_may_be_read_by_whom_the_user_lets(problem: Stage, mask: int) -> None:
    before = os.umask(mask)
    try:
        assert problem.here("reduce", "in.txt", *TEST).code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((problem.work / "in.reduced.txt").stat().st_mode) == 0o666 & ~mask


def test_a_dash_is_standard_output(problem: Stage) -> None:
    done = problem.here("reduce", "in.txt", *TEST, "-o", "-")
    assert (done.code, done.stdout) == (0, b"bug")
    assert "-> 3 bytes" in done.err
    assert names(problem) == ["check", "in.txt"]


def test_a_dash_with_json_and_quiet(problem: Stage) -> None:
    done = problem.here("reduce", "in.txt", *TEST, "-o", "-", "--json")
    assert done.stdout == b"bug"
    assert json.loads(done.told)["size_after"] == 3
    done = problem.here("reduce", "in.txt", *TEST, "-o", "-", "-q")
    assert (done.stdout, done.err) == (b"bug", "")


def test_a_dash_gives_bytes_as_they_are(problem: Stage) -> None:
    data = bytes(range(256))
    problem.file("in.bin", data)
    problem.script("check", 'LC_ALL=C grep -aq "$(printf "\\\\377")" "$1"')
    done = problem.here("reduce", "in.bin", *TEST, "-o", "-", "-q")
    assert (done.code, done.stdout) == (0, b"\xff")


@pytest.mark.parametrize("command", ["reduce", "isolate"])
def test_quiet_prints_nothing(problem: Stage, command: str) -> None:
    done = problem.here(command, "in.txt", *TEST, "-q")
    assert (done.code, done.stdout, done.err) == (0, b"", "")


def test_quiet_prints_errors(problem: Stage) -> None:
    assert problem.here("reduce", "in.txt", "-q", "--", "true").err.startswith("wynot: the failure does not show")


def test_json_of_a_reduction(problem: Stage) -> None:
    done = problem.here("reduce", "in.txt", *TEST, "--json")
    told = done.json
    assert done.stdout.count(b"\n") == 1
    assert {
        "command": "reduce", "status": "done", "minimality": "1-minimal", "atoms": "chars",
        "looked_for": "check exits 0", "killed": 0, "baseline_tests": 4, "rate": 1.0, "outputs": ["in.reduced.txt"],
        "size_before": len(TEXT), "size_after": 3, "more": None,
        "before": {"bytes": len(TEXT), "lines": 7, "tokens": 10}, "after": {"bytes": 3, "lines": 1, "tokens": 1},
        "causes": [{"bytes": 3, "lines": 1, "tokens": 1}],
    }.items() <= told.items()  # fmt: skip
    assert told["tests"] == told["needed"] == len(problem.searched) - 4
    assert told["runs"] == len(problem.searched) == len(problem.log) - told["after_tests"]
    assert sum(told["outcomes"].values()) == told["needed"] + told["cached"]
    assert 0 <= told["engine"] <= told["wall"]
    assert (problem.home / "runs" / f"{told['run']}.db").exists()


def test_json_of_an_isolation(problem: Stage) -> None:
    problem.file("works.txt", "one\n")
    done = problem.here("isolate", "in.txt", "--passing", "works.txt", *TEST, "--json", "-o", "pair")
    told = done.json
    assert done.stdout.count(b"\n") == 1
    sizes = {side: len((problem.work / "pair" / side).read_bytes()) for side in ("failing", "passing")}
    assert told["command"] == "isolate"
    assert told["outputs"] == ["pair/passing", "pair/failing"]
    assert {side: told[side]["bytes"] for side in sizes} == sizes
    assert (told["size_before"], told["size_after"]) == (len(TEXT), sizes["failing"])
    assert told["difference"] == 1
    assert told["minimality"] == "1-minimal"
    assert told["baseline_tests"] == 4
    assert told["tests"] + told["baseline_tests"] == told["runs"] == len(problem.searched)
    assert told["rate"] == 1.0


def test_json_counts_what_a_pool_ran_ahead(problem: Stage) -> None:
    told = problem.here("reduce", "in.txt", *TEST, "--json", "-j", "4").json
    assert told["needed"] <= told["tests"] <= len(problem.searched)
    assert told["tests"] + told["baseline_tests"] + told["killed"] >= len(problem.searched)


def test_all_causes_are_found_in_turn(problem: Stage) -> None:
    done = problem.here("reduce", "in.txt", *TEST, "--atoms", "lines", "--causes", "3", "--json")
    assert done.json["outputs"] == ["in.reduced.txt", "in.reduced.2.txt", "in.reduced.3.txt"]
    found = [(problem.work / name).read_text() for name in done.json["outputs"]]
    assert sorted(found) == ["bug 1\n", "bug 2\n", "bug 3\n"]
    assert [cause["bytes"] for cause in done.json["causes"]] == [6, 6, 6]
    assert done.json["more"] is False


def test_causes_that_are_not_asked_for_are_told(problem: Stage) -> None:
    done = problem.here("reduce", "in.txt", *TEST, "--atoms", "lines", "--causes", "2")
    assert "2 independent causes, found in turn" in done.out
    assert "without them, the failure stays" in done.out
    assert names(problem) == ["check", "in.reduced.2.txt", "in.reduced.txt", "in.txt"]


def test_more_causes_than_there_are(problem: Stage) -> None:
    done = problem.here("reduce", "in.txt", *TEST, "--atoms", "lines", "--causes", "9")
    assert done.code == 0
    assert "3 independent causes" in done.out
    assert "without them, it no longer fails" in done.out


@pytest.mark.parametrize(
    ("atoms", "result"),
    [("lines", "a(1); xbug(2) b;\n"), ("tokens", "xbug"), ("chars", "bug"), ("bytes", "bug"), ("auto", "bug")],
)
def test_atoms(problem: Stage, atoms: str, result: str) -> None:
    problem.file("in.txt", "first;\na(1); xbug(2) b;\nlast\n")
    told = problem.here("reduce", "in.txt", *TEST, "--atoms", atoms, "--json").json
    assert (problem.work / "in.reduced.txt").read_text() == result
    assert told["atoms"] == ("chars" if atoms == "auto" else atoms)


@pytest.mark.parametrize(
    ("data", "delimiters", "result"),
    [
        (b"one;two bug;three", [";"], b"two bug;"),
        (b"one;two bug,three", [";", ","], b"two bug,"),
        (b"one\0two bug\0three", ["\\x00"], b"two bug\0"),
        (b"one\n\ntwo\nbug\n\nthree", ["\\n\\n"], b"two\nbug\n\n"),
        (b"one\ttwo bug\tx", ["\\t"], b"two bug\t"),
        (b"one\xfftwo bug\xffx", ["\\xff"], b"two bug\xff"),
        ("one€two bug€x".encode(), ["€"], "two bug€".encode()),
    ],
)
def test_delimiters(problem: Stage, data: bytes, delimiters: list[str], result: bytes) -> None:
    """With atoms that the input has none of, what delimiters cut is all that is cut."""
    problem.file("in.txt", data)
    words = [word for delimiter in delimiters for word in ("--delimiter", delimiter)]
    problem.script("check", 'LC_ALL=C grep -aq "bug" "$1" && cp "$1" ' + f'{problem.folder}/seen-$(wc -c < "$1")')
    assert problem.here("reduce", "in.txt", *TEST, *words).code == 0
    assert (problem.work / "in.reduced.txt").read_bytes() == b"bug"
    assert result in [path.read_bytes() for path in problem.folder.glob("seen-*")]


def test_protected_text_stays(problem: Stage) -> None:
    text = "head\n/* DDBEGIN */\none\nbug\ntwo\n/* DDEND */\nmiddle\n// DDBEGIN\nx\n// DDEND\ntail\n"
    problem.file("in.txt", text)
    assert problem.here("reduce", "in.txt", *TEST).code == 0
    assert (problem.work / "in.reduced.txt").read_text() == (
        "head\n/* DDBEGIN */\nbug/* DDEND */\nmiddle\n// DDBEGIN\n// DDEND\ntail\n"
    )
    assert problem.here("isolate", "in.txt", *TEST, "-o", "pair").code == 0
    for side in ("passing", "failing"):
        kept = (problem.work / "pair" / side).read_text()
        assert kept.startswith("head\n/* DDBEGIN */\n")
        assert kept.endswith("// DDEND\ntail\n")


@pytest.mark.parametrize("algorithm", ["sweep", "ddmin", "cdd", "probdd", "dd1999", "ddplus"])
def test_algorithms_of_reduce(problem: Stage, algorithm: str) -> None:
    problem.script("check", 'grep -q "bug 1" "$1" && grep -q "bug 3" "$1"')
    told = problem.here("reduce", "in.txt", *TEST, "--atoms", "lines", "--algorithm", algorithm, "--json").json
    assert (problem.work / "in.reduced.txt").read_text() == "bug 1\nbug 3\n"
    assert told["minimality"] == ("1-minimal" if algorithm not in ("dd1999", "ddplus") else None)


@pytest.mark.parametrize("algorithm", ["dd", "ddmax"])
def test_algorithms_of_isolate(problem: Stage, algorithm: str) -> None:
    problem.script("check", 'grep -q "bug 1" "$1" && grep -q "bug 3" "$1"')
    done = problem.here(
        "isolate", "in.txt", *TEST, "--atoms", "lines", "--algorithm", algorithm, "-o", "pair", "--json"
    )
    assert done.json["difference"] == 1
    passing, failing = ((problem.work / "pair" / side).read_text() for side in ("passing", "failing"))
    assert "bug 1" in failing
    assert "bug 3" in failing
    assert ("bug 1" in passing) != ("bug 3" in passing)
    if algorithm == "ddmax":
        assert failing == TEXT


def test_monotony_saves_tests_and_changes_nothing(problem: Stage) -> None:
    common = ("reduce", "in.txt", *TEST, "--algorithm", "ddmin", "--json", "--atoms", "lines")
    plain = problem.here(*common)
    result = (problem.work / "in.reduced.txt").read_bytes()
    monotone = problem.here(*common, "--monotone")
    assert (problem.work / "in.reduced.txt").read_bytes() == result
    assert monotone.json["tests"] <= plain.json["tests"]
    assert monotone.json["run"] != plain.json["run"]


@pytest.mark.parametrize(("needed", "warned"), [("! grep -q '^bug 12$' \"$1\" || ", True), ("", False)])
def test_monotony_that_tests_contradict(stage: Stage, needed: str, warned: bool) -> None:
    """Line 7 is needed only while line 12 is there: that a set without it passes says nothing of smaller ones."""
    stage.file("in.txt", "".join(f"bug {n}\n" for n in range(1, 17)))
    three = f"grep -q '^bug 2$' \"$1\" && grep -q '^bug 15$' \"$1\" && {{ {needed}grep -q '^bug 7$' \"$1\"; }}"
    stage.script("check", three)
    common = ("reduce", "in.txt", *TEST, "--algorithm", "ddmin", "--atoms", "lines", "--monotone")
    done = stage.here(*common)
    assert done.code == 0, done.err
    assert ("--monotone does not hold: a test fails that was predicted to pass (lines" in done.err) == warned
    assert (stage.work / "in.reduced.txt").read_text() == ("bug 2\nbug 15\n" if warned else "bug 2\nbug 7\nbug 15\n")


def test_help_and_version(problem: Stage) -> None:
    for words in (("--help",), ("reduce", "--help"), ("isolate", "-h")):
        done = problem.wynot(*words)
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith("Usage: ")
    assert "Exit: 0 done; 1 the failure does not show; 2 usage" in problem.wynot("--help").out
    assert problem.wynot("--version").out.endswith(f"wynot, version {__version__}\n")


def test_a_plain_terminal_sees_no_progress_line(problem: Stage) -> None:
    """Where nobody watches, a run says how it stands every ten seconds only."""
    assert problem.here("reduce", "in.txt", *TEST).err == "looking for: check exits 0\n"


def test_results_stay_in_their_folder(problem: Stage) -> None:
    target = Path("sub/out.txt")
    (problem.work / "sub").mkdir()
    assert problem.here("reduce", "in.txt", *TEST, "-o", target).code == 0
    assert names(problem) == ["check", "in.txt", "sub"]
    assert [path.name for path in (problem.work / "sub").iterdir()] == ["out.txt"]
