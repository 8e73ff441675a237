"""`wynot reduce FOLDER` with real programs: Python packages, C projects, stops, kills, and what is not fit for it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.support.stage import AFTER, LOOKS, Stage, eventually, give_away
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.engine.files.folder_io import read_folder, write_folder

TREE = Folder.of(
    {
        "main.txt": b"one\nuse lib\ntwo\n",
        "lib/a.txt": b"a\nbug\nb\n",
        "lib/b.txt": b"b\n" * 40,
        "docs/one.txt": b"1\n" * 30,
        "docs/deep/two.txt": b"2\n",
        "run.sh": Entry(EntryKind.FILE, b"exit 0\n", 0o755),
        "link": Entry(EntryKind.LINK, b"main.txt", 0o777),
        "void": Entry(EntryKind.FOLDER, mode=0o755),
    }
)
BODY = 'grep -q "use lib" "$1/main.txt" && grep -q bug "$1/lib/a.txt"'
RESULT = Folder.of({"main.txt": b"use lib", "lib/a.txt": b"bug"})
TEST = ("--test", "./check")


def fails(folder: Folder) -> bool:
    files = folder.files
    return b"use lib" in files.get("main.txt", b"") and b"bug" in files.get("lib/a.txt", b"")


def logging(stage: Stage, body: str = BODY) -> Path:
    """A script that first writes a line for the state of its folder to the log."""
    state = 'find . -printf "%p %y %m %l\\n" | sort; find . -type f | sort | xargs cat'
    return stage.script("check", f'(cd "$1" && {{ {state}; }}) 2>&1 | sha256sum >> {stage.folder}/log\n{body}')


@pytest.fixture
def tree(stage: Stage) -> Stage:
    """A folder of which two files matter."""
    write_folder(TREE, str(stage.work / "tree"))
    logging(stage)
    return stage


def test_the_result_is_a_folder(tree: Stage) -> None:
    done = tree.here("reduce", "tree", *TEST)
    assert done.code == 0, done.err
    first, second, third, run = done.out.splitlines()
    size, few = TREE.size, RESULT.size
    tests = f"{len(tree.searched) - 4} tests (+4 baseline"
    assert first.startswith(f"{size} -> {few} bytes in 7 -> 2 files, {tests}")
    assert second == "1-minimal: no file and no single character of a file can be removed"
    assert third == "written to tree.reduced"
    assert run.startswith("run ")
    assert done.err == "looking for: check exits 0\n"
    assert read_folder(tree.work / "tree.reduced") == RESULT
    assert read_folder(tree.work / "tree") == TREE
    assert sorted(path.name for path in tree.work.iterdir()) == ["check", "tree", "tree.reduced"]
    tree.assert_clean()


def test_machines_are_told_sizes_and_counts(tree: Stage) -> None:
    told = tree.here("reduce", "tree", *TEST, "--json").json
    assert (told["size_before"], told["size_after"]) == (TREE.size, RESULT.size)
    assert told["files"] == {"before": 7, "after": 2}
    assert told["before"] == {"bytes": TREE.size, "lines": 78, "tokens": 80}
    assert told["after"] == {"bytes": 10, "lines": 2, "tokens": 3}
    assert (told["status"], told["minimality"], told["outputs"]) == ("done", "1-minimal", ["tree.reduced"])
    assert told["tests"] == told["needed"] <= 75
    assert told["baseline_tests"] == LOOKS + 1


@pytest.mark.parametrize("given", ["tree", "tree/", "./tree", "tree/lib/.."])
def test_the_test_finds_the_folder_under_its_own_name(tree: Stage, given: str) -> None:
    """The path as the argument, the folder in the working folder, and nothing else there."""
    tree.script("check", f'{BODY} && test "$1" = "$PWD/tree" && test "$(ls -A)" = tree && test -z "$(ls -A "$TMPDIR")"')
    done = tree.here("reduce", given, *TEST, "--atoms", "lines", "-q")
    assert done.code == 0, done.err
    assert list(read_folder(tree.work / "tree.reduced").entries) == ["lib", "lib/a.txt", "main.txt"]


def test_the_folder_one_is_in(tree: Stage) -> None:
    """Its name is known, and the result does not go into it unasked."""
    tree.script("check", f'{BODY} && test "$1" = "$PWD/tree"')
    words = ("reduce", ".", "--test", "../check", "--atoms", "lines")
    tree.work, before = tree.work / "tree", tree.work
    refused = tree.here(*words)
    assert refused.code == 2
    told, hint = refused.err.splitlines()
    assert told == "wynot: tree.reduced is inside of .: the original is never touched"
    assert hint == f"  name another folder: -o {before}/tree.reduced"
    done = tree.here(*words, "-o", "../small")
    assert done.code == 0, done.err
    assert fails(read_folder(before / "small"))
    assert read_folder(before / "tree") == TREE


def test_a_test_that_spoils_its_folder_spoils_nothing_else(tree: Stage) -> None:
    """Each test has a folder of its own, whatever the one before has done."""
    spoil = 'echo bug > "$1/lib/new"; echo bug >> "$1/lib/a.txt"; rm "$1/main.txt"; ln -s / "$1/x"; chmod -R a-w "$1"'
    tree.script("check", f"{BODY}; e=$?; ({spoil}) 2>/dev/null; exit $e")
    assert tree.here("reduce", "tree", *TEST, "-q", "-j", "2").code == 0
    assert read_folder(tree.work / "tree.reduced") == RESULT
    assert read_folder(tree.work / "tree") == TREE
    tree.assert_clean()


@pytest.mark.parametrize("more", [(), ("--atoms", "lines"), ("--algorithm", "ddmin"), ("--algorithm", "hdd_star")])
def test_any_number_of_jobs_gives_the_same(tree: Stage, more: tuple[str, ...]) -> None:
    tree.script("check", f"sleep 0.0$((RANDOM%4))\n{BODY}", "/bin/bash")
    results, needed = set(), set()
    for jobs in (1, 4):
        done = tree.here("reduce", "tree", *TEST, "--fresh", "--json", "-j", jobs, "-o", f"out{jobs}", *more)
        assert done.code == 0, done.err
        results.add(read_folder(tree.work / f"out{jobs}").digest())
        needed.add(done.json["needed"])
    assert len(results) == len(needed) == 1
    tree.assert_clean()


def test_a_failure_that_does_not_show_is_1(tree: Stage) -> None:
    tree.script("check", "exit 7")
    done = tree.here("reduce", "tree", *TEST)
    assert (done.code, done.stdout) == (1, b"")
    told, hint = done.err.splitlines()
    assert told == "wynot: the failure does not show on tree in 10 runs: the test says pass (exit 7)"
    assert 'try it by hand: d=$(mktemp -d) && cp -r tree "$d" && ' in hint
    assert hint.endswith(f'{tree.work}/check "$d"/tree); echo $?')
    assert not (tree.work / "tree.reduced").exists()


@pytest.mark.parametrize("budget", [("--budget-tests", "9"), ("--budget-time", "3s")])
def test_a_budget_is_3_and_leaves_the_best_so_far(tree: Stage, budget: tuple[str, ...]) -> None:
    """The test itself uses up the time, once something was found: no clock decides how far the search comes."""
    if budget[0] == "--budget-time":
        log = tree.folder / "log"
        tree.script("check", f"echo ran >> {log}; test $(wc -l < {log}) -le 12 || sleep 1000; {BODY}")
    done = tree.here("reduce", "tree", *TEST, "--json", *budget)
    assert done.code == 3, done.err
    assert (done.json["status"], done.json["minimality"]) == ("budget", None)
    assert fails(read_folder(tree.work / "tree.reduced"))
    tree.assert_clean()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_is_130_and_leaves_the_best_so_far(tree: Stage, number: int) -> None:
    logging(tree, f"sleep 0.02; {BODY}")
    process = tree.start("reduce", "tree", *TEST, "--json")
    eventually(lambda: len(tree.log) > 12, "tests")
    process.send_signal(number)
    done = tree.ended(process)
    assert done.code == 130, done.err
    assert done.json["status"] == "interrupted"
    best = read_folder(tree.work / "tree.reduced")
    assert fails(best)
    assert best.size < TREE.size
    assert sorted(path.name for path in tree.work.iterdir()) == ["check", "tree", "tree.reduced"]
    tree.assert_clean()


def test_the_same_command_again_runs_no_test(tree: Stage) -> None:
    first = tree.here("reduce", "tree", *TEST, "--json").json
    count = len(tree.log)
    second = tree.here("reduce", "tree", *TEST, "--json").json
    assert len(tree.log) == count + 3  # the input, the result, and the latest candidate that passed
    assert (second["tests"], second["baseline_tests"], second["run"]) == (0, 1, first["run"])
    assert read_folder(tree.work / "tree.reduced") == RESULT


@pytest.mark.parametrize("change", ["content", "name", "mode", "link", "folder"])
def test_whatever_changes_in_the_folder_makes_another_run(tree: Stage, change: str) -> None:
    first = tree.here("reduce", "tree", *TEST, "--json", "--budget-tests", "1").json
    folder = tree.work / "tree"
    match change:
        case "content":
            (folder / "docs" / "one.txt").write_text("other")
        case "name":
            (folder / "docs" / "one.txt").rename(folder / "docs" / "ones.txt")
        case "mode":
            (folder / "run.sh").chmod(0o644)
        case "link":
            (folder / "link").unlink()
            (folder / "link").symlink_to("run.sh")
        case _:
            (folder / "void").rmdir()
    assert tree.here("reduce", "tree", *TEST, "--json", "--budget-tests", "1").json["run"] != first["run"]


@pytest.mark.slow
def test_killed_again_and_again(stage: Stage) -> None:
    """What stands there is a whole folder that fails at any time, and no test is run twice but those under way."""
    rng = random.Random(3)
    files = {f"{rng.choice('abc')}/{number}.txt": b"x\n" * rng.randint(1, 9) for number in range(40)}
    folder = Folder.of({**files, "main.txt": TREE.files["main.txt"], "lib/a.txt": TREE.files["lib/a.txt"]})
    write_folder(folder, str(stage.work / "tree"))
    logging(stage, f"sleep 0.01; test $(find \"$1\" -name '*.txt' | wc -l) -ge 14 && {BODY}")
    kills = 0
    while True:
        before = len(stage.log)
        process = stage.start("reduce", "tree", *TEST, "--json")
        while process.poll() is None and len(stage.log) < before + 12:
            time.sleep(0.002)
        if process.poll() is not None:
            break
        process.kill()
        stage.ended(process)
        kills += 1
        if (stage.work / "tree.reduced").exists():
            assert fails(read_folder(stage.work / "tree.reduced"))
    done = stage.ended(process)
    assert done.code == 0, done.err
    assert kills > 4
    result = read_folder(stage.work / "tree.reduced")
    assert fails(result)
    assert result.count == 14
    assert read_folder(stage.work / "tree") == folder
    runs = Counter(stage.log)
    most = (2 + 1) * kills + LOOKS + 2 * AFTER  # a kill during the last runs of the result repeats them
    assert runs.total() - len(runs) <= most, (
        "a kill costs the tests under way, and a look at the input at the next start"
    )
    assert sorted(path.name for path in stage.work.iterdir()) == ["check", "tree", "tree.reduced"]
    eventually(lambda: not list(stage.tmp.iterdir()), "the guardian has cleaned up")


def test_a_folder_that_is_not_ours_is_refused_until_it_is_gone(tree: Stage) -> None:
    (tree.work / "tree.reduced").mkdir()
    tree.file("tree.reduced/precious", "mine")
    done = tree.here("reduce", "tree", *TEST)
    assert (done.code, done.stdout, tree.log) == (2, b"", [])
    told, hint = done.err.splitlines()
    assert told == "wynot: tree.reduced exists, and it is not as wynot wrote it"
    assert hint == "  name another folder with -o, or remove it: rm -r tree.reduced"
    assert (tree.work / "tree.reduced" / "precious").read_text() == "mine"
    assert tree.here("reduce", "tree", *TEST, "-q", "-o", "other").code == 0
    shutil.rmtree(tree.work / "tree.reduced")
    assert tree.here("reduce", "tree", *TEST, "-q").code == 0


def test_our_own_result_is_replaced_also_by_another_run(tree: Stage) -> None:
    assert tree.here("reduce", "tree", *TEST, "-q", "--atoms", "lines").code == 0
    assert read_folder(tree.work / "tree.reduced").files["lib/a.txt"] == b"bug\n"
    assert tree.here("reduce", "tree", *TEST, "-q").code == 0
    assert read_folder(tree.work / "tree.reduced") == RESULT
    (tree.work / "tree.reduced" / "main.txt").write_text("changed by hand")
    assert tree.here("reduce", "tree", *TEST, "-q").code == 2


REFUSED = {
    "standard output": ("reduce tree --test ./check -o -", "does not fit into standard output", "-o tree.reduced"),
    "itself": ("reduce tree --test ./check -o tree", "never overwritten", "-o /"),
    "inside": ("reduce tree --test ./check -o tree/lib/out", "is inside of tree", "-o /"),
    "around": ("reduce tree/lib --test ./check -o tree", "tree/lib is inside of tree", "-o /"),
    "a file": ("reduce tree --test ./check -o check", "check is a file", "-o check.d"),
    "a link": ("reduce tree --test ./check -o link", "link is a link", "-o link.d"),
    "in no folder": ("reduce tree --test ./check -o no/out", "no: no such folder", "mkdir -p no"),
    "causes": ("reduce tree --test ./check --causes 2", "in files only", "leave --causes out"),
    "standard input": ("reduce tree -- cat", "cannot be given on standard input", "put {} where its path goes"),
    "standard input, differs": (
        "reduce tree --differs-from cat -- ls {}",
        "cannot be given on standard input",
        "put {}",
    ),
    "algorithm": ("reduce tree --test ./check --algorithm magic", "'magic'", "sweep"),
    "language": ("reduce tree --test ./check --language klingon", "'klingon'", "choose one of"),
    "isolate": ("isolate tree --test ./check", "tree is a folder; give a file", "ls tree"),
    "empty": ("reduce empty --test ./check", "empty is empty", "give a folder that has something in it"),
    "pipe": ("reduce special --test ./check", "special/in/pipe is a pipe", "rm special/in/pipe"),
    "socket": ("reduce sockets --test ./check", "sockets/socket is a socket", "rm sockets/socket"),
    "marks": ("reduce marks --test ./check", "protected regions in marks/in.txt", "fix the DDBEGIN"),
}


@pytest.mark.parametrize(("line", "told", "hint"), REFUSED.values(), ids=REFUSED)
def test_one_clear_line_and_what_to_type_next(tree: Stage, line: str, told: str, hint: str) -> None:
    for name in ("empty", "special/in", "sockets", "marks"):
        (tree.work / name).mkdir(parents=True)
    os.mkfifo(tree.work / "special" / "in" / "pipe")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(tree.work / "sockets" / "socket"))
    tree.file("marks/in.txt", "DDBEGIN\n")
    (tree.work / "link").symlink_to("nowhere")
    before = sorted(map(str, tree.work.rglob("*")))
    done = tree.here(*line.split())
    assert (done.code, done.stdout) == (2, b""), done.err
    first, second = done.err.splitlines()
    assert first.startswith("wynot: ")
    assert told in first
    assert second.startswith("  ")
    assert hint in second
    assert sorted(map(str, tree.work.rglob("*"))) == before
    tree.assert_clean()


@pytest.mark.parametrize("closed", ["tree/lib/a.txt", "tree/docs", "tree"])
def test_what_is_not_readable_is_told_by_name(commoner: Stage, closed: str) -> None:
    write_folder(TREE, str(commoner.work / "tree"))
    commoner.script("check", BODY)
    give_away(commoner.folder)
    (commoner.work / closed).chmod(0)
    done = commoner.here("reduce", "tree", *TEST)
    (commoner.work / closed).chmod(0o755)
    assert done.code == 2
    assert done.err.splitlines() == [
        f"wynot: cannot read {closed}: Permission denied",
        f"  check the permissions: ls -ld {closed}",
    ]


@pytest.mark.parametrize("mode", [0o555, 0o500, 0o700])
def test_folders_that_cannot_be_written_to_are_copied_and_removed(commoner: Stage, mode: int) -> None:
    closed = Folder.of({**TREE.entries, "lib": Entry(EntryKind.FOLDER, mode=mode)})
    write_folder(closed, str(commoner.work / "tree"))
    commoner.script("check", BODY)
    give_away(commoner.folder)
    for _ in range(2):
        done = commoner.here("reduce", "tree", *TEST, "-q", "--fresh")
        assert (done.code, done.err) == (0, "")
    assert read_folder(commoner.work / "tree.reduced").entries["lib"].mode == mode
    commoner.assert_clean()


def test_words_that_name_the_original_are_warned_of(tree: Stage) -> None:
    done = tree.here("reduce", "tree", "--budget-tests", "1", "--", "grep", "-r", "bug", "tree/lib", "{}")
    told = "warning: tree/lib is of the original, and the same in all tests; what is tested is {}/lib"
    assert told in done.err.splitlines()
    done = tree.here("check", "tree", "--fail-if-output", "bug", "--", "grep", "-r", "bug", "{}/lib")
    assert done.code == 0, done.err
    assert "the empty input is unresolved" in done.out


PACKAGE = {
    "package/__init__.py": '"""A package."""\nfrom .core import mean\n\n__all__ = ["mean"]\n',
    "package/__main__.py": """import sys

from package import extra, texts
from package.core import mean


def main(words):
    texts.greet(len(words))
    numbers = [int(word) for word in words]
    return mean(numbers) + extra.add(1, 2)


print(main(sys.argv[1:]))
""",
    "package/core.py": """def total(numbers):
    result = 0
    for number in numbers:
        result += number
    return result


def mean(numbers):
    return total(numbers) / len(numbers)
""",
    "package/extra.py": "def add(a, b):\n    return a + b\n",
    "package/texts.py": "def greet(n):\n    print('hello', n)\n",
    "package/more/__init__.py": "",
    "package/more/deep.py": "NAME = 'deep'\n",
    "setup.cfg": "[metadata]\nname = package\n",
}


def test_a_python_package(stage: Stage) -> None:
    """Eight files of which two matter; the failure is recognised by itself."""
    folder = Folder.of({path: text.encode() for path, text in PACKAGE.items()})
    write_folder(folder, str(stage.work / "project"))
    stage.changed["PYTHONDONTWRITEBYTECODE"] = "1"
    command = ("sh", "-c", f'cd "$0" && exec {sys.executable} -S -E -m package', "{}")
    done = stage.here("reduce", "project", "--json", "--atoms", "lines", "-j", "2", "--", *command)
    assert done.code == 0, done.err
    assert "ZeroDivisionError: division by zero" in done.json["looked_for"]
    files = read_folder(stage.work / "project.reduced").files
    assert set(files) == {"package/__main__.py", "package/core.py"}
    assert files["package/core.py"].endswith(b"def mean(numbers):\n    return total(numbers) / len(numbers)\n")
    assert done.json["files"] == {"before": 8, "after": 2}
    assert done.json["tests"] <= 130
    stage.assert_clean()


SHAPE_H = """#ifndef SHAPE_H
#define SHAPE_H
#include "util/list.h"
struct shape { int kind; int width; struct list *points; };
int area(struct shape *s);
#endif
"""
LIST_H = """#ifndef LIST_H
#define LIST_H
struct list { int value; struct list *next; };
int length(struct list *l);
#endif
"""
C_PROJECT = {
    "include/shape.h": SHAPE_H,
    "include/util/list.h": LIST_H,
    "src/list.c": """#include "util/list.h"
int length(struct list *l) { int n = 0; for (; l; l = l->next) n++; return n; }
""",
    "src/shape.c": """#include "shape.h"
int area(struct shape *s) { return s->width / (s->kind - length(s->points)); }
""",
    "src/main.c": '#include "shape.h"\nint main(void) {\n  struct shape s = {0, 2, 0};\n  return area(&s);\n}\n',
    "Makefile": "all:\n\tcc -Iinclude src/*.c\n",
    "tests/t.c": "int t;\n",
}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None and os.environ.get("CI") != "true", reason="no gcc here")
def test_a_c_project(stage: Stage) -> None:
    """Headers go once nobody includes them, each file is cut by its own language, and all that is tested parses."""
    write_folder(Folder.of({path: text.encode() for path, text in C_PROJECT.items()}), str(stage.work / "project"))
    stage.script(
        "check",
        """cd "$1" && gcc -w -O0 -Iinclude src/*.c -o "$TMPDIR/a.out" 2> /dev/null || exit 125
        perl -e 'system $ARGV[0]; exit(($? & 127) != 8)' "$TMPDIR/a.out" """,  # no chance number is a signal
    )
    done = stage.here("reduce", "project", *TEST, "--json", "-j", "2")
    assert done.code == 0, done.err
    result = read_folder(stage.work / "project.reduced")
    assert result.count <= 2
    assert not any(path.startswith(("include", "tests", "Makefile")) for path in result.entries)
    assert done.json["minimality"] == "1-tree-minimal"
    assert done.json["after"]["tokens"] <= 25
    assert done.json["tests"] <= 400
    stage.assert_clean()
