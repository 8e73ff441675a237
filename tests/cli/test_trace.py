"""`wynot trace`: what is printed, what is refused, what is left alone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wynot
from tests.commands.trace.test_figure_6 import need
from tests.support.stage import Stage
from wynot.report.trace_report import WHOLE

CRASH = "noise = 1\nd = {}\nfor k in (1, 2):\n    d[k] = k\nprint(d[3])\n"


def traced(stage: Stage, *words: str) -> dict[str, object]:
    done = stage.here("trace", "--json", "-q", *words)
    assert done.code == 0, done.err
    found: dict[str, object] = json.loads(done.out)
    return found


def lines(found: dict[str, object]) -> list[int]:
    columns = found["columns"]
    assert isinstance(columns, list)
    return [event["line"] for event in columns[0]["events"]]


def test_an_exception(stage: Stage) -> None:
    stage.file("prog.py", CRASH)
    before = {path: path.read_bytes() for path in stage.work.rglob("*") if path.is_file()}
    found = traced(stage, "--", sys.executable, "prog.py")
    assert lines(found) == [2, 5]
    assert (found["command"], found["kind"], found["events"], found["minimality"]) == (
        "trace",
        "python",
        8,
        "1-minimal",
    )
    assert "KeyError" in str(found["looked_for"])
    assert before == {path: path.read_bytes() for path in stage.work.rglob("*") if path.is_file()}


def test_views(stage: Stage) -> None:
    stage.file("prog.py", CRASH)
    seen = {}
    for view in ("trace", "listing", "coverage", "slice"):
        done = stage.here("trace", "--view", view, "--", sys.executable, "prog.py")
        assert done.code == 0, done.err
        seen[view] = done.out
    assert "Event  Original trace    failure\n1_1    noise = 1\n2_2    d = {}            d = {}\n" in seen["trace"]
    assert ">      1       /1     2  d = {}\n" in seen["listing"]
    assert "Executed  Relevant   Share   Lines" in seen["coverage"]
    assert "2, 5\n" in seen["coverage"]
    assert seen["slice"] == "    2  d = {}\n    5  print(d[3])\n"


def test_the_second_time_nothing_is_run_again(stage: Stage) -> None:
    stage.file("prog.py", CRASH)
    words = ("--", sys.executable, "prog.py")
    assert traced(stage, *words)["tests"] != 0
    again = traced(stage, *words)
    assert again["tests"] == 0
    assert lines(again) == [2, 5]


def test_a_long_trace_that_is_not_reduced_is_not_shown_whole(stage: Stage) -> None:
    stage.file("prog.py", "for k in range(99):\n    a = k\n    b = k\nassert b != 98\n")
    done = stage.wynot("trace", "--budget-tests", "1", "-o", "all.txt", "--", sys.executable, "prog.py")
    assert done.code == 3
    shown, written = done.out.splitlines(), (stage.work / "all.txt").read_text().splitlines()
    assert shown[:WHOLE] == written[:WHOLE]
    assert shown[WHOLE] == f"… and {len(written) - WHOLE} lines more: -o FILE writes them all"


def test_a_budget_ends_it(stage: Stage) -> None:
    stage.file("prog.py", CRASH)
    done = stage.here("trace", "--budget-tests", "2", "--", sys.executable, "prog.py")
    assert done.code == 3
    assert "not known to be minimal" in done.out


def test_a_script_says_what_counts(stage: Stage) -> None:
    stage.file("prog.py", "x = 1\ny = 2\nprint('x', x)\nprint('y', y)\n")
    stage.script("check", 'grep -q "y 2" "$1" && test "$(cat exit)" = 0')
    assert lines(traced(stage, "--test", "./check", "--", sys.executable, "prog.py")) == [2, 4]


def test_other_files_and_modules(stage: Stage) -> None:
    stage.file("helper.py", "def half(x):\n    y = x // 2\n    return 1 / (y - 1)\n")
    stage.file("prog.py", "import helper\nprint(helper.half(4))\nprint(helper.half(2))\n")
    found = traced(stage, "--", sys.executable, "-m", "prog")
    assert [name.rpartition("/")[2] for name in map(str, found["files"])] == ["prog.py", "helper.py"]  # type: ignore[call-overload]
    assert lines(found) == [1, 1, 3, 2, 3]
    only = traced(stage, "--exclude", "*/helper.py", "--", sys.executable, "-m", "prog")
    assert lines(only) == [1, 3]


def test_a_pytest_node(stage: Stage) -> None:
    stage.file(
        "test_it.py", "def test_good():\n    assert True\n\ndef test_bad():\n    x = 1\n    y = 2\n    assert y == 3\n"
    )
    found = traced(stage, "--", sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "test_it.py::test_bad")
    assert lines(found) == [4, 6, 7]
    assert not list(stage.work.glob(".pytest_cache"))


@pytest.mark.parametrize(
    ("source", "code", "said"),
    [
        (
            "import threading\ndef f():\n    x = 1\nt = threading.Thread(target=f)\nt.start()\nt.join()\n1 / 0\n",
            2,
            "threads",
        ),
        ("import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\n1 / 0\n", 2, "forks"),
        ("print('fine')\n", 1, "--same-output"),
    ],
)
def test_what_is_refused(stage: Stage, source: str, code: int, said: str) -> None:
    stage.file("prog.py", source)
    done = stage.here("trace", "--", sys.executable, "prog.py")
    assert done.code == code
    assert said in done.err


def test_bad_input(stage: Stage) -> None:
    for words in ((), ("--", sys.executable), ("--", sys.executable, "missing.py"), ("--", "sh", "x")):
        done = stage.here("trace", *words)
        assert done.code == 2
        assert len(done.err.strip().splitlines()) == 2, done.err
    stage.file("prog.py", "print(1)\n")
    done = stage.here("trace", "--output-line", "(", "--", sys.executable, "prog.py")
    assert (done.code, "--output-line" in done.err) == (2, True)
    done = stage.here("trace", "--same-output", "--output-line", "x", "--", sys.executable, "prog.py")
    assert done.code == 2


ASYNC = """
import asyncio

async def worker(name, out):
    for i in range(2):
        await asyncio.sleep(0)
        out.append(name)

async def main():
    out = []
    await asyncio.gather(worker("a", out), worker("b", out))
    print("".join(out))

asyncio.run(main())
"""


def test_asyncio_is_traced(stage: Stage) -> None:
    stage.file("prog.py", ASYNC)
    found = traced(stage, "--same-output", "--", sys.executable, "prog.py")
    assert lines(found).count(7) == 4, "every append counts"
    assert lines(found).count(6) == 4, "and so does every pause: without one, the other does not get its turn"


def compiled(stage: Stage, source: str, *flags: str) -> str:
    need("gdb")
    stage.file("prog.c", source)
    subprocess.run((need("gcc"), *flags, "-o", "prog", "prog.c"), check=True, cwd=stage.work)
    return "./prog"


NATIVE = """#include <stdio.h>
static int *find(int n) {
    int *result = NULL;
    if (n > 100)
        result = &n;
    return result;
}
int main(void) {
    int x = 3;
    int *p = find(x);
    printf("%d\\n", *p);
    return 0;
}
"""


def test_a_native_crash(stage: Stage) -> None:
    program = compiled(stage, NATIVE, "-g", "-O0")
    found = traced(stage, "--", program)
    assert (found["kind"], lines(found)) == ("native", [10, 3, 6, 11])
    assert "SIGSEGV" in str(found["looked_for"])


def test_native_programs_need_lines(stage: Stage) -> None:
    done = stage.here("trace", "--", compiled(stage, NATIVE, "-O0"))
    assert (done.code, "-g -O0" in done.err) == (2, True)
    done = stage.here("trace", "--", compiled(stage, NATIVE, "-g", "-O2"))
    assert (done.code, "-g -O0" in done.err) == (2, True)
    dense = "int f(int x) { return 1 / x; }\nint main(void) { return f(0); }\n"
    done = stage.here("trace", "--", compiled(stage, dense, "-g", "-O0"))
    assert (done.code, "put each statement on a line of its own" in done.err) == (2, True)
    stage.assert_clean()


PERL = """use strict;
my @list = (3, 1, 2);
my %seen;
foreach my $i (@list) {
    next if $i == 1;
    $seen{$i} = twice($i);
}
sub twice {
    my ($n) = @_;
    my $r = $n * 2;
    return $r;
}
my $unused = 5;
print "sum ", $seen{3} + $seen{2}, "\\n";
"""


def test_perl(stage: Stage) -> None:
    stage.file("prog.pl", PERL)
    found = traced(stage, "--output-line", "sum .*", "--", need("perl"), "prog.pl")
    assert found["kind"] == "perl"
    assert lines(found) == [2, 4, 6, 9, 10, 11, 4, 4, 6, 9, 10, 11, 14]


def test_the_input_is_given_to_every_run(stage: Stage) -> None:
    stage.file("prog.py", "a = input()\nb = input()\nprint(int(b) * 2)\n")
    stage.file("numbers", "1\n21\n")
    found = traced(stage, "--stdin", "numbers", "--output-line", "42", "--", sys.executable, "prog.py")
    assert lines(found) == [1, 2, 3]


def test_old_interpreters_are_traced_too(tmp_path: Path, stage: Stage) -> None:
    """The drivers run in the program's own interpreter."""
    others = [shutil.which(f"python3.{minor}") for minor in (8, 9, 10, 12, 13)]
    stage.file("prog.py", CRASH)
    for python in [each for each in others if each is not None][:1]:
        works = subprocess.run((python, "-c", "pass"), capture_output=True, check=False).returncode == 0
        if works:
            assert lines(traced(stage, "--", python, "prog.py")) == [2, 5]


MIDDLE = """import sys
def scaled(n, factor):
    size = n * factor
    name = "n" * size
    return 10 // (size - 6)
print(scaled(int(sys.argv[1]), 2))
"""


def test_causes_in_the_state(stage: Stage) -> None:
    stage.file("prog.py", MIDDLE)
    passing = f"{sys.executable} prog.py 4"
    words = ("--state", "3", "--state", "prog.py:5", "--passing", passing, "--", sys.executable, "prog.py", "3")
    done = stage.here("trace", "--json", "-q", *words)
    assert done.code == 0, done.err
    causes = [[(c["name"], c["passing"], c["failing"]) for c in link["causes"]] for link in done.json["state"]]
    assert causes == [[("n", "4", "3")], [("size", "8", "6")]]
    assert stage.here("trace", "--state", "99", "--passing", passing, "--", sys.executable, "prog.py", "3").code == 2


def test_quiet_is_quiet(stage: Stage) -> None:
    stage.file("prog.py", CRASH)
    done = stage.here("trace", "-q", "-o", "view", "--", sys.executable, "prog.py")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert "d = {}" in (stage.work / "view").read_text()


@pytest.mark.parametrize("words", [("bad.py",), ("-c", "x = 1\ndef f(:")])
def test_a_program_that_does_not_parse(stage: Stage, words: tuple[str, ...]) -> None:
    stage.file("bad.py", "x = 1\ndef f(:\n")
    done = stage.here("trace", "--", sys.executable, *words)
    assert done.code == 2
    assert "line 2: invalid syntax" in done.err
    assert len(done.err.splitlines()) == 2


def test_perl_without_its_extra(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_perl", None)
    stage.file("die.pl", "die 'bug';\n")
    done = stage.here("trace", "--", "perl", "die.pl")
    assert (done.code, done.out) == (2, "")
    assert "the grammar of Perl is not installed\n  install it: pip install 'wynot[perl]'\n" in done.err


def test_perl_modules_are_not_traced_and_that_is_said(stage: Stage) -> None:
    (stage.work / "lib").mkdir()
    stage.file("lib/Half.pm", "package Half; sub half { return 1 / ($_[0] - 2) } 1;\n")
    stage.file("prog.pl", 'use lib "lib"; use List::Util; use Half;\nmy $x = 2;\nprint Half::half($x);\n')
    done = stage.here("trace", "--", need("perl"), "prog.pl")
    assert done.code == 0, done.err
    assert "warning: not traced: " in done.err
    assert "lib/Half.pm;" in done.err


def test_a_program_that_changes_a_file_that_is_named_is_stopped(stage: Stage) -> None:
    notes = stage.file("notes.txt", "one\n")
    stage.file("prog.py", "import sys\nopen(sys.argv[1], 'a').write('two\\n')\nraise ValueError('bad')\n")
    done = stage.here("trace", "--", sys.executable, "prog.py", "notes.txt")
    assert notes.read_text() == "one\n"
    assert done.code == 2, done.err
    assert f"{notes} changed while tests ran: it was put back as it was, and the run was stopped" in done.err


def test_no_bytecode_is_written_beside_installed_packages(stage: Stage) -> None:
    site = stage.folder / "site"
    shutil.copytree(Path(wynot.__file__).parent, site / "wynot", ignore=shutil.ignore_patterns("__pycache__"))
    stage.file("part.py", "def fail():\n    raise ValueError('bad')\n")
    stage.file("prog.py", "import part\nx = 1\npart.fail()\n")
    stage.changed |= {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    done = stage.wynot("trace", "--", sys.executable, "prog.py")
    assert done.code == 0, done.err
    assert not list(site.rglob("__pycache__"))
    assert not list(stage.work.rglob("__pycache__"))
