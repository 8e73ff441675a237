"""`reduce` on folders, as a library: which files, what in them, and in how many tests."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import wynot
from tests.support.stage import Stage
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.domains.text.folder_entries import LARGEST
from wynot.engine.files.folder_io import read_folder, write_folder
from wynot.errors import BudgetEnded, Interrupted, NoFailureError, UsageError

Files = dict[str, bytes]
LINES = wynot.Options(atoms="lines")

TREE = {
    "main.txt": b"one\nuse lib\ntwo\n",
    "lib/a.txt": b"a\nbug\nb\n" * 1,
    "lib/b.txt": b"b\n" * 40,
    "docs/one.txt": b"1\n" * 30,
    "docs/two.txt": b"2\n" * 30,
    "docs/deep/three.txt": b"3\n",
    "tests/t.txt": b"t\n" * 9,
    "notes.txt": b"n\n",
}


def needs(files: Files) -> bool:
    return b"use lib" in files.get("main.txt", b"") and b"bug" in files.get("lib/a.txt", b"")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Eight files, of which two matter."""
    write_folder(Folder.of(TREE), str(tmp_path / "tree"))
    return tmp_path / "tree"


class Counted:
    """A test that counts its calls and remembers what it was given."""

    def __init__(self, test: Callable[[Files], bool]) -> None:
        self.test = test
        self.seen: list[Files] = []

    def __call__(self, files: Files) -> bool:
        self.seen.append(files)
        return self.test(files)


def test_the_files_that_matter_and_what_matters_in_them(tree: Path) -> None:
    test = Counted(needs)
    result = wynot.reduce(tree, test)
    assert result.files == {"main.txt": b"use lib", "lib/a.txt": b"bug"}
    assert list(result.folder.entries) == ["lib", "lib/a.txt", "main.txt"]
    assert (result.minimality, result.atoms, result.status) == ("1-minimal", "files", "done")
    assert read_folder(tree) == Folder.of(TREE) == result.original
    assert test.seen[0] == TREE
    assert test.seen[1] == {}, "whether it depends on the folder at all"
    assert len(test.seen) == result.cost.counts.tests + 2 <= 75


def test_whole_folders_go_first(tmp_path: Path) -> None:
    """Hundreds of files that do not matter cost next to nothing."""
    many = {f"{folder}/{number}.txt": b"x\n" for folder in "abcdefgh" for number in range(100)}
    write_folder(Folder.of({**many, "z/bug.txt": b"bug\n"}), str(tmp_path / "many"))
    test = Counted(lambda files: "z/bug.txt" in files)
    result = wynot.reduce(tmp_path / "many", test)
    assert result.files == {"z/bug.txt": b""}
    assert len(test.seen) <= 10


def test_files_that_only_have_to_be_there_become_empty_together(tmp_path: Path) -> None:
    many = {f"{number:03}.txt": b"content\n" * number for number in range(1, 101)}
    write_folder(Folder.of(many), str(tmp_path / "many"))
    test = Counted(lambda files: set(files) == set(many) and b"content" in files["050.txt"])
    result = wynot.reduce(tmp_path / "many", test, LINES)
    assert result.files == {**dict.fromkeys(many, b""), "050.txt": b"content\n"}
    assert len(test.seen) <= 2 * 100 + 50, "that each of them must be there takes a test each"


def test_what_other_files_no_longer_need_goes_in_the_next_round(tmp_path: Path) -> None:
    """A file that is included must be there as long as the line that includes it is."""
    files = {"main": b"include lib\nbug\n", "lib": b"include base\n", "base": b"something\n"}
    write_folder(Folder.of(files), str(tmp_path / "tree"))

    def test(given: Files) -> bool:
        included = {line.split()[1].decode() for data in given.values() for line in data.splitlines() if b" " in line}
        return b"bug" in given.get("main", b"") and included <= set(given)

    assert wynot.reduce(tmp_path / "tree", test, LINES).files == {"main": b"bug\n"}


def brute(files: Files, test: Callable[[Files], bool]) -> list[Files]:
    """All that one file or one line less would leave, if it still fails."""
    less = [{p: d for p, d in files.items() if p != path} for path in files]
    for path, data in files.items():
        lines = data.splitlines(keepends=True)
        less += [{**files, path: b"".join(lines[:i] + lines[i + 1 :])} for i in range(len(lines))]
    return [each for each in less if test(each)]


@pytest.mark.parametrize("seed", range(12))
def test_the_result_is_1_minimal_whatever_the_test(tmp_path: Path, seed: int) -> None:
    """Checked by taking away every single file and line."""
    rng = random.Random(seed)
    files = {
        "/".join(rng.choices("xyz", k=rng.randint(1, 2))) + f"/{number}": b"".join(
            b"%d\n" % rng.randint(0, 9) for _ in range(rng.randint(0, 5))
        )
        for number in range(10)
    }
    write_folder(Folder.of(files), str(tmp_path / "tree"))
    total = sum(len(data) for data in files.values())

    def test(given: Files) -> bool:
        size = sum(len(data) for data in given.values())
        return given == files or (size * 3 > total and (size + len(given)) % 3 != seed % 3)

    result = wynot.reduce(tmp_path / "tree", test, LINES)
    assert test(result.files)
    assert not brute(result.files, test)


@pytest.mark.parametrize("algorithm", ["ddmin", "ddplus", "dd1999", "hdd", "hdd_plus", "hdd_star", "sweep"])
def test_every_algorithm_works_on_folders(tree: Path, algorithm: str) -> None:
    result = wynot.reduce(tree, needs, wynot.Options(algorithm=algorithm, atoms="lines"))
    assert needs(result.files)
    assert set(result.files) == {"main.txt", "lib/a.txt"}
    assert result.minimal == (algorithm in {"ddmin", "sweep"})


@pytest.mark.parametrize("jobs", [2, 5])
def test_any_number_of_jobs_gives_the_same(tree: Path, jobs: int) -> None:
    alone = wynot.reduce(tree, needs)
    together = wynot.reduce(tree, needs, wynot.Options(jobs=jobs))
    assert together.folder == alone.folder
    assert together.cost.counts.needed == alone.cost.counts.needed


def test_links_and_folders_are_deltas_too(tree: Path, stage: Stage) -> None:
    """Which a test in Python cannot see; a program can."""
    (tree / "void").mkdir()
    (tree / "gone").mkdir()
    (tree / "link").symlink_to("main.txt")
    (tree / "astray").symlink_to("nowhere")
    script = stage.script("check", 'cd "$1" && test -d void && test -L link && grep -q one link')
    result = wynot.reduce(tree, wynot.Script(str(script)))
    assert list(result.folder.entries) == ["link", "main.txt", "void"]
    assert result.folder.entries["link"] == Entry(EntryKind.LINK, b"main.txt", 0o777)
    assert result.files == {"main.txt": b"one"}


def test_modes_are_kept(tree: Path, stage: Stage) -> None:
    stage.script("../tree/run.sh", "# comment\nexit 3")
    script = stage.script("check", '"$1"/run.sh; test $? = 3')
    result = wynot.reduce(tree, wynot.Script(str(script)), LINES)
    assert result.folder.entries["run.sh"] == Entry(EntryKind.FILE, b"exit 3\n", 0o755)


def test_large_files_that_are_no_text_are_cut_whole_or_emptied_only(tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(LARGEST + 1)
    files = {"needed": noise, "there": noise, "unneeded": noise, "small": b"\xff\x00bug\xfe", "text": b"x\n" * LARGEST}
    write_folder(Folder.of(files), str(tmp_path / "tree"))
    test = Counted(
        lambda given: (
            given.get("needed") == noise
            and "there" in given
            and b"bug" in given.get("small", b"")
            and b"x" in given.get("text", b"")
        )
    )
    result = wynot.reduce(tmp_path / "tree", test)
    assert result.files == {"needed": noise, "there": b"", "small": b"bug", "text": b"x"}
    assert len(test.seen) <= 120


def test_when_asked_for_atoms_large_files_are_cut_as_well(tmp_path: Path) -> None:
    data = b"\xff\n" * LARGEST + b"bug\n"
    write_folder(Folder.of({"data": data}), str(tmp_path / "tree"))
    result = wynot.reduce(tmp_path / "tree", lambda given: b"bug" in given.get("data", b""), LINES)
    assert result.files == {"data": b"bug\n"}


def test_protected_regions_keep_their_files(tmp_path: Path) -> None:
    files = {"in/kept.txt": b"head\nDDBEGIN\na\nbug\nDDEND\n", "in/gone.txt": b"x\n", "binary": b"\xffDDEND\n"}
    write_folder(Folder.of(files), str(tmp_path / "tree"))
    result = wynot.reduce(tmp_path / "tree", lambda given: b"bug" in given["in/kept.txt"], LINES)
    assert result.files == {"in/kept.txt": b"head\nDDBEGIN\nbug\nDDEND\n"}
    weak = wynot.reduce(tmp_path / "tree", lambda _given: True)
    assert weak.files == {"in/kept.txt": b"head\nDDBEGIN\nDDEND\n"}
    (tmp_path / "tree" / "in" / "gone.txt").write_bytes(b"DDEND\n")
    with pytest.raises(UsageError, match=r"tree/in/gone\.txt: a DDEND line"):
        wynot.reduce(tmp_path / "tree", lambda _given: True)


def test_a_test_that_always_fails_is_warned_of(tree: Path) -> None:
    said: list[object] = []
    result = wynot.reduce(tree, lambda _files: True, wynot.Options(listener=said.append))
    assert result.files == {}
    assert "the empty folder fails, too" in str(said)


def test_a_folder_that_does_not_fail_is_told(tree: Path) -> None:
    with pytest.raises(NoFailureError, match="does not show on"):
        wynot.reduce(tree, lambda _files: False)


def test_a_budget_leaves_the_best_so_far(tree: Path, tmp_path: Path) -> None:
    sizes = []
    for tests in range(1, 40, 6):
        options = wynot.Options(budget_tests=tests, output=tmp_path / "out")
        with pytest.raises(BudgetEnded) as caught:
            wynot.reduce(tree, needs, options)
        best = caught.value.best
        assert isinstance(best, wynot.Reduced)
        assert needs(best.files)
        assert read_folder(tmp_path / "out") == best.folder
        assert best.cost.counts.needed == tests
        sizes.append(best.folder.size)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]


@pytest.mark.parametrize("after", [0, 1, 5, 20, 40])
def test_an_interruption_leaves_the_best_so_far(tree: Path, tmp_path: Path, after: int) -> None:
    calls = 0

    def test(files: Files) -> bool:
        nonlocal calls
        calls += 1
        if calls > after:
            raise KeyboardInterrupt
        return needs(files)

    with pytest.raises(Interrupted) as caught:
        wynot.reduce(tree, test, wynot.Options(output=tmp_path / "out"))
    best = caught.value.best
    assert isinstance(best, wynot.Reduced)
    assert needs(best.files)
    assert read_folder(tmp_path / "out") == best.folder


def test_a_result_is_a_file_or_a_folder(tree: Path) -> None:
    folder = wynot.reduce(tree, needs, LINES)
    with pytest.raises(TypeError, match="folder"):
        _ = folder.data
    assert folder.causes == ()
    with pytest.raises(TypeError, match="file"):
        _ = wynot.reduce(b"bug", lambda data: b"b" in data).files


def test_each_language_that_is_missing_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wynot.domains.syntax import language_loading  # noqa: PLC0415 - only what it says when a wheel is missing
    from wynot.domains.syntax.language_table import GRAMMARS  # noqa: PLC0415

    def missing(_name: str) -> None:
        raise language_loading.MissingWheelError(next(grammar for grammar in GRAMMARS if grammar.name == "c"))

    monkeypatch.setattr(language_loading, "load", missing)
    write_folder(Folder.of({"a.c": b"int a;\n", "b.c": b"int b;\n"}), str(tmp_path / "tree"))
    said: list[object] = []
    wynot.reduce(tmp_path / "tree", lambda files: len(files) == 2, wynot.Options(listener=said.append))
    wynot.reduce(
        tmp_path / "tree",
        lambda files: b"int a" in files.get("a.c", b"") and b"int b" in files.get("b.c", b""),
        wynot.Options(listener=said.append),
    )
    assert sum("pip install" in str(event) for event in said) == 1
