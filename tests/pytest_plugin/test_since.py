"""`--wynot-since REV` on a real history: two commits, each harmless, break a test together."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.pytest_plugin.suite import Suite

HISTORY = Path(__file__).parents[2] / "examples" / "since" / "make_history.sh"


def test_two_interfering_commits_are_shown_under_the_failure(tmp_path: Path) -> None:
    subprocess.run(["sh", HISTORY, tmp_path / "project"], check=True)
    suite = Suite(tmp_path / "project")
    ran = suite.run("--wynot-since", "v1")
    assert ran.code == 1, ran.text
    assert "together break v1 (1-minimal" in ran.found
    assert "+    return 2" in ran.found
    assert "+    return 3" in ran.found
    assert "scale by two" in ran.found
    assert "an offset of three" in ran.found
    assert "news" not in ran.found
    assert ran.text.count("wynot: looking into test_") == 1


def test_a_revision_that_is_not_there(tmp_path: Path) -> None:
    subprocess.run(["sh", HISTORY, tmp_path / "project"], check=True)
    suite = Suite(tmp_path / "project")
    ran = suite.run("--wynot-since", "no-such-revision")
    assert ran.code == 1
    assert "since no-such-revision: nothing was found" in ran.found


def test_a_revision_at_which_the_test_fails(tmp_path: Path) -> None:
    """What is shown is the message and what to type, not what is quoted in between."""
    subprocess.run(["sh", HISTORY, tmp_path / "project"], check=True)
    (tmp_path / "project" / "news.txt").write_text("more\n")
    ran = Suite(tmp_path / "project").run("--wynot-since", "HEAD")
    assert ran.code == 1
    lines = ran.found.splitlines()
    place = next(number for number, line in enumerate(lines) if "since HEAD: nothing was found" in line)
    assert "wynot: HEAD does not pass the test: it also fails" in lines[place + 1]
    assert "  | " not in lines[place + 2]


def test_a_copy_of_the_test_outside_of_the_repository(tmp_path: Path) -> None:
    """A test that is newer than the revision: the advice is to name a copy of it, and that works."""
    project = tmp_path / "project"
    subprocess.run(["sh", HISTORY, project], check=True)
    (name,) = (path.name for path in project.glob("test_*.py"))
    copy = tmp_path / "elsewhere" / name
    copy.parent.mkdir()
    copy.write_text((project / name).read_text())
    ran = Suite(project).run("--wynot-since", "v1", "--rootdir", str(copy.parent), str(copy))
    assert ran.code == 1, ran.text
    assert "together break v1 (1-minimal" in ran.found
    assert "+    return 3" in ran.found
