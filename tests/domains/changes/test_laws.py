"""Laws of changes: none is the old folder, all are the new one, some are what git makes of them."""

from __future__ import annotations

import random
import subprocess
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domains.changes.trees import pairs
from wynot.commands.changes.patch_files import git_diff
from wynot.core.config import Config
from wynot.core.folder import EntryKind, Folder
from wynot.domains.changes.change import Change
from wynot.domains.changes.diff_folders import changes_between
from wynot.domains.changes.git_patch import patch
from wynot.domains.changes.patched_folder import PatchedFolder, lines_of
from wynot.domains.changes.static_dependencies import needs
from wynot.engine.files.folder_io import read_folder, write_folder

Pair = tuple[Folder, Folder]


def _changes(old: Folder, new: Folder, apart: int = 2) -> tuple[Change, ...]:
    return changes_between(old, new, git_diff(old, new), apart=apart)


@settings(max_examples=60, deadline=None)
@given(pairs(), st.integers(0, 4))
def test_no_change_gives_the_old_folder_and_all_the_new_one(pair: Pair, apart: int) -> None:
    old, new = pair
    domain = PatchedFolder(old, new, _changes(old, new, apart))
    assert domain.render(Config()) == old
    everything = domain.render(Config.full(len(domain)))
    assert everything == new
    assert list(everything.entries) == list(new.entries)


@settings(max_examples=40, deadline=None)
@given(pairs(), st.randoms(use_true_random=False))
def test_the_order_of_changes_does_not_matter(pair: Pair, chance: random.Random) -> None:
    old, new = pair
    changes = _changes(old, new)
    some = Config.of(number for number in range(len(changes)) if chance.random() < 0.5)
    shuffled = list(range(len(changes)))
    chance.shuffle(shuffled)
    there = Config.of(place for place, number in enumerate(shuffled) if number in some)
    expected = PatchedFolder(old, new, changes).render(some)
    assert PatchedFolder(old, new, [changes[number] for number in shuffled]).render(there) == expected


@settings(max_examples=40, deadline=None)
@given(pairs())
def test_the_lines_of_all_changes_give_the_new_folder(pair: Pair) -> None:
    old, new = pair
    finer = [line for change in _changes(old, new) for line in lines_of(change)]
    assert PatchedFolder(old, new, finer).render(Config.full(len(finer))) == new
    assert PatchedFolder(old, new, finer).render(Config()) == old


@settings(max_examples=40, deadline=None)
@given(pairs(), st.booleans(), st.randoms(use_true_random=False))
def test_git_makes_the_same_of_a_patch(pair: Pair, fine: bool, chance: random.Random) -> None:
    old, new = pair
    changes: tuple[Change, ...] = _changes(old, new)
    if fine:
        changes = tuple(line for change in changes for line in lines_of(change))
    some = needs(changes).closed(Config.of(number for number in range(len(changes)) if chance.random() < 0.5))
    expected = PatchedFolder(old, new, changes).render(some)
    assert _applied(old, patch(changes, some, old)) == _held(expected)


def _applied(old: Folder, text: bytes) -> Folder:
    """The folder after `git apply`."""
    with tempfile.TemporaryDirectory() as home:
        write_folder(old, f"{home}/tree")
        if text:
            subprocess.run(
                ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"],
                cwd=f"{home}/tree",
                env={"HOME": home, "PATH": "/usr/bin:/bin", "GIT_CEILING_DIRECTORIES": home},
                input=text,
                check=True,
            )
        return _held(read_folder(Path(home, "tree")))


def _held(folder: Folder) -> Folder:
    """What git knows of a folder: no folders."""
    held = ((path, entry) for path, entry in folder.entries.items() if entry.kind is not EntryKind.FOLDER)
    return Folder.of(dict(held))
