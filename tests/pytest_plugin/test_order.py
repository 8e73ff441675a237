"""`--wynot-order` on real suites, each question in a fresh process."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pytest_plugin.suite import Suite

SHARED = "state = {}\n"


def numbered(count: int, special: dict[int, str]) -> str:
    """A module of tests that pass, but for some."""
    tests = (f"def test_{number}():\n    {special.get(number, 'assert True')}\n" for number in range(count))
    return "import shared\n" + "".join(tests)


def test_two_tests_that_only_together_make_a_third_one_fail(suite: Suite) -> None:
    suite.write(
        shared=SHARED,
        test_a=numbered(9, {7: "shared.state['a'] = 1"}),
        test_b=numbered(6, {3: "shared.state['b'] = 1", 5: "assert len(shared.state) < 2"}),
    )
    ran = suite.run("--wynot-order", "-q")
    assert ran.code == 1, ran.text
    assert "\nwynot: which of 14 earlier tests matter to test_b.py::test_5?" in ran.text
    assert "it passes alone and fails only after these 2 tests together (of 14 earlier ones; 1-minimal; " in ran.found
    assert "  test_a.py::test_7\n  test_b.py::test_3\n" in ran.found
    assert "try it: pytest test_a.py::test_7 test_b.py::test_3 test_b.py::test_5" in ran.found
    runs = int(ran.found.split(" runs in fresh")[0].rpartition(" ")[2])
    assert runs <= 20
    again = suite.run("test_a.py::test_7", "test_b.py::test_3", "test_b.py::test_5")
    assert again.code == 1


def test_another_value_at_the_same_place_is_another_failure(suite: Suite) -> None:
    """After test_0 it gets another value than after test_2, which ran last; a message without values says no more."""
    suite.write(
        shared=SHARED,
        test_a=numbered(4, {0: "shared.state['name'] = ''", 2: "shared.state['name'] = 'False'"}),
        test_b=numbered(1, {0: "assert shared.state.get('name', 'x') == 'x'"}),
    )
    ran = suite.run("--wynot-order")
    assert "it passes alone and fails only after this test (of 4 earlier ones; 1-minimal; " in ran.found
    assert "  test_a.py::test_2\n" in ran.found
    assert "was not compared" not in ran.found


def test_where_the_message_differs_each_time_the_place_counts(suite: Suite) -> None:
    suite.write(
        shared=SHARED,
        test_a=numbered(3, {1: "shared.state['name'] = 1"}),
        test_b="import random\n" + numbered(1, {0: "assert not shared.state, f'ticket {random.random()}'"}),
    )
    ran = suite.run("--wynot-order")
    assert "  test_a.py::test_1\n" in ran.found
    assert "note: the message of the failure was not compared, only its place" in ran.found


OPTION = """
def pytest_addoption(parser):
    parser.addoption("--mode")
def pytest_configure(config):
    assert config.getoption("--mode") == "on"
"""


def test_a_test_that_needs_an_earlier_one(suite: Suite) -> None:
    """Options of the project's own, with their values, are passed on to fresh processes."""
    suite.write(
        shared=SHARED,
        test_a=numbered(4, {2: "shared.state['ready'] = 1"}),
        test_b=numbered(2, {0: "assert shared.state['ready']"}),
    )
    suite.write(conftest=OPTION)
    assert suite.run("--mode", "on").code == 0
    ran = suite.run("--wynot-order", "--mode", "on", "test_b.py", "-q")
    assert ran.code == 1
    assert "it fails alone and passes only after this test (of 4 earlier ones; 1-minimal; " in ran.found
    assert "  test_a.py::test_2\n" in ran.found


def test_failures_that_are_no_matter_of_order(suite: Suite) -> None:
    mark = suite.folder.with_name("mark")
    once = (
        f"import pathlib\n    mark = pathlib.Path({str(mark)!r})\n"
        "    there = mark.exists()\n    mark.touch()\n    assert there"
    )
    suite.write(shared=SHARED, test_a=numbered(4, {2: "assert False", 3: once}))
    ran = suite.run("--wynot-order", "--tb=no", "-q")
    assert ran.code == 1
    assert "it also fails alone: the order of the tests does not matter" in ran.text
    assert "the failure is flaky" in ran.text


def test_nothing_is_printed_when_nothing_fails(suite: Suite) -> None:
    suite.write(shared=SHARED, test_a=numbered(3, {}))
    ran = suite.run("--wynot-order")
    assert ran.code == 0
    assert "wynot" not in ran.text.replace("plugins: wynot", "")


def test_with_xdist_what_ran_before_on_the_same_worker_counts(suite: Suite) -> None:
    suite.write(
        shared=SHARED,
        test_a=numbered(4, {2: "shared.state['a'] = 1", 3: "assert not shared.state"}),
        test_b=numbered(2, {}),
    )
    ran = suite.run("--wynot-order", "-n", "2", "--dist", "loadfile", plugins=("xdist",))
    assert ran.code == 1, ran.text
    assert "fails only after this test (of 3 earlier ones" in ran.found
    assert "  test_a.py::test_2\n" in ran.found


def test_a_suite_that_cannot_be_run_again_stays_red(suite: Suite) -> None:
    """In fresh processes nothing can be collected: that is said, and changes nothing."""
    suite.write(
        shared=SHARED,
        conftest="import sys\nif '--wynot-judge' in sys.argv:\n    raise RuntimeError('not again')\n",
        test_a=numbered(2, {1: "assert False"}),
    )
    ran = suite.run("--wynot-order")
    assert ran.code == 1
    assert "the order cannot be judged" in ran.found


def test_numbers_that_mean_nothing_are_refused(suite: Suite) -> None:
    suite.write(test_a="def test_1():\n    assert False\n")
    for words in (("--wynot-time", "0"), ("--wynot-most", "-1")):
        ran = suite.run("--wynot-order", *words)
        assert ran.code == 4
        assert "has to be more than 0" in ran.text


OPENED = "import sqlite3; base = sqlite3.connect('app.db'); base.execute('create table if not exists t (x)')"
POLLUTES = {
    "variables": (
        "import os; os.environ['MODE'] = os.environ['PYTHONPATH'] = 'x'; del os.environ['KEPT']",
        "import os; assert 'MODE' not in os.environ and 'KEPT' in os.environ and os.environ.get('PYTHONPATH') != 'x'",
    ),
    "the umask": (
        "import os; os.umask(0o70)",
        "import os; mask = os.umask(0o22); os.umask(mask); assert mask != 0o70",
    ),
    "an ignored signal": (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGHUP, signal.SIG_IGN)",
        "import signal; assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL",
    ),
    "a blocked signal": (
        "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])",
        "import signal; assert signal.SIGUSR1 not in signal.pthread_sigmask(signal.SIG_BLOCK, ())",
    ),
    "a limit": (
        "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (123, r.getrlimit(r.RLIMIT_NOFILE)[1]))",
        "import resource; assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] != 123",
    ),
    "a changed file": ("open('state.txt', 'w').write('b')", "assert open('state.txt').read() == 'a'"),
    "a database": (
        f"{OPENED}; base.execute('insert into t values (1)'); base.commit(); base.close()",
        f"{OPENED}; n = base.execute('select count(*) from t').fetchone()[0]; base.close(); assert n == 0",
    ),
}


@pytest.mark.parametrize(("pollutes", "victim"), POLLUTES.values(), ids=POLLUTES)
def test_fresh_processes_start_as_the_suite_did(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, pollutes: str, victim: str
) -> None:
    monkeypatch.setenv("KEPT", "1")
    (suite.folder / "state.txt").write_text("a")
    suite.write(shared=SHARED, test_a=numbered(5, {2: pollutes, 4: victim}))
    ran = suite.run("--wynot-order", "-q")
    assert ran.code == 1
    assert "it passes alone and fails only after this test (of 4 earlier ones; 1-minimal; " in ran.found, ran.found
    assert "  test_a.py::test_2\n" in ran.found
    assert ("the suite left on disk: app.db (new)" in ran.found) == (suite.folder / "app.db").exists()
    assert ("the suite left on disk: state.txt (changed)" in ran.found) == ("state" in victim)


def test_a_file_that_was_written_again_with_the_same_content_has_not_changed(suite: Suite) -> None:
    (suite.folder / "same.txt").write_text("a")
    (suite.folder / "state.txt").write_text("a")
    writes = "shared.state['x'] = 1; open('same.txt', 'w').write('a'); open('state.txt', 'w').write('b')"
    suite.write(shared=SHARED, test_a=numbered(4, {1: writes, 3: "assert not shared.state"}))
    ran = suite.run("--wynot-order", "-q")
    assert "the suite left on disk: state.txt (changed)" in ran.found, ran.found


SERVES = {
    "in its process": "import socket, shared; shared.server = socket.create_server(('127.0.0.1', {port}))",
    "in a process of its own": (
        "import subprocess, sys, shared\n"
        "    code = 'import socket; s = socket.create_server((str(), {port})); print(1, flush=True); input()'\n"
        "    pipe = subprocess.PIPE\n"
        "    shared.child = subprocess.Popen([sys.executable, '-c', code], stdin=pipe, stdout=pipe)\n"
        "    shared.child.stdout.readline()"
    ),
}


@pytest.mark.parametrize("serves", SERVES.values(), ids=SERVES)
def test_where_the_suite_still_listens_nothing_is_said_of_the_order(suite: Suite, serves: str) -> None:
    """A fresh process cannot listen there, so the test fails alone, too, and passes if nothing else is run."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    uses = f"import socket; socket.create_server(('127.0.0.1', {port})).close()"
    suite.write(shared=SHARED, test_a=numbered(4, {1: serves.format(port=port), 3: uses}))
    assert suite.run("test_a.py::test_3").code == 0
    ran = suite.run("--wynot-order", "-q")
    assert "the order of the tests does not matter" not in ran.found
    assert "it also fails alone, while the suite's process is there" in ran.found, ran.found
    assert f"the suite's process still listens, where fresh processes cannot then: port {port}" in ran.found


def test_a_database_that_an_earlier_suite_left(suite: Suite) -> None:
    """The suite itself finds it when it starts; without it, the order of the tests decides."""
    pollutes, victim = POLLUTES["a database"]
    suite.write(shared=SHARED, test_a=numbered(5, {2: pollutes, 4: victim}))
    assert suite.run("-q").code == 1
    before = (suite.folder / "app.db").stat().st_size
    ran = suite.run("--wynot-order", "-q")
    assert "it fails alone because of app.db, which an earlier run may have left; without that:" in ran.found
    assert "it passes alone and fails only after this test (of 4 earlier ones; 1-minimal; " in ran.found
    assert "  test_a.py::test_2\n" in ran.found
    assert "the suite left on disk: app.db (changed)" in ran.found
    assert (suite.folder / "app.db").stat().st_size == before


def test_questions_do_not_touch_the_project(suite: Suite) -> None:
    """A test that cleans up after another one is left out of some questions: what stays, stays in a copy."""
    suite.write(
        shared=SHARED,
        test_a=numbered(
            6,
            {
                1: "open('litter', 'w').close(); shared.state['a'] = 1",
                3: "assert not shared.state",
                5: "import os; os.remove('litter')",
            },
        ),
    )
    ran = suite.run("--wynot-order", "-q")
    assert "  test_a.py::test_1\n" in ran.found
    assert not (suite.folder / "litter").exists()


def test_files_outside_of_the_project_are_named(suite: Suite) -> None:
    outside = Path(tempfile.mkdtemp(prefix="wynot-test-")) / "outside"
    suite.write(
        shared=SHARED,
        test_a=numbered(
            4,
            {
                1: f"open({str(outside)!r}, 'w').close()",
                3: f"import os; assert not os.path.exists({str(outside)!r})",
            },
        ),
    )
    ran = suite.run("--wynot-order", "-q")
    shutil.rmtree(outside.parent)
    assert "the order of the tests does not matter" not in ran.found
    assert "it also fails alone, with the files that the suite left: put them back as they were" in ran.found
    assert f"where fresh processes see it, too: {outside}" in ran.found.replace("\n", "")


HOME = "import os, pathlib; mark = pathlib.Path(os.environ['WYNOT_TEST_OUTSIDE'], 'mark'); "
CLEANED_UP = {2: f"{HOME}mark.touch()", 5: f"{HOME}assert not mark.exists()", 6: f"{HOME}mark.unlink()"}
"""Test 5 fails because of a file outside of the project that test 2 writes and test 6 removes."""


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file. It is not below the temporary folder of pytest, whose files are no news."""
    with tempfile.TemporaryDirectory(prefix="wynot-test-") as folder:
        monkeypatch.setenv("WYNOT_TEST_OUTSIDE", folder)
        yield Path(folder, "mark")


def test_no_test_is_blamed_where_fresh_processes_find_what_earlier_ones_left(suite: Suite, mark: Path) -> None:
    suite.write(shared=SHARED, test_a=numbered(7, CLEANED_UP))
    ran = suite.run("--wynot-order", "-q")
    assert "the same tests, run again, end differently" in ran.found, ran.found
    assert "fails only after" not in ran.found
    assert f"where fresh processes see it, too: {mark}" in ran.found.replace("\n", "")


def test_no_test_is_blamed_where_the_failure_shows_only_sometimes(suite: Suite, mark: Path) -> None:
    """It fails in the suite and in every second process."""
    counts = f"{HOME}mark.open('a').write('x')"
    suite.write(shared=SHARED, test_a=numbered(6, {5: f"{counts}; assert mark.stat().st_size % 2 == 0"}))
    ran = suite.run("--wynot-order", "-q")
    assert "fails only after" not in ran.found, ran.found
    assert "passes only after" not in ran.found, ran.found


def test_what_a_worker_writes_outside_of_the_project_is_named(suite: Suite, mark: Path) -> None:
    suite.write(shared=SHARED, test_a=numbered(6, {place: CLEANED_UP[place] for place in (2, 5)}))
    ran = suite.run("--wynot-order", "-q", "-n1", plugins=("xdist",))
    assert "the order of the tests does not matter" not in ran.found
    assert f"where fresh processes see it, too: {mark}" in ran.found.replace("\n", ""), ran.text


def test_a_project_that_cannot_be_copied_is_asked_where_it_is(suite: Suite) -> None:
    os.mkfifo(suite.folder / "pipe")
    suite.write(shared=SHARED, test_a=numbered(4, {1: "shared.state['a'] = 1", 3: "assert not shared.state"}))
    ran = suite.run("--wynot-order", "-q")
    assert "it passes alone and fails only after this test (of 3 earlier ones" in ran.found
    assert "fresh processes ran in the project's own folder: the project cannot be copied" in ran.found


def test_a_large_project_is_asked_where_it_is(suite: Suite) -> None:
    """What the suite writes in it is named: fresh processes find that, too."""
    with (suite.folder / "large.bin").open("wb") as file:
        file.truncate(1 << 30)
    pollutes, victim = POLLUTES["a database"]
    suite.write(shared=SHARED, test_a=numbered(4, {1: pollutes, 3: victim}))
    ran = suite.run("--wynot-order", "-q")
    assert "it also fails alone, with the files that the suite left: put them back as they were" in ran.found
    assert "fresh processes ran in the project's own folder: the project is too large to be copied" in ran.found
    assert "the suite left on disk: app.db (changed)" in ran.found


def test_what_is_opened_in_a_folder_that_is_gone(suite: Suite) -> None:
    """To see what the suite writes must not break what it does."""
    suite.write(
        test_a=(
            "import os\n"
            "def test_0(tmp_path):\n"
            "    gone, here = tmp_path / 'gone', os.open(tmp_path, os.O_DIRECTORY)\n"
            "    gone.mkdir()\n    os.chdir(gone)\n    gone.rmdir()\n"
            "    try:\n        os.close(os.open('x', os.O_CREAT | os.O_WRONLY, dir_fd=here))\n"
            "    finally:\n        os.chdir('/')\n"
        )
    )
    ran = suite.run("--wynot-order")
    assert ran.code == 0, ran.text


def test_a_suite_that_raises_audit_events_itself_is_not_disturbed(suite: Suite) -> None:
    suite.write(
        test_a="import sys\ndef test_own_events():\n    sys.audit('open', 'x')\n    sys.audit('sqlite3.connect')\n"
    )
    ran = suite.run("--wynot-order")
    assert ran.code == 0, ran.text
