"""Tests are laid out so that a command ends in them as it does as typed, wherever the files that it reads are."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.support.repos import Repo
from tests.support.stage import LOOKS, Done, Stage

LINES = "".join(f"line {number}\n" for number in range(6)) + "bug\n"
INCLUDING = '#include "../../inc/x.h"\nint one(void) { return 1; }\nint main(void) { return BAD(2); }\n'


def reduced(stage: Stage, name: str, *words: str, folder: Path | None = None) -> Done:
    done = stage.here("reduce", name, "--json", *words, folder=folder)
    assert done.code == 0, done.err
    return done


def looked_for(stage: Stage, name: str, *words: str, folder: Path | None = None) -> str:
    """The failure that tests would look for."""
    done = stage.here("check", name, "--json", "--", *words, folder=folder)
    assert done.code == 0, done.err
    return str(done.json["looked_for"])


def project(stage: Stage, name: str, header: str) -> Path:
    """A project whose source includes a header two levels up."""
    for folder in ("src/deep", "inc"):
        (stage.work / name / folder).mkdir(parents=True)
    stage.file(f"{name}/inc/x.h", header)
    stage.file(f"{name}/src/deep/s.c", INCLUDING)
    return stage.work / name


def test_a_header_above_the_working_folder_is_found(stage: Stage) -> None:
    folder = project(stage, "p", "#define BAD(x) (x)->nothing\n") / "src" / "deep"
    done = reduced(stage, "s.c", "--", "gcc", "-c", "{}", folder=folder)
    assert "the command also reads ../../inc/x.h beside s.c: laid beside each candidate" in done.err
    assert "invalid type argument" in done.json["looked_for"]
    assert (folder / "s.reduced.c").read_text().startswith('#include "../../inc/x.h"')
    assert stage.here("verify", "last", folder=folder).code == 0


def test_a_header_beside_an_input_elsewhere_is_found(stage: Stage) -> None:
    folder = project(stage, "p", "#define BAD(x) (x)->nothing\n") / "build" / "now"
    folder.mkdir(parents=True)
    assert "invalid type argument" in looked_for(stage, "../../src/deep/s.c", "gcc", "-c", "{}", folder=folder)


def test_a_header_above_an_input_with_a_full_path_is_found(stage: Stage) -> None:
    """No folder of the user holds it and the working folder."""
    source = project(stage, "p", "#define BAD(x) (x)->nothing\n") / "src" / "deep" / "s.c"
    for folder in ("/", "/usr"):
        said = looked_for(stage, str(source), "gcc", "-fsyntax-only", "{}", folder=Path(folder))
        assert "invalid type argument" in said


def test_a_file_above_the_working_folder_is_found(stage: Stage) -> None:
    (stage.work / "sub").mkdir()
    stage.file("words.txt", "bug\n")
    stage.file("sub/in.txt", LINES)
    command = 'grep -qf ../words.txt "$0" || exit 0; exit 3'
    done = reduced(stage, "in.txt", "--", "sh", "-c", command, "{}", folder=stage.work / "sub")
    assert done.json["looked_for"] == "exit code 3"
    assert (stage.work / "sub" / "in.reduced.txt").read_bytes() == b"bug"


def test_the_name_of_the_working_folder_is_the_same(stage: Stage) -> None:
    """The file that the command reads lets the folder of a test represent the one above."""
    (stage.work / "shop").mkdir()
    stage.file("shop.conf", "x")
    stage.file("shop/in.txt", LINES)
    command = 'test -e "../${PWD##*/}.conf" || exit 9; cat "../${PWD##*/}.conf"; grep -q bug "$0" && exit 3; exit 0'
    assert "exit code 3" in looked_for(stage, "in.txt", "sh", "-c", command, "{}", folder=stage.work / "shop")


def test_a_work_tree_of_git_is_found(stage: Stage) -> None:
    """Git looks for folders, too, that it reads nothing from, and takes no link for its files."""
    repo = Repo(stage.work)
    sha = repo.commit("start", {"in.txt": LINES.encode(), "words": b"bug\n"})
    index = (stage.work / ".git" / "index").read_bytes()
    command = (
        'h=$(git rev-parse HEAD) || exit 9; git status > /dev/null; grep -qf words "$0" || exit 0; echo "at $h"; exit 3'
    )
    assert looked_for(stage, "in.txt", "sh", "-c", command, "{}").startswith(f"exit code 3: at {sha}")
    assert (stage.work / ".git" / "index").read_bytes() == index


def test_a_program_that_prints_the_name_of_its_folder_is_not_refused(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    command = 'grep -q bug "$0" || exit 0; echo "error in project ${PWD##*/}" >&2; exit 3'
    assert looked_for(stage, "in.txt", "sh", "-c", command, "{}") == f"exit code 3: error in project {stage.work.name}"


def test_an_input_whose_path_has_to_be_relative_is_found(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    done = reduced(stage, "in.txt", "--", "sh", "-c", 'grep -q bug "./$0" || exit 0; exit 3', "{}")
    assert done.json["looked_for"] == "exit code 3"
    assert (stage.work / "in.reduced.txt").read_bytes() == b"bug"
    again = reduced(stage, "in.txt", "--", "sh", "-c", 'grep -q bug "./$0" || exit 0; exit 3', "{}")
    assert again.json["tests"] == 0


def test_many_files_in_the_folder_of_the_input_are_found(stage: Stage) -> None:
    """A link to the whole folder would be in the way of the input."""
    (stage.work / "src").mkdir()
    for number in range(20):
        stage.file(f"src/{number}.h", f"#define N{number} {number}\n")
    includes = "".join(f'#include "{number}.h"\n' for number in range(20))
    stage.file("src/s.c", f"{includes}int main(void) {{ return N19->nothing; }}\n")
    assert "invalid type argument" in looked_for(stage, "src/s.c", "gcc", "-c", "{}")


def test_runs_of_other_layouts_are_none_of_the_failure(stage: Stage) -> None:
    """They ended otherwise: they are no runs in which the failure has shown."""
    stage.file("words", "bug\n")
    stage.file("in.txt", LINES)
    command = 'grep -qf words "$0" || exit 0; exit 3'
    done = stage.here("check", "in.txt", "--json", "--", "sh", "-c", command, "{}")
    assert (done.json["rate"], done.json["runs"]) == (1, LOOKS)


def test_a_replay_finds_what_it_reads(stage: Stage) -> None:
    """The failure was a missing file, and the answer that it shows without any action."""
    stage.file("limit", "10\n")
    replay = "import json, sys\ntotal = sum(json.loads(line)['add'] for line in open(sys.argv[1]))\n"
    stage.file("replay.py", f"{replay}if total > int(open('limit').read()): raise OverflowError('too many')\n")
    stage.file("log.jsonl", "".join(json.dumps({"add": number}) + "\n" for number in range(1, 7)))
    done = stage.here("events", "log.jsonl", "--json", "--", sys.executable, "-S", "replay.py", "{}")
    assert done.code == 0, done.err
    assert "OverflowError: too many" in done.json["looked_for"]
    kept = [json.loads(line)["add"] for line in (stage.work / "log.reduced.jsonl").read_text().splitlines()]
    assert sum(kept) - min(kept) <= 10 < sum(kept)


def test_a_copy_of_a_project_is_tested_with_its_own_files(stage: Stage) -> None:
    """Input and command are the same, so the journal is, too; what lies beside the input is not."""
    for name, word in (("one", "bug"), ("two", "b")):
        (stage.work / name).mkdir()
        stage.file(f"{name}/words", f"{word}\n")
        stage.file(f"{name}/in.txt", LINES)
        folder = stage.work / name
        done = reduced(stage, "in.txt", "--", "sh", "-c", 'grep -qf words "$0" || exit 0; exit 3', "{}", folder=folder)
        assert (folder / "in.reduced.txt").read_text() == word
    assert "the outcomes of earlier runs are set aside: the command runs in another folder" in done.err


@pytest.mark.skipif(shutil.which("jq") is None and not os.environ.get("CI"), reason="jq is not installed")
def test_a_result_in_a_folder_that_is_named_was_changed_by_no_test(stage: Stage) -> None:
    """The point is the working folder, and the result is written there: the run was stopped for that."""
    stage.file("bug.json", '{"a": 1, "b": [1, 2,}\n')
    (stage.work / "bug.reduced.json").write_text("of an earlier run")
    reduced(stage, "bug.json", "--", "jq", ".")
    assert (stage.work / "bug.reduced.json").read_text() == "}"


@pytest.mark.parametrize("folder", ["src", "."])
def test_a_folder_that_holds_the_input_is_that_of_the_test(stage: Stage, folder: str) -> None:
    """Without `{}` the command finds the candidate in there, and writes nothing to the user's folder."""
    (stage.work / "src").mkdir()
    stage.file("src/words.txt", "bug\n")
    stage.file("src/in.txt", LINES)
    below = "src" if folder == "." else "."
    stage.script("tool", f'cd "$1/{below}" && echo x >> log; grep -qf words.txt in.txt && exit 3')
    done = reduced(stage, "src/in.txt", "-o", "small", "--", "./tool", folder)
    assert (stage.work / "small").read_bytes() == b"bug"
    assert (stage.work / "src" / "log").read_text() == "x\n"  # of the run as typed
    assert "holds the original" not in done.err


def test_a_full_path_of_a_folder_that_holds_the_input_is_reported(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    stage.script("tool", 'grep -q bug "$1/in.txt" && exit 3')
    done = stage.here("check", "in.txt", "--", "./tool", str(stage.work))
    assert done.code == 0, done.err
    done = stage.here("reduce", "in.txt", "--", "./tool", str(stage.work))
    assert f"{stage.work} holds the original, which is the same in all tests" in done.err
    assert done.code == 1


def test_a_hole_below_a_full_path_is_the_candidate(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    command = 'grep -q bug "$0" && exit 3; exit 0'
    done = reduced(stage, "in.txt", "-o", "small", "--", "sh", "-c", command, f"{stage.work}/{{}}")
    assert done.json["looked_for"] == "exit code 3"
    assert (stage.work / "small").read_bytes() == b"bug"
