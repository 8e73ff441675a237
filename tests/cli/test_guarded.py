"""Whatever command runs the user's program, the files that the command line names are afterwards as they were."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.stage import LOOKS, Stage, eventually
from wynot.engine.baseline.files_read import find_strace

COMMANDS = {
    "check": ("check", "in.txt", "--"),
    "reduce": ("reduce", "in.txt", "--atoms", "lines", "--"),
    "isolate": ("isolate", "in.txt", "--passing", "good.txt", "--"),
}


@pytest.fixture
def writer(stage: Stage) -> Stage:
    """A program that adds a line to the second file that it is given; it fails on a bug in the first."""
    stage.script("prog", 'echo more >> "$2"; if grep -q bug "$1"; then echo "error: bug" >&2; exit 3; fi; exit 0')
    stage.file("in.txt", "a\nbug\nb\n")
    stage.file("good.txt", "a\nb\n")
    stage.file("notes.txt", "mine\n")
    return stage


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_named_file_is_as_it_was(writer: Stage, words: tuple[str, ...]) -> None:
    done = writer.here(*words, "./prog", "{}", f"{writer.work}/notes.txt")
    assert (writer.work / "notes.txt").read_text() == "mine\n"
    assert done.code == 0 or (done.code == 2 and "notes.txt" in done.err and "put back" in done.err), done.err


def test_a_file_outside_of_the_trees_of_changes_is_as_it_was(writer: Stage) -> None:
    notes = writer.file("outside.txt", "mine\n")
    writer.file("in.txt", "a\nb\n")
    for words in (
        ("init", "-q"),
        ("add", "in.txt"),
        ("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"),
    ):
        subprocess.run(["git", *words], cwd=writer.work, check=True)
    writer.file("in.txt", "a\nbug\nb\n")
    done = writer.here("changes", "HEAD", ".", "--", f"{writer.work}/prog", "in.txt", str(notes))
    assert notes.read_text() == "mine\n"
    assert done.code == 0 or (done.code == 2 and "outside.txt" in done.err and "put back" in done.err), done.err


REWRITER = """import sys, time
path = sys.argv[-1]
open(path, "a").write("more\\n")
open("/dev/stdout", "w").write("written\\n")
time.sleep(600)
"""


@pytest.mark.parametrize(
    "words",
    [
        ("check", "in.txt", "--", sys.executable, "rewriter.py", "{}"),
        ("options", "--", sys.executable, "rewriter.py", "--fast", "in.txt"),
        ("trace", "--", sys.executable, "rewriter.py", "in.txt"),
    ],
    ids=["check", "options", "trace"],
)
def test_a_file_is_put_back_if_wynot_is_killed_in_the_first_run(stage: Stage, words: tuple[str, ...]) -> None:
    stage.file("rewriter.py", REWRITER)
    mine = stage.file("in.txt", "a\nb\n")
    before = mine.stat()
    run = stage.start(*words)
    eventually(lambda: mine.read_text() != "a\nb\n", "the program rewrites the file")
    run.send_signal(signal.SIGKILL)
    stage.ended(run)
    eventually(lambda: mine.read_text() == "a\nb\n", "the file is put back")
    eventually(lambda: mine.stat().st_mtime_ns == before.st_mtime_ns, "its time is put back")


SEARCHING = 2 * LOOKS + 1
"""More tests than these are run only if the search has begun."""


@pytest.mark.parametrize(("word", "code"), [(".", 2), ("-I.", 0)])
def test_what_the_user_edits_in_a_named_folder_is_left_as_it_is(stage: Stage, word: str, code: int) -> None:
    """The run stops where tests may have done it; a folder to look for files in is none that a program works on."""
    notes = stage.file("notes.txt", "mine\n")
    stage.script("prog", f'echo . >> {stage.folder}/log; sleep 0.1; grep -q bug "$2" || exit 0; echo error >&2; exit 3')
    stage.file("in.txt", "".join(f"line {number}\nbug\n" for number in range(20)))
    run = stage.start("reduce", "in.txt", "--atoms", "lines", "-o", stage.folder / "out", "--", "./prog", word, "{}")
    eventually(lambda: len(stage.log) > SEARCHING, "the search has begun")
    notes.write_text("mine\nmore\n")
    done = stage.ended(run)
    assert (done.code, notes.read_text()) == (code, "mine\nmore\n"), done.err
    if code:
        assert "notes.txt changed while tests ran, by a test or by somebody else (the content before: " in done.err
        before = Path(done.err.partition("the content before: ")[2].partition(")")[0])
        assert before.read_text() == "mine\n"


FORMATTER = """import sys
for path in sys.argv[1:]:
    if path[0] != "-" and "--dont" not in sys.argv:
        open(path, "w").write("formatted")
sys.exit("error: would reformat")
"""


@pytest.mark.parametrize(
    "script",
    [
        'cd {0} && exec "$0" "$@"',
        'cd {0}/sub; cd ..; exec "$0" "$@"',
        'exec sh -c \'cd {0} && exec "$0" "$@"\' "$0" "$@"',
    ],
)
def test_options_leaves_files_alone_in_the_folder_that_a_script_changes_to(stage: Stage, script: str) -> None:
    """`options` leaves out what keeps the program from writing: the file is put back, and the run ends."""
    elsewhere = stage.folder / "elsewhere"
    (elsewhere / "sub").mkdir(parents=True)
    mine = elsewhere / "mine.py"
    mine.write_text("x  = 1\n")
    program = stage.file("formatter.py", FORMATTER)
    words = ("sh", "-c", script.format(elsewhere), sys.executable, program, "mine.py", "--dont", "-v")
    done = stage.here("options", "--", *words)
    assert mine.read_text() == "x  = 1\n"
    assert done.code == 2
    assert f"{mine} changed while tests ran: it was put back as it was" in done.err, done.err


KILLED = """import os, signal
from wynot.engine.files.file_states import UserFiles
with UserFiles(["in.txt"]).on_disk():
    open("in.txt", "w").write("changed")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_next_start_reports_what_nobody_has_put_back(stage: Stage) -> None:
    """Its helper process was killed with it."""
    mine = stage.file("in.txt", "a\nbug\n")
    subprocess.run([sys.executable, "-c", KILLED], cwd=stage.work, env=stage.env, check=False)
    assert mine.read_text() == "changed"
    stage.script("check", 'grep -q bug "$1"')
    done = stage.here("check", "in.txt", "--test", "./check")
    assert (done.code, mine.read_text()) == (1, "changed"), done.err
    assert f"{mine} has changed since a run that was killed" in done.err
    (advised,) = re.findall(r"before that run: (cp .*)", done.err)
    subprocess.run(["sh", "-c", advised], cwd=stage.work, check=True)
    assert mine.read_text() == "a\nbug\n"


READER = """import sys
text, limit = open(sys.argv[1]).read(), open("data/1.txt").read()
for number in range(2, 31):
    open(f"data/{number}.txt").read()
if "b" not in text:
    open("data/1.txt", "w").write("broken")
if "a" in text and limit == "1":
    raise ValueError("bug")
"""


@pytest.mark.parametrize("many", [1, 30], ids=["file", "folder"])
def test_what_a_file_held_that_a_test_has_changed_through_a_link_is_kept(stage: Stage, many: int) -> None:
    """As typed it is only read. Of a folder of which many files are read, a test finds one link."""
    data = stage.work / "data"
    data.mkdir()
    for number in range(1, many + 1):
        (data / f"{number}.txt").write_text(f"{number}")
    stage.file("in.txt", "a\nb\nc\nd\n")
    stage.python("prog.py", READER.replace("31", f"{many + 1}"))
    done = stage.here("reduce", "in.txt", "-o", "out.txt", "--", "python3", "prog.py", "{}")
    assert done.code == 2, done.err
    assert f"{data}/1.txt changed while the search ran (the content before: " in done.err
    (kept,) = (stage.home / "changed").iterdir()
    assert kept.read_text() == "1"


@pytest.mark.parametrize("words", [("{}",), ("{}", "data")], ids=["linked", "named"])
def test_outcomes_from_after_a_change_are_not_kept(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Of many files, not each test is followed by a look at them: here only the first one is, and the result."""
    monkeypatch.setattr("wynot.engine.files.file_guard.FEW", 10)
    monkeypatch.setattr("wynot.engine.files.file_guard.PAUSE", 1000.0)
    data = stage.work / "data"
    data.mkdir()
    for number in range(1, 31):
        (data / f"{number}.txt").write_text(f"{number}")
    stage.file("in.txt", "a\nb\nc\nd\n")
    program = stage.python("prog.py", READER.replace("data/", f"{data}/") if "data" in words else READER)
    done = stage.here("reduce", "in.txt", "-o", "out.txt", "--", "python3", str(program), *words)
    assert done.code == 2, (done.out, done.err)
    assert f"{data}/1.txt changed while " in done.err
    (journal,) = (stage.home / "runs").glob("*.db")
    with sqlite3.connect(journal) as kept:
        assert kept.execute("SELECT DISTINCT outcome FROM tests").fetchall() in ([], [("fail",)])


def test_a_test_on_a_cluster_changes_no_named_file(writer: Stage) -> None:
    writer.script("prog", 'if grep -q bug "$1"; then exit 3; fi; echo more >> "$2"; exit 0')
    words = ("--cluster", "local:2", "--", "./prog", "{}", f"{writer.work}/notes.txt")
    done = writer.here("reduce", "in.txt", *words)
    assert (writer.work / "notes.txt").read_text() == "mine\n"
    assert done.code == 2, done.err
    assert "notes.txt" in done.err


def test_no_test_may_write_to_a_file_that_is_too_large_to_be_put_back(
    writer: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As typed, the command leaves it as it is; a test does not."""
    monkeypatch.setattr("wynot.engine.files.file_states.MOST_BYTES", 3)
    writer.script("prog", 'if grep -q bug "$1"; then exit 3; fi; echo more >> "$2"; exit 0')
    notes = writer.work / "notes.txt"
    done = writer.here("reduce", "in.txt", "--", "./prog", "{}", "notes.txt")
    assert (done.code, notes.read_text()) == (2, "mine\n")
    assert f"{notes} is too large to be put back if a test changes it" in done.err
    notes.chmod(0o444)
    writer.script("prog", 'test -e "$2" && grep -q bug "$1" && exit 3; exit 0')
    assert writer.here("reduce", "in.txt", "--", "./prog", "{}", "notes.txt").code == 0


def test_an_edit_of_a_file_of_which_tests_have_copies_ends_the_run(stage: Stage) -> None:
    """It is read and written, and no word names it: the second test of the search edits it."""
    stage.file("in.txt", "".join(f"{number}\n" for number in (*range(20), "bug")))
    mode = stage.file("mode", "x")
    runs = stage.folder / "runs"
    runs.mkdir()
    edit = f"mktemp {runs}/XXXXXX > /dev/null; [ $(ls {runs} | wc -l) = 12 ] && printf y > {mode}"
    command = f': >> mode; {edit}; [ "$(cat mode)" = x ] && grep -q bug "$0" && exit 3; exit 0'
    done = stage.here("reduce", "in.txt", "-j", "1", "--", "sh", "-c", command, "{}")
    assert done.code == 2, done.err
    assert f"{mode} changed while the search ran" in done.err


IN_SCRIPTS = {
    "full path": ("sh", "-c", '"$0" FORMATTER "$@" APART/mine.py', sys.executable),
    "relative after cd": ("sh", "-c", 'cd "APART" && "$0" FORMATTER "$@" mine.py', sys.executable),
    "folder": ("bash", "-c", '"$0" FORMATTER "$@" `find APART -type f`', sys.executable),
    "variable": ("sh", "-c", 'D=APART; "$0" FORMATTER "$@" "$D/mine.py"', sys.executable),
    "working folder": ("sh", "-c", 'cd HERE && "$0" FORMATTER "$@" here.py', sys.executable),
    "pattern": ("bash", "-c", 'cd APART; "$0" FORMATTER "$@" *.py', sys.executable),
    "wrapper": ("./lint.sh",),
    "wrapper given to a shell": ("sh", "lint"),
    "wrapper of a wrapper": ("./outer.sh",),
}


def formatting(stage: Stage) -> tuple[Path, dict[str, tuple[str, ...]]]:
    """A file elsewhere that a program overwrites unless it is told not to, and commands whose scripts name it."""
    elsewhere = stage.folder / "elsewhere"
    elsewhere.mkdir()
    mine = elsewhere / "mine.py"
    mine.write_text("x  = 1\n")
    program = stage.file("formatter.py", FORMATTER)
    body = f'{sys.executable} {program} "$@" {mine}'
    stage.script("lint.sh", body)
    stage.file("lint", body)
    stage.script("outer.sh", f'{stage.work}/lint.sh "$@"')
    filled = {
        name: tuple(
            word.replace("APART", str(elsewhere)).replace("FORMATTER", str(program)).replace("HERE", str(stage.work))
            for word in words
        )
        for name, words in IN_SCRIPTS.items()
    }
    return mine, filled


def test_options_takes_no_pattern_of_a_case_for_files(stage: Stage) -> None:
    """All files of the machine were guarded, and what other programs wrote to them meanwhile was taken back."""
    stage.script("wrapper", 'case "$0" in /*) ;; esac\ncase "$*" in *-x*) exit 3;; esac')
    done = stage.here("options", "--", "./wrapper", "-x", "-y")
    assert done.code == 0, done.err
    assert "warning" not in done.err
    assert "needed for the failure: -x" in done.out


@pytest.mark.parametrize("strace", [True, False], ids=["observed", "read"])
@pytest.mark.parametrize("case", IN_SCRIPTS)
def test_options_puts_a_file_back_that_only_a_script_names(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str, strace: bool
) -> None:
    if not strace:
        monkeypatch.setattr("wynot.commands.options.call_copies.find_strace", lambda: None)
    mine, commands = formatting(stage)
    if case == "working folder":
        mine = mine.rename(stage.work / "here.py")
    done = stage.here("options", "--", *commands[case], "--dont", "-v")
    assert mine.read_text() == "x  = 1\n", done.err
    assert (done.code, done.out) == (2, ""), done.err
    assert f"{mine} changed while tests ran: it was put back as it was" in done.err, done.err


@pytest.mark.skipif(find_strace() is None and os.environ.get("CI") != "true", reason="only strace shows it")
def test_options_puts_a_file_back_whose_name_the_program_computes(stage: Stage) -> None:
    mine, _ = formatting(stage)
    name = f'"{mine.parent}/" + "mi" + "ne.py"'
    words = ("-c", f"import sys; sys.argv.append({name}); open({name}).read(); {FORMATTER}", "--dont", "-v")
    done = stage.here("options", "--", sys.executable, *words)
    assert mine.read_text() == "x  = 1\n", done.err
    assert (done.code, done.out) == (2, ""), done.err


def test_options_puts_a_file_back_that_the_command_changes_where_tests_run(stage: Stage) -> None:
    """Without a file that no word names it writes, and so does the first test, before the working folder is copied."""
    stage.file("settings", "--check")
    mine = stage.folder / "mine.txt"
    mine.write_text("mine\n")
    script = f"[ -e settings ] || echo formatted > {mine}; exit 3"
    done = stage.here("options", "--", "sh", "-c", script, "x", "-v")
    assert mine.read_text() == "mine\n"
    assert (done.code, done.out) == (2, ""), done.err


def test_options_leaves_a_log_to_its_script_and_puts_an_output_back(stage: Stage) -> None:
    log, out = stage.folder / "log", stage.folder / "out"
    log.write_text("before\n")
    out.write_text("mine\n")
    script = f'echo "$*" | tee {out} >> {log}; case "$*" in *-x*) exit 3;; esac'
    done = stage.here("options", "--json", "--", "sh", "-c", script, "x", "-v", "-x")
    assert (done.code, done.json["causes"][0]["needed"]) == (0, ["-x"]), done.err
    assert log.read_text().startswith("before\n-v -x\n")
    assert out.read_text() == "mine\n"
    assert "the command writes to ../out, as do tests: put back at the end" in done.err
    assert "../out: put back as it was; the changed content: " in done.err


def test_options_says_which_folder_it_cannot_keep(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wynot.engine.files.file_guard.MAX_FILES", 20)
    large = stage.folder / "large"
    large.mkdir()
    for number in range(30):
        (large / f"{number}.txt").touch()
    script = f'ls {large}; case "$*" in *-x*) exit 3;; esac'
    done = stage.here("options", "--", "sh", "-c", script, "x", "-v", "-x")
    assert done.code == 0, done.err
    assert f"{large}: too large to be kept; if a test changes it, it cannot be put back" in done.err


def test_a_result_is_not_written_to_a_file_that_the_command_reads(stage: Stage) -> None:
    """Tests read the result then, instead of the user's file, which was lost."""
    stage.file("list.txt", "bug\n")
    stage.file("in.txt", "bug\nmore\n")
    program = 'grep -qF -f list.txt "$1" || exit 0; exit 3'
    done = stage.here("reduce", "in.txt", "-o", "list.txt", "--", "sh", "-c", program, "x", "{}")
    assert (done.code, done.out) == (2, "")
    assert "wynot: the command reads list.txt" in done.err
    assert (stage.work / "list.txt").read_text() == "bug\n"


def test_a_file_that_a_result_overwrites_is_kept(stage: Stage) -> None:
    """If wynot has not written it: not again when the command is run once more."""
    stage.posed("bug\nmore\n")
    mine = stage.file("in.reduced.txt", "my notes\n")
    words = ("reduce", "in.txt", "--test", "./check", "--fresh")
    done = stage.here(*words)
    kept = re.findall(r"in.reduced.txt exists: a copy is kept in (.*)", done.err)
    assert [Path(each).read_text() for each in kept] == ["my notes\n"]
    assert mine.read_text() == "bug"
    assert "a copy is kept" not in stage.here(*words).err
