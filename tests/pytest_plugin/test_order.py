"""`--wynot-order` on real suites, each question in a fresh process."""

from __future__ import annotations

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
    assert runs <= 14
    again = suite.run("test_a.py::test_7", "test_b.py::test_3", "test_b.py::test_5")
    assert again.code == 1


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
    once = (
        "import pathlib\n    mark = pathlib.Path('mark')\n    there = mark.exists()\n    mark.touch()\n    assert there"
    )
    suite.write(shared=SHARED, test_a=numbered(4, {2: "assert False", 3: once}))
    ran = suite.run("--wynot-order", "--tb=no", "-q")
    assert ran.code == 1
    assert "it fails alone, too: the order of the tests does not matter" in ran.text
    assert "it fails only sometimes" in ran.text


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
    assert "nothing can be said of the order" in ran.found


def test_numbers_that_mean_nothing_are_refused(suite: Suite) -> None:
    suite.write(test_a="def test_1():\n    assert False\n")
    for words in (("--wynot-time", "0"), ("--wynot-most", "-1")):
        ran = suite.run("--wynot-order", *words)
        assert ran.code == 4
        assert "has to be more than 0" in ran.text
