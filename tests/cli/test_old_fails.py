"""Where OLD does not pass: how it fails, quoted; why; and what to type, which is then tried."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.support.repos import Repo
from tests.support.stage import Done, Stage

PACKAGE = "src/shop/__init__.py"


@pytest.fixture
def repo(stage: Stage) -> Repo:
    return Repo(stage.work)


@pytest.fixture
def shop(repo: Repo) -> Repo:
    """A Python package and its test; v2 breaks it."""
    repo.commit("start", {PACKAGE: b"PRICE = 1\n", "test.py": b"import shop\nassert shop.PRICE == 1, shop.PRICE\n"})
    repo.git("tag", "v1")
    repo.commit("guilty", {PACKAGE: b"PRICE = 2\n", "other.txt": b""})
    repo.git("tag", "v2")
    return repo


def python_with(folder: Path, *, editable: Path | None = None, copy: Path | None = None) -> Path:
    """An interpreter that has a package: installed editable, by a line that leads to its sources, or a copy of it."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/*/site-packages")
    if editable is not None:
        (site / "__editable__.shop.pth").write_text(f"{editable}\n")
    if copy is not None:
        shutil.copytree(copy, site / copy.name)
    return folder / "bin" / "python"


def typed(stage: Stage, hint: str) -> Done:
    """Type what a hint advises."""
    words = shlex.split(hint[hint.index("wynot ") :])
    return stage.here(*words[1:])


@pytest.mark.parametrize("command", ["changes", "bisect"])
def test_an_editable_install(stage: Stage, shop: Repo, command: str) -> None:
    """Its sources are those of the user's checkout, whatever the tree holds."""
    python = python_with(stage.folder / "venv", editable=shop.path / "src")
    done = stage.here(command, "v1", "v2", "-o", "why it breaks.patch", "--fresh", "--", python, "test.py")
    said, *quoted, hint = done.told.splitlines()
    assert done.code == 1
    assert said == (
        "wynot: v1 does not pass the test: it also fails (AssertionError: 2 in `<module>`): "
        f"Python imports shop from {shop.path}/src/shop, not from the tree"
    )
    assert quoted[-1] == "  | AssertionError: 2"
    words = f"wynot {command} v1 v2 -o 'why it breaks.patch' -- env PYTHONPATH=src {python} test.py"
    assert hint == f"  let it import from the tree: {words}"
    assert f"breaks v1\n{PACKAGE}\n" in typed(stage, hint).out
    assert (stage.work / "why it breaks.patch").exists(), "the options that were typed are part of the advice"


def test_an_installed_copy_and_a_checkout_that_works(stage: Stage, shop: Repo) -> None:
    """Then it is NEW that does not fail; the reason is the same."""
    shop.git("checkout", "-q", "v1")
    python = python_with(stage.folder / "venv", copy=shop.path / "src" / "shop")
    done = stage.here("changes", "v1", "v2", "--", python, "test.py")
    said, hint = done.told.splitlines()
    assert done.code == 1
    assert said.startswith("wynot: the failure does not show on v2 in 10 runs")
    assert said.endswith(
        f"Python imports shop from {python.parent.parent}/{'/'.join(_site(python))}/shop, not from the tree"
    )
    assert f"breaks v1\n{PACKAGE}\n" in typed(stage, hint).out


def _site(python: Path) -> tuple[str, ...]:
    (site,) = python.parent.parent.glob("lib/*/site-packages")
    return site.relative_to(python.parent.parent).parts


def test_a_test_in_the_folder_from_which_it_imports(stage: Stage, repo: Repo) -> None:
    """Python looks in the folder of a script first: PYTHONPATH does not matter, and there is nothing to install."""
    check = b"import lib\nassert lib.x == 1, lib.x\n"
    repo.commit("start", {"lib.py": b"x = 1\n", "check.py": check})
    repo.git("tag", "v1")
    repo.commit("guilty", {"lib.py": b"x = 2\n"})
    repo.write({"newer.py": check})
    copied, named, inside = (
        stage.here("changes", "v1", "HEAD", "--", *words).told.splitlines()[-1]
        for words in (
            (sys.executable, "newer.py"),
            (sys.executable, repo.path / "check.py"),
            ("sh", "-c", f"cd {repo.path} && {sys.executable} check.py"),
        )
    )
    again = f"wynot changes v1 HEAD -- env PYTHONPATH=. {sys.executable}"
    assert copied == (
        f"  PYTHONPATH=. does not change that; copy it out of {repo.path}: cp {repo.path}/newer.py /tmp; "
        f"{again} /tmp/newer.py"
    )
    assert named == f"  PYTHONPATH=. does not change that; name check.py of the tree; {again} check.py"
    assert "breaks v1\nlib.py\n" in typed(stage, named).out
    assert inside == (
        "  PYTHONPATH=. does not change that; let the command use the files of the tree, which is its working folder"
    )


def test_a_program_that_is_installed(stage: Stage, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(
        "start", {"Makefile": b"prog: prog.c\n\tcc -o prog prog.c\n", "prog.c": b"int main(void) { return 0; }\n"}
    )
    repo.git("tag", "v1")
    repo.commit("guilty", {"prog.c": b"int main(void) { return 3; }\n"})
    (stage.folder / "bin").mkdir()
    program = stage.folder / "bin" / "prog"
    subprocess.run(["cc", "-o", program, "prog.c"], cwd=repo.path, check=True)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    done = stage.here("changes", "v1", "HEAD", "--", "prog")
    said, hint = done.told.splitlines()
    assert done.code == 1
    assert said.endswith("it also fails (exit 3): it reads no file in which v1 and HEAD differ")
    assert f"it runs {program}; run the one that the tree builds, say: " in hint
    done = typed(stage, hint.removesuffix(" ..."))
    assert "breaks v1\nprog.c\n" in done.out, done.err
    subprocess.run(["git", "checkout", "-q", "v1", "prog.c"], cwd=repo.path, check=True)
    subprocess.run(["cc", "-o", program, "prog.c"], cwd=repo.path, check=True)
    done = stage.here("changes", "v1", "HEAD", "--fresh", "--", "prog")  # now it is the new one that does not fail
    assert "the failure does not show on HEAD" in done.err
    assert done.err.splitlines()[-1] == hint


@pytest.mark.parametrize("command", ["changes", "bisect"])
def test_a_dependency_that_only_the_old_one_needs(stage: Stage, repo: Repo, command: str) -> None:
    repo.commit("start", {"main.py": b"import sixish_\n"})
    repo.commit("needs it no more", {"main.py": b"1 / 0\n"})
    done = stage.here(command, "HEAD~1", "HEAD", "--", sys.executable, "main.py")
    said, *quoted, hint = done.told.splitlines()
    assert done.code == 1
    assert said.startswith(
        "wynot: HEAD~1 does not pass the test: it fails in another way (ModuleNotFoundError: No module"
    )
    assert said.endswith("the Python module sixish_ is not there")
    assert quoted[-1] == "  | ModuleNotFoundError: No module named 'sixish_'"
    assert hint.startswith(
        f"  install it: {sys.executable} -m pip install sixish_; or let --build provide it in each tree"
    )


def test_modules_that_git_ignores(stage: Stage, repo: Repo) -> None:
    """Node looks for them beside the sources; trees are laid out without them."""
    repo.commit("start", {".gitignore": b"node_modules\n", "lib.js": b"exports.price = 1\n", "test.js": b""})
    repo.write({"node_modules/dep/index.js": b"exports.price = 1\n"})
    test = b"if (require('./lib').price !== require('dep').price) throw new RangeError('price')\n"
    repo.commit("test", {"test.js": test})
    repo.commit("guilty", {"lib.js": b"exports.price = 2\n"})
    done = stage.here("changes", "HEAD~1", "HEAD", "--", "node", "test.js")
    said, *_, hint = done.told.splitlines()
    assert (done.code, said.rpartition(": ")[2]) == (1, "the Node module dep is not there")
    assert "breaks HEAD~1\nlib.js\n" in typed(stage, hint).out


@pytest.mark.parametrize("command", ["changes", "bisect"])
def test_a_build_that_only_the_new_one_has(stage: Stage, repo: Repo, command: str) -> None:
    repo.commit("start", {"Makefile": b"all:\n\t@echo 'no rule for this machine' >&2; exit 3\n"})
    repo.commit("guilty", {"Makefile": b"all:\n\ttouch built\n"})
    done = stage.here(command, "HEAD~1", "HEAD", "--build", "make", "--", "sh", "-c", "test -e built && exit 3")
    said, *quoted, hint = done.told.splitlines()
    assert (done.code, said) == (1, "wynot: HEAD~1 does not pass the test: it does not build: exit 2")
    assert "  | no rule for this machine" in quoted
    assert hint.startswith("  give a --build that works in HEAD~1, too")


LINT = "a.py:1:80: E501 line too long"
FOUND = "a.py:3:1: E302 expected 2 blank lines, found 1"


@pytest.mark.parametrize(("command", "last"), [("changes", LINT), ("bisect", FOUND)])
def test_where_the_old_one_exits_1_for_another_reason(stage: Stage, repo: Repo, command: str, last: str) -> None:
    """What only NEW prints is offered as the failure; and with that OLD passes, though it exits 1."""
    both = [FOUND, LINT] if last == LINT else [LINT, FOUND]
    lint = b"import sys\nfound = sys.stdin.read()\nprint(found, end='')\nsys.exit(bool(found))\n"
    repo.commit("start", {"lint.py": lint, "found.txt": f"{LINT}\n".encode(), "other.txt": b""})
    repo.commit("innocent", {"other.txt": b"1\n"})
    guilty = repo.commit("guilty", {"found.txt": "".join(f"{each}\n" for each in both).encode()})
    run = f"cat other.txt > /dev/null; {sys.executable} lint.py < found.txt"
    repo.git("tag", "v1", "HEAD~2")
    done = stage.here(command, "v1", "HEAD", "--no-coverage", "--", "sh", "-c", run)
    said, *quoted, hint = done.told.splitlines()
    assert done.code == 1
    assert said.startswith("wynot: v1 does not pass the test: it ")
    assert quoted == [f"  | {LINT}"]
    assert f"if only HEAD prints the failure: wynot {command} v1 HEAD --no-coverage --fail-if-output E302 -- sh" in hint
    for _ in range(2):  # the second time from the journal
        done = typed(stage, hint)
        assert done.code == 0, done.err
        assert guilty[:12] in done.out
        assert "\nfound.txt\n" in done.out
        assert "other.txt\n" not in done.out
    assert stage.here("verify", "last").code == 0


def test_a_longer_message_with_the_same_code(stage: Stage, repo: Repo) -> None:
    """Both exit 1 with the same code in a line; the new line is long, and differs in its middle only."""
    short = "a.py:7:12: E721 do not compare types, use isinstance"
    long = (
        "a.py:7:4: E721 do not compare types, for exact checks use `is` / `is not`, for instance checks use isinstance"
    )
    repo.commit("start", {"a.txt": short.encode(), "b.txt": b"1"})
    repo.commit("guilty", {"a.txt": long.encode(), "b.txt": b"2"})
    done = stage.here("changes", "HEAD~1", "HEAD", "--no-coverage", "--", "sh", "-c", "cat a.txt; exit 1")
    hint = done.told.splitlines()[-1]
    assert "E721 do not compare types, for exact checks use `is` / `is not`, for' -- sh" in hint
    assert "a.txt\n" in typed(stage, hint).out


def test_another_end_than_the_old_ones_is_unresolved(stage: Stage, repo: Repo) -> None:
    """A revision that ends with an error of its own does not pass, though its exit code is the same."""
    repo.commit("start", {"a.py": f"print('{LINT}')\nraise SystemExit(1)\n".encode()})
    repo.commit("broken", {"a.py": b"import nothing_of_this_name\n"})
    repo.commit("guilty", {"a.py": f"print('{FOUND}')\nraise SystemExit(1)\n".encode()})
    words = ("bisect", "HEAD~2", "HEAD", "--json", "--fail-if-output", "E302", "--", sys.executable, "a.py")
    done = stage.here(*words)
    assert [each["subject"] for each in done.json["suspects"]] == ["broken", "guilty"], done.err


def test_a_failure_that_is_older(stage: Stage, repo: Repo) -> None:
    repo.commit("start", {"a.txt": b"bad\n"})
    repo.commit("more", {"a.txt": b"bad\nbad\n"})
    done = stage.here("changes", "HEAD~1", "HEAD", "--", "sh", "-c", "grep -q good a.txt || { echo no good; exit 3; }")
    said, quoted, hint = done.told.splitlines()
    assert (done.code, said) == (1, "wynot: HEAD~1 does not pass the test: it also fails (no good)")
    assert quoted == "  | no good"
    assert hint.endswith("name one older than HEAD~1 that works")


def test_a_program_that_is_named_from_the_users_folder(stage: Stage, shop: Repo) -> None:
    """Inside of a tree its relative path leads nowhere: it is there, and need not be installed."""
    tool = shop.path.parent / "tool"
    tool.write_text(f"#!/bin/sh\nPYTHONPATH=src exec {sys.executable} test.py\n")
    tool.chmod(0o755)
    done = stage.here("changes", "v1", "v2", "--", "sh", "-c", "exec ../tool")
    assert done.code == 1
    assert done.told.splitlines()[-1] == (f"  the command runs inside of each tree: name it by its full path, {tool}")
    assert f"breaks v1\n{PACKAGE}\n" in stage.here("changes", "v1", "v2", "--", "sh", "-c", f"exec {tool}").out
