"""Builds in trees that last: what has not changed is not compiled again, and the user's own tree is not touched."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.stage import Stage, eventually
from wynot.core.artifact import digest
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.engine.executors.local import LocalExecutor, LocalSettings
from wynot.engine.executors.sandbox import Limits
from wynot.engine.files.folder_io import read_folder, write_folder
from wynot.oracles.command import Command
from wynot.oracles.extra_commands import BuildFirst
from wynot.oracles.protocol import CONSTRUCTION, EXECUTION, Oracle, Report
from wynot.oracles.script import Conditions, Script

MISSING = [program for program in ("make", "gcc") if shutil.which(program) is None]
pytestmark = pytest.mark.skipif(bool(MISSING) and not os.environ.get("CI"), reason=f"needs {', '.join(MISSING)}")

UNITS = ("one", "two", "three", "four")
MAKEFILE = """\
CC = {compiler}
prog: main.o {objects}
\tgcc -o $@ $^
%.o: %.c common.h
\t$(CC) -c -o $@ $<
"""
MAIN = b"""#include "common.h"
int main(void) { return one() + two() + three() + four() == SUM ? 0 : 1; }
"""
Benches = Callable[..., LocalExecutor]


@pytest.fixture
def project(stage: Stage) -> Folder:
    """A program of five units; each call of the compiler is written down."""
    compiler = stage.script("cc", f'for last; do :; done\necho "$last" >> {stage.folder}/log\nexec gcc "$@"')
    objects = " ".join(f"{unit}.o" for unit in UNITS)
    header = "".join(f"int {unit}(void);\n" for unit in UNITS) + "#define SUM 10\n"
    files: dict[str, Entry | bytes] = {
        "Makefile": MAKEFILE.format(compiler=compiler, objects=objects).encode(),
        "common.h": header.encode(),
        "main.c": MAIN,
        "data/notes.txt": b"nothing to compile",
        "run.sh": Entry(
            EntryKind.FILE, b"#!/bin/sh\ntest -x prog || exit 9\n./prog || { echo wrong sum; exit 3; }\n", 0o755
        ),
    }
    files |= {f"{unit}.c": unit_of(unit, n) for n, unit in enumerate(UNITS, 1)}
    return Folder.of(files)


def unit_of(name: str, value: int) -> bytes:
    return f"int {name}(void) {{ return {value}; }}\n".encode()


TEST = Command(("./run.sh",), Conditions(output="wrong sum"), inside=True)


@pytest.fixture
def executors(stage: Stage) -> Iterator[Benches]:
    made: list[LocalExecutor] = []

    def make(oracle: Oracle | None = None, jobs: int = 1, limits: Limits | None = None) -> LocalExecutor:
        building = oracle or BuildFirst(TEST, "make -s prog")
        made.append(LocalExecutor(building, "tree", jobs, limits or Limits(seconds=60), LocalSettings(lasting=True)))
        return made[-1]

    yield make
    for executor in made:
        if Path(executor.root).exists():
            executor.close()


def judged(executor: LocalExecutor, *trees: Folder) -> list[Report]:
    """Test these trees, as many at once as the executor can; reports in the order of the trees."""
    waiting, reports = list(enumerate(trees)), dict[bytes, Report]()
    while len(reports) < len(trees):
        while waiting and executor.free:
            number, tree = waiting.pop(0)
            executor.submit(b"%d" % number, tree)
        reports.update(executor.wait())
    return [reports[b"%d" % number] for number in range(len(trees))]


def compiled(stage: Stage) -> list[str]:
    """What was compiled since the last look."""
    lines = sorted(stage.log)
    (stage.folder / "log").unlink(missing_ok=True)
    return lines


def test_only_what_changed_is_compiled_again(stage: Stage, project: Folder, executors: Benches) -> None:
    executor = executors()
    wrong = project.replaced("two.c", unit_of("two", 7))
    assert judged(executor, project)[0].outcome is PASS
    assert compiled(stage) == sorted(["main.c", *(f"{unit}.c" for unit in UNITS)])
    steps = [
        (wrong, FAIL, ["two.c"]),
        (wrong, FAIL, []),
        (wrong.replaced("data/notes.txt", b"changed"), FAIL, []),
        (project, PASS, ["two.c"]),
        (
            project.replaced("four.c", unit_of("four", 5)).replaced("one.c", unit_of("one", 0)),
            PASS,
            ["four.c", "one.c"],
        ),
        (project, PASS, ["four.c", "one.c"]),
        (project.replaced("common.h", project.files["common.h"] + b"\n"), PASS, ["four.c", "main.c", "one.c"]),
    ]
    for tree, outcome, units in steps:
        report = judged(executor, tree)[0]
        assert report.outcome is outcome, report
        found = compiled(stage)
        assert set(units) <= set(found)
        assert len(found) == (5 if "main.c" in units else len(units)), found


def test_a_build_that_fails_says_why_and_costs_only_what_it_touched(
    stage: Stage, project: Folder, executors: Benches
) -> None:
    executor = executors()
    judged(executor, project)
    compiled(stage)
    broken = project.replaced("three.c", b"int three(void) { return missing_name; }\n")
    report = judged(executor, broken)[0]
    assert (report.outcome, report.phase) == (UNRESOLVED, CONSTRUCTION)
    assert "missing_name" in report.evidence
    assert str(executor.root) not in report.evidence
    assert compiled(stage) == ["three.c"]
    assert judged(executor, project)[0].outcome is PASS
    assert compiled(stage) == ["three.c"]


def test_a_program_of_the_tree_that_is_missing_is_an_unresolved_test(project: Folder, executors: Benches) -> None:
    """And not the end of the search."""
    report = judged(executors(), project.without("run.sh"))[0]
    assert (report.outcome, report.phase) == (UNRESOLVED, EXECUTION)
    assert "run.sh" in report.evidence


def test_a_build_that_removes_its_tree_harms_nobody(project: Folder, executors: Benches) -> None:
    executor = executors(BuildFirst(TEST, 'if test -e bad; then rm -r "$PWD"; else make -s prog; fi'))
    outcomes = [
        report.outcome for report in judged(executor, project, Folder.of({**project.entries, "bad": b""}), project)
    ]
    assert outcomes == [PASS, UNRESOLVED, PASS]


def test_the_same_outcomes_for_any_number_of_workers(stage: Stage, project: Folder, executors: Benches) -> None:
    """Each worker compiles everything once, and then only what changes for it."""
    trees = [project.replaced("two.c", unit_of("two", value)) for value in (2, 3, 4, 2, 5, 6)]
    trees.insert(3, project.replaced("one.c", b"?"))
    serial = [(report.outcome, report.phase) for report in judged(executors(jobs=1), *trees)]
    assert [outcome for outcome, _ in serial] == [PASS, FAIL, FAIL, UNRESOLVED, PASS, FAIL, FAIL]
    assert compiled(stage).count("three.c") == 1
    assert [(report.outcome, report.phase) for report in judged(executors(jobs=2), *trees)] == serial
    assert compiled(stage).count("three.c") == 2


def test_a_build_that_was_cut_off_is_not_trusted(stage: Stage, project: Folder, executors: Benches) -> None:
    """Half an object file is as new as a whole one."""
    slow = f"test ! -e {stage.folder}/slow || {{ : > one.o; : > {stage.folder}/begun; sleep 1000; }}; make -s prog"
    executor = executors(BuildFirst(TEST, slow))
    judged(executor, project)
    (stage.folder / "slow").touch()
    executor.submit(b"slow", project)
    while not (stage.folder / "begun").exists():
        executor.wait(timeout=0.01)
    (stage.folder / "slow").unlink()
    executor.kill(b"slow")
    while not executor.free:
        executor.wait(timeout=0.01)
    compiled(stage)
    assert judged(executor, project)[0].outcome is PASS
    assert compiled(stage) == ["one.c"]


def test_afresh_everything_is_built_again(stage: Stage, project: Folder, executors: Benches) -> None:
    executor = executors()
    judged(executor, project)
    compiled(stage)
    executor.afresh()
    judged(executor, project)
    assert len(compiled(stage)) == 5


@pytest.mark.skipif(shutil.which("ninja") is None and not os.environ.get("CI"), reason="needs ninja")
def test_ninja_builds_only_what_changed(stage: Stage, project: Folder, executors: Benches) -> None:
    rules = f"rule cc\n  command = {stage.work}/cc -c -o $out $in\nrule link\n  command = gcc -o $out $in\n"
    units = ("main", *UNITS)
    rules += "".join(f"build {unit}.o: cc {unit}.c\n" for unit in units)
    rules += f"build prog: link {' '.join(f'{unit}.o' for unit in units)}\n"
    tree = Folder.of({**project.entries, "build.ninja": rules.encode()})
    executor = executors(BuildFirst(TEST, "ninja -j1"))
    assert judged(executor, tree)[0].outcome is PASS
    compiled(stage)
    assert judged(executor, tree.replaced("two.c", unit_of("two", 0)))[0].outcome is FAIL
    assert judged(executor, tree)[0].outcome is PASS
    assert judged(executor, tree)[0].outcome is PASS
    assert Counter(compiled(stage)) == {"two.c": 2}


def test_python_never_runs_stale_bytecode(stage: Stage, executors: Benches) -> None:
    """Sources of the same size, written in the same second: only the bytecode of the others may be used again."""
    script = stage.script(
        "check", f'PYTHONDONTWRITEBYTECODE= {sys.executable} -S -c "import m, n; raise SystemExit(m.x)"'
    )
    trees = [Folder.of({"m.py": b"x = %d" % number, "n.py": b""}) for number in (0, 1, 0, 2, 1)]
    outcomes = [report.outcome for report in judged(executors(Script(str(script), inside=True)), *trees)]
    assert outcomes == [FAIL, PASS, FAIL, PASS, PASS]


def listing(folder: Path) -> list[tuple[str, int, int, int]]:
    states = ((path, path.lstat()) for path in sorted(folder.rglob("*")))
    return [(str(path), state.st_mtime_ns, state.st_size, state.st_mode) for path, state in states]


RUNNING = """
import sys, time
from pathlib import Path
from wynot.oracles.extra_commands import BuildFirst
from wynot.oracles.command import Command
from wynot.engine.files.folder_io import read_folder
from wynot.engine.executors.sandbox import Limits
from wynot.engine.executors.local import LocalExecutor, LocalSettings
tree = read_folder(Path(sys.argv[1]))
oracle = BuildFirst(Command(("sleep", "1000"), inside=True), "make -s prog")
executor = LocalExecutor(oracle, "tree", 2, Limits(), LocalSettings(lasting=True))
executor.submit(b"1", tree)
executor.submit(b"2", tree)
while True:
    executor.wait()
"""


def test_the_users_tree_is_not_touched_not_even_by_a_kill(stage: Stage, project: Folder) -> None:
    own = stage.folder / "own"
    write_folder(project, str(own))
    before, content = listing(own), read_folder(own)
    process = stage.program(sys.executable, "-c", RUNNING, own, cwd=own)
    eventually(lambda: len(list(stage.tmp.glob("wynot-*/w*/tree/prog"))) == 2, "both trees are built")
    process.send_signal(signal.SIGKILL)
    process.wait()
    eventually(lambda: not list(stage.tmp.iterdir()), "the work folders are removed")
    eventually(lambda: not stage.living(), "no process is left")
    assert listing(own) == before
    assert read_folder(own) == content


def test_a_test_cannot_write_to_the_users_tree(stage: Stage, project: Folder, executors: Benches) -> None:
    """No file of a work tree is a link to one of the user's."""
    own = stage.folder / "own"
    write_folder(project, str(own))
    before = listing(own)
    script = stage.script(
        "check", 'cd "$1" && for f in *.c; do echo "// x" >> $f; done; chmod 600 *; rm Makefile; exit 1'
    )
    executor = executors(Script(str(script), inside=True))
    outcomes: list[Outcome] = [report.outcome for report in judged(executor, read_folder(own), read_folder(own))]
    assert outcomes == [PASS, PASS]
    assert listing(own) == before
    assert digest(read_folder(own)) == digest(project)
