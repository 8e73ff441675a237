"""`wynot changes`: what breaks the old one, what to take back, with callables and with real programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from wynot.commands.changes.change_search import MANY
from wynot.commands.changes.changes_result import ChangesQuestion, ChangesResult
from wynot.commands.changes.investigation import changes
from wynot.commands.changes.old_and_new import Sources
from wynot.commands.changes.patch_files import git_diff
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Event, PassStarted, TrialAnswered
from wynot.domains.changes.diff_folders import changes_between
from wynot.engine.run_options import Options
from wynot.errors import BudgetEnded, NoFailureError, UsageError
from wynot.oracles.command import Command
from wynot.oracles.extra_commands import BuildFirst
from wynot.report.changes_report import changes_text

LINES = 40


def sources(old: dict[str, bytes], new: dict[str, bytes]) -> Sources:
    before, after = Folder.of(old), Folder.of(new)
    return Sources(before, after, changes_between(before, after, git_diff(before, after)))


def numbered(changed: bool) -> dict[str, bytes]:
    """Four files; today every third line says so."""
    lines = (f"{n} {'new' if changed and n % 3 == 0 else 'old'}\n" for n in range(LINES))
    text = "".join(lines).encode()
    return {f"{name}.txt": text for name in "abcd"}


def fails(*needed: tuple[str, bytes]) -> object:
    def test(files: dict[str, bytes]) -> Outcome:
        return FAIL if all(line in files[path] for path, line in needed) else PASS

    return test


def headers(found: ChangesResult) -> tuple[list[str], list[str]]:
    assert found.breaks is not None
    assert found.repairs is not None
    return [c.path for c in found.breaks.changes], [c.path for c in found.repairs.changes]


def test_two_that_fail_only_together() -> None:
    test = fails(("a.txt", b"\n9 new"), ("c.txt", b"30 new"))
    found = changes(sources(numbered(False), numbered(True)), test)  # type: ignore[arg-type]
    breaks, repairs = headers(found)
    assert breaks == ["a.txt", "c.txt"]
    assert repairs in (["a.txt"], ["c.txt"])
    assert found.minimality == "1-minimal"


def test_either_of_two_is_enough() -> None:
    def test(files: dict[str, bytes]) -> bool:
        return b"\n9 new" in files["a.txt"] or b"30 new" in files["c.txt"]

    breaks, repairs = headers(changes(sources(numbered(False), numbered(True)), test))
    assert len(breaks) == 1
    assert repairs == ["a.txt", "c.txt"]


def test_where_no_single_change_can_be_taken_back_a_file_can() -> None:
    """Ten new files, which others use by now, and a use of them: what it replaces comes back with all of its file."""

    def test(files: dict[str, bytes]) -> Outcome:
        parts = all(f"part{n}.txt" in files for n in range(10))
        using, deciding, relying = (b"\n%d new" % n in files["a.txt"] for n in (3, 9, 15))
        if ((using or b"\n3 new" in files["b.txt"]) and not parts) or deciding > using or relying > deciding:
            return UNRESOLVED
        return FAIL if deciding else PASS

    new = numbered(True) | {f"part{n}.txt": b"%d\n" % n for n in range(10)}
    found = changes(sources(numbered(False), new), test)
    assert found.repairs is not None
    assert found.breaks is not None
    assert len(found.breaks.changes) == 12
    assert [c.header for c in found.repairs.changes] == ["@@ -10,1 +10,1 @@", "@@ -16,1 +16,1 @@"]
    assert found.tests["repairs"] <= 12


CORE, LINKS = 4, 28


def test_a_chain_of_which_no_link_can_be_left_out_alone_is_left_out_whole() -> None:
    """28 changes of one file work together only; four others use them, and are enough to take back."""

    def tree(word: bytes) -> dict[str, bytes]:
        return {
            name: b"".join(b"%d %s\n\n\n\n" % (n, word) for n in range(count))
            for name, count in (("base.txt", CORE), ("chain.txt", LINKS))
        }

    def test(files: dict[str, bytes]) -> Outcome:
        chain, core = (files[name].count(b"new") for name in ("chain.txt", "base.txt"))
        if chain not in {0, LINKS} or core not in {0, CORE} or (core and not chain):
            return UNRESOLVED
        return FAIL if core else PASS

    found = changes(sources(tree(b"old"), tree(b"new")), test)
    breaks, repairs = headers(found)
    assert len(breaks) == LINKS + CORE
    assert repairs == ["base.txt"] * CORE
    assert found.minimality == "1-minimal"
    assert found.tests["repairs"] <= 10


@pytest.mark.parametrize("many", [MANY, MANY + 4])
def test_what_breaks_the_old_one_is_not_tested_again_to_see_what_decides(many: int) -> None:
    """Each is known to be needed by then; where there are many, they are not even looked at one by one."""
    old, new = ({f"{n}.txt": line for n in range(many)} for line in (b"old\n", b"new\n"))
    heard: list[Event] = []
    test = fails(*((path, b"new") for path in new))
    found = changes(sources(old, new), test, Options(listener=heard.append))  # type: ignore[arg-type]
    begun = next(at for at, each in enumerate(heard) if isinstance(each, PassStarted) and each.name == "suspects")
    asked = [each for each in heard[begun:] if isinstance(each, TrialAnswered)]
    assert found.breaks is not None
    assert len(found.breaks.changes) == many
    assert found.repairs is not None
    assert len(found.repairs.changes) == 1
    assert len(asked) < many


def test_one_question_at_a_time() -> None:
    test = fails(("b.txt", b"12 new"))
    both = sources(numbered(False), numbered(True))
    only = changes(both, test, question=ChangesQuestion(repairs=False))  # type: ignore[arg-type]
    assert only.repairs is None
    assert only.breaks is not None
    other = changes(both, test, question=ChangesQuestion(breaks=False))  # type: ignore[arg-type]
    assert other.breaks is None
    assert other.repairs is not None
    assert [c.path for c in other.repairs.changes] == ["b.txt"]


@pytest.mark.parametrize("algorithm", ["ddmin", "sweep", "dd1999", "ddplus", "dd"])
def test_the_papers_algorithms(algorithm: str) -> None:
    test = fails(("b.txt", b"12 new"))
    found = changes(sources(numbered(False), numbered(True)), test, Options(algorithm=algorithm))  # type: ignore[arg-type]
    assert found.breaks is not None
    assert "b.txt" in [c.path for c in found.breaks.changes]


def test_lines_of_a_guilty_change() -> None:
    old, new = {"a": b"".join(b"%d\n" % n for n in range(9))}, {"a": b"".join(b"x%d\n" % n for n in range(9))}
    found = changes(sources(old, new), fails(("a", b"x4")), question=ChangesQuestion(lines=True))  # type: ignore[arg-type]
    assert found.breaks is not None
    assert [c.header for c in found.breaks.changes] == ["@@ -5,1 +5,1 @@"]
    assert b"+x4" in found.breaks.patch


def test_files_of_a_guilty_folder_that_has_moved() -> None:
    """The move is one change; asked to go on, it is taken apart."""
    old = {f"shop/{name}": name.encode() * 9 + b"\n" for name in "abcd"}
    new = {path.replace("shop", "lib"): data for path, data in old.items()}

    def test(files: dict[str, bytes]) -> bool:
        return "shop/b" not in files

    whole, parts = (changes(sources(old, new), test, question=ChangesQuestion(lines=lines)) for lines in (False, True))
    assert headers(whole)[0] == ["lib"]
    assert headers(parts)[0] == ["lib/b"]
    assert parts.breaks is not None
    assert parts.breaks.patch.count(b"rename from ") == 1
    assert "1 part in 1 of 1 change breaks old" in changes_text(parts, ("old", "new"), colour=False)


def test_ends_that_are_not_as_they_should_be() -> None:
    both = sources(numbered(False), numbered(True))
    with pytest.raises(NoFailureError, match="does not show"):
        changes(both, lambda files: False)
    with pytest.raises(NoFailureError, match="fails, too"):
        changes(both, lambda files: True)
    with pytest.raises(NoFailureError, match="unresolved"):
        changes(both, lambda files: FAIL if b"\n9 new" in files["a.txt"] else UNRESOLVED)
    with pytest.raises(UsageError, match="no algorithm"):
        changes(both, lambda files: True, Options(algorithm="magic"))


def test_a_budget_leaves_the_best_so_far() -> None:
    test = fails(("a.txt", b"\n9 new"), ("c.txt", b"30 new"))
    with pytest.raises(BudgetEnded) as ended:
        changes(sources(numbered(False), numbered(True)), test, Options(budget_tests=5))  # type: ignore[arg-type]
    best = ended.value.best
    assert isinstance(best, ChangesResult)
    assert best.breaks is not None
    assert 2 <= len(best.breaks.changes) < LINES
    assert best.status == "budget"


MODULES_OLD = {
    "app.py": b"import helper\n\nprint(helper.total([1, 2, 3]))\n",
    "helper.py": b"def total(items):\n    return sum(items)\n",
    "unused.py": b"".join(b"x%d = 0\n" % n for n in range(50)),
}
MODULES_NEW = {
    "app.py": b"import helper\nimport fresh\n\nprint(helper.total([1, 2, 3]) // fresh.size([]))\n",
    "helper.py": b"# sums\n\ndef total(items):\n    return sum(items)\n",
    "fresh.py": b"def size(items):\n    return len(items)\n",
    "unused.py": b"".join(b"x%d = %d\n" % (n, n % 2) for n in range(50)),
}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_real_program_with_a_new_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """What breaks it needs the new module; what is never read is set aside by one test."""
    monkeypatch.setenv("WYNOT_HOME", str(tmp_path))
    command = Command(("python3", "app.py"), inside=True)
    found = changes(sources(MODULES_OLD, MODULES_NEW), command, Options(jobs=jobs))
    breaks, repairs = headers(found)
    assert breaks in (["app.py", "app.py", "fresh.py"], ["app.py", "fresh.py"])
    assert repairs == ["app.py"]
    assert found.aside >= 1
    assert found.cost.counts.needed < 20


def test_without_its_means_it_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WYNOT_HOME", str(tmp_path))
    command = Command(("python3", "app.py"), inside=True)
    plain = ChangesQuestion(by=(), resolving=False, coverage=False)
    one, other = (changes(sources(MODULES_OLD, MODULES_NEW), command, question=q) for q in (ChangesQuestion(), plain))
    assert headers(one) == headers(other)
    assert other.aside == 0


def test_a_build_that_does_not_know_its_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither end is judged by what the other one has left, and the answers are built anew."""
    monkeypatch.setenv("WYNOT_HOME", str(tmp_path))
    main = b'#include "k.h"\nint main(void) { return K; }\n'
    make = b"prog: main.o\n\tcc -o prog main.o\nmain.o: main.c\n\tcc -c main.c\n"
    old = {"Makefile": make, "main.c": main, "k.h": b"#define K 0\n"}
    oracle = BuildFirst(Command(("./prog",), inside=True), "make")
    found = changes(sources(old, {**old, "k.h": b"#define K 1\n"}), oracle, Options())
    assert headers(found) == (["k.h"], ["k.h"])
    assert found.minimality == "1-minimal"


def test_minimality_is_proved_in_trees_that_are_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that does not notice one of its sources deceives a search, but not the answer."""
    monkeypatch.setenv("WYNOT_HOME", str(tmp_path))
    make = b"prog: main.in\n\tcat main.in dep.in > prog\n"
    old = {"Makefile": make, "main.in": b"main\n", "dep.in": b"fine\n", **{f"{n}.txt": b"old\n" for n in range(6)}}
    new = {**old, "dep.in": b"bug\n", **{f"{n}.txt": b"new\n" for n in range(6)}}
    oracle = BuildFirst(Command(("sh", "-c", "! grep bug prog"), inside=True), "make")
    found = changes(sources(old, new), oracle, question=ChangesQuestion(coverage=False))
    assert headers(found)[0] == ["dep.in"]


def test_what_does_not_hold_is_not_called_minimal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wynot.commands.changes.trial_run.confirmed", lambda *_: False)
    found = changes(sources(numbered(False), numbered(True)), fails(("b.txt", b"12 new")))  # type: ignore[arg-type]
    assert found.minimality is None


def test_generated_sources_of_python_are_not_taken_from_an_earlier_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WYNOT_HOME", str(tmp_path))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    line = "cp data.txt gen.py && python3 -c 'import gen; assert gen.A == 1'"
    command = Command(("sh", "-c", line), inside=True)
    found = changes(
        sources({"data.txt": b"A=1\n"}, {"data.txt": b"A=2\n"}), command, question=ChangesQuestion(coverage=False)
    )
    assert headers(found) == (["data.txt"], ["data.txt"])
