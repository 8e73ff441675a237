"""What a test executes: seen with real programs, and read from what real tools have written."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.stage import Stage
from wynot.commands.changes.coverage_filter import notes_reading, read_coverage, record
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.core.outcome import FAIL, PASS
from wynot.domains.coverage.line_counts import ExecutedFiles
from wynot.engine.executors.sandbox import Limits
from wynot.engine.files.folder_io import write_folder
from wynot.errors import UsageError
from wynot.oracles.command import Command
from wynot.oracles.extra_commands import BuildFirst
from wynot.oracles.script import Script

LIMITS = Limits(seconds=60)
PACKAGE = Folder.of(
    {
        "pkg/__init__.py": b"",
        "pkg/used.py": b"import os\n\n\ndef used():\n    return 1\n\n\ndef idle():\n    x = 2\n    return x\n",
        "pkg/unused.py": b"x = 1\n",
        "main.py": b"from pkg.used import used\nraise SystemExit(used())\n",
        "data.txt": b"",
        "link": Entry(EntryKind.LINK, b"data.txt", 0o777),
    }
)


@pytest.fixture(autouse=True)
def _noting(stage: Stage) -> None:
    if not notes_reading(str(stage.tmp)):
        pytest.skip("the file system does not note when files are read")


def shell(text: str) -> Command:
    return Command(("sh", "-c", text), inside=True)


def executed(oracle: Command | Script | BuildFirst, tree: Folder = PACKAGE) -> ExecutedFiles:
    found = record(oracle, "tree", tree, LIMITS).executed
    assert found is not None
    return found


def test_a_file_that_is_not_read_is_not_executed() -> None:
    """Links may lead to what is read: they are not looked into."""
    tree = Folder.of({**{f"{name}.txt": name.encode() for name in "abc"}, "link": PACKAGE.entries["link"]})
    found = executed(shell("cat a.txt; test -e b.txt; ls"), tree)
    assert found.files == {"a.txt", "link"}
    assert found.lines is None
    assert found.touches("a.txt", 1, 1)
    assert not found.touches("b.txt", 1, 1)


def test_what_a_build_reads_is_read() -> None:
    tree = Folder.of(dict.fromkeys(["a.txt", "b.txt", "c.txt"], b"words"))
    found = executed(BuildFirst(shell("cat b.txt out"), "cat a.txt > out"), tree)
    assert found.files == {"a.txt", "b.txt"}


def test_python_tells_its_lines() -> None:
    found = executed(Command((sys.executable, "main.py"), inside=True))
    assert found.files == {"main.py", "pkg/__init__.py", "pkg/used.py", "link"}
    assert found.lines is not None
    assert found.lines["pkg/used.py"] == {1, 4, 5, 8}
    assert found.touches("pkg/used.py", 5, 1)
    assert not found.touches("pkg/used.py", 9, 2)
    assert not found.touches("pkg/unused.py", 1, 1)


@pytest.mark.parametrize(
    "line",
    [
        'PYTHONPATH="$PWD" exec {} main.py',
        "unset PYTHONPATH PYTHONPYCACHEPREFIX; PYTHONPATH=$PWD {} main.py",
        "{} -c 'import subprocess, sys; sys.exit(subprocess.call([sys.executable, \"main.py\"]))'",
        '{} -c \'import os; os.environ["PYTHONDONTWRITEBYTECODE"] = "1"; os.execv("{}", ["python", "main.py"])\'',
    ],
    ids=["own path", "own environment", "a child", "another program"],
)
def test_python_is_reached_in_scripts(line: str) -> None:
    found = executed(shell(line.replace("{}", sys.executable)))
    assert found.lines is not None
    assert found.lines["pkg/used.py"] == {1, 4, 5, 8}


@pytest.mark.parametrize("options", ["-I", "-S", "-E -S"])
def test_a_python_that_cannot_be_reached_still_reads_files(options: str) -> None:
    code = "import sys; sys.path.insert(0, '.'); import main"
    found = executed(shell(f'exec {sys.executable} {options} -c "{code}"'))
    assert found.files == {"main.py", "pkg/__init__.py", "pkg/used.py", "link"}
    assert found.lines is None


def test_a_recording_that_changes_the_outcome_is_not_used() -> None:
    """Here a test that looks for files that do not belong to the tree; it is run again, without."""
    oracle = shell("test ! -e sitecustomize.py && cat pkg/used.py")
    found = record(oracle, "tree", PACKAGE, LIMITS, expected=PASS)
    assert found.report.outcome is PASS
    assert found.executed is not None
    assert found.executed.files == {"pkg/used.py", "link"}


def test_a_sitecustomize_of_ones_own_is_still_imported(stage: Stage) -> None:
    own = stage.folder / "site"
    own.mkdir()
    (own / "sitecustomize.py").write_text(f"open({str(stage.folder / 'seen')!r}, 'w')")
    found = executed(shell(f"PYTHONPATH=$PYTHONPATH:{own} {sys.executable} main.py"))
    assert (stage.folder / "seen").exists()
    assert found.lines


def test_a_recording_leaves_nothing_behind(stage: Stage) -> None:
    assert (
        record(Script(str(stage.script("check", "exit 0")), inside=True), "t", PACKAGE, LIMITS).report.outcome is FAIL
    )
    stage.assert_clean()


def project(stage: Stage) -> tuple[Folder, Path]:
    folder = stage.folder / "project"
    write_folder(PACKAGE, str(folder))
    return PACKAGE, folder


PYTHON_FORMATS = {"data": (), "json": ("json", "-o", "out"), "lcov": ("lcov", "-o", "out"), "xml": ("xml", "-o", "out")}


@pytest.mark.parametrize("form", PYTHON_FORMATS)
def test_what_coverage_py_writes_is_read(stage: Stage, form: str) -> None:
    tree, folder = project(stage)
    command = [sys.executable, "-m", "coverage"]
    subprocess.run([*command, "run", "--source=.", "main.py"], cwd=folder, check=False)
    if form != "data":
        subprocess.run([*command, *PYTHON_FORMATS[form]], cwd=folder, check=True)
    found = read_coverage(folder / (".coverage" if form == "data" else "out"), tree)
    assert found.lines is not None
    assert found.lines["pkg/used.py"] == {1, 4, 5, 8}
    assert not found.touches("pkg/used.py", 9, 2)
    assert found.touches("pkg/used.py", 8, 2)
    assert found.touches("data.txt", 1, 1)  # nobody has looked
    if form != "data":
        assert not found.touches("pkg/unused.py", 1, 1)


C_SOURCE = b"""\
#include <stdio.h>
#define MACRO 1

int idle(int x)
{
    /* never */
    return x + MACRO;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return idle(argc);
    puts("done");
    return 0;
}
"""


@pytest.mark.skipif(shutil.which("gcov") is None and not os.environ.get("CI"), reason="needs gcov")
@pytest.mark.parametrize("packed", [False, True])
def test_what_gcov_writes_is_read(stage: Stage, packed: bool) -> None:
    tree = Folder.of({"src/main.c": C_SOURCE})
    folder = stage.folder / "c"
    write_folder(tree, str(folder))
    for line in ("gcc --coverage -o prog src/main.c", "./prog", "gcov --json-format --stdout *.gcno > out.json"):
        subprocess.run(line, shell=True, cwd=folder, check=True, capture_output=True)
    path = folder / "out.json"
    if packed:
        path = folder / "out.json.gz"
        path.write_bytes(gzip.compress((folder / "out.json").read_bytes()))
    found = read_coverage(path, tree)
    assert found.lines is not None
    assert {12, 14, 15} <= found.lines["src/main.c"]
    assert not found.touches("src/main.c", 4, 5)  # the whole function
    assert not found.touches("src/main.c", 13, 1)
    assert found.touches("src/main.c", 2, 1)  # a macro may be used anywhere
    assert found.touches("src/main.c", 14, 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "none of its formats"),
        (b"hello", "none of its formats"),
        (b"{", "no JSON"),
        (b'{"a": 1}', "not what gcov writes"),
        (b'{"executed_lines": []}', "not what `coverage json`"),
        (b"<html/>", "not Cobertura's"),
        (b"<coverage>", "not XML"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><coverage/>', "entities"),
        (b"\x1f\x8bxx", "cannot be unpacked"),
        (b"SF:a\nDA:x,1\n", "a number is none"),
        (b"SF:a\nDA:1\n", "too short"),
        (b"DA:1,1\nSF:a", "before a file"),
        (b"SF:elsewhere.c\nDA:1,1\nend_of_record\n", "no file of the new tree"),
        (b"SQLite format 3\0" + b"x" * 100, "holds no coverage data"),
    ],
)
def test_what_tells_no_coverage_is_said_so(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "cover.age"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said) as error:
        read_coverage(path, PACKAGE)
    assert error.value.hint
    assert path.read_bytes() == content


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_coverage(tmp_path / "nowhere", PACKAGE)


def test_what_was_executed_can_be_kept() -> None:
    found = executed(Command((sys.executable, "main.py"), inside=True))
    assert ExecutedFiles.from_json(json.loads(json.dumps(found.as_json()))) == found


JAVASCRIPT = b"""\
exports.used = function () {
  return 1;
};

function idle() {

  return "\xc3\xa9\xf0\x9f\x98\x80";
}

exports.after = () => 2; if (0) { idle(); }
exports.idle = idle;
"""


@pytest.mark.skipif(shutil.which("node") is None and not os.environ.get("CI"), reason="needs node")
def test_node_tells_its_lines() -> None:
    tree = Folder.of({"lib/a.js": JAVASCRIPT, "lib/b.js": b"", "main.js": b"process.exit(require('./lib/a').used())\n"})
    found = executed(Command(("node", "main.js"), inside=True), tree)
    assert found.files == {"lib/a.js", "main.js"}
    assert found.idle is not None
    assert {5, 6, 7, 8} <= found.idle["lib/a.js"]
    assert {1, 2, 10, 11}.isdisjoint(found.idle["lib/a.js"])
    assert not found.touches("lib/a.js", 5, 4)
    assert not found.touches("lib/b.js", 1, 1)


@pytest.mark.skipif(shutil.which("gcov") is None and not os.environ.get("CI"), reason="needs gcc and gcov")
@pytest.mark.parametrize(
    "line",
    [
        "gcc -o prog src/main.c",
        "d=$(mktemp -d) && cc -c -O2 -o $d/main.o src/main.c && cc -o prog $d/main.o && rm -r $d",
    ],
    ids=["at once", "in steps"],
)
def test_what_gcc_compiles_tells_its_lines(line: str) -> None:
    """Wherever its objects go, and nothing of it is left in the tree."""
    tree = Folder.of({"src/main.c": C_SOURCE, "src/other.c": C_SOURCE})
    found = executed(BuildFirst(shell("./prog && ls -R | grep gc && exit 7"), line), tree)
    assert found.files == {"src/main.c"}
    assert found.lines is not None
    assert {12, 14} <= found.lines["src/main.c"]
    assert not found.touches("src/main.c", 4, 5)
    assert found.touches("src/main.c", 2, 1)
    report = record(BuildFirst(shell("./prog && ls -R | grep gc && exit 7"), line), "t", tree, LIMITS).report
    assert report.why == "exit 1"


@pytest.mark.skipif(shutil.which("gcov") is None and not os.environ.get("CI"), reason="needs gcc and gcov")
def test_a_program_that_crashes_tells_nothing_of_its_lines() -> None:
    tree = Folder.of({"main.c": b"#include <stdlib.h>\nint main(void)\n{\n    abort();\n}\n"})
    found = executed(BuildFirst(shell("ulimit -c 0; ./prog"), "gcc -o prog main.c"), tree)
    assert found.files == {"main.c"}
    assert found.lines is None
    assert found.touches("main.c", 4, 1)
