"""Taking changes back from the new folder is the same as never having applied them to the old one."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domains.changes.trees import pairs
from wynot.commands.changes.patch_files import git_diff
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.domains.changes.diff_folders import changes_between
from wynot.domains.changes.patched_folder import PatchedFolder
from wynot.domains.changes.static_dependencies import needs


def _ended(folder: Folder) -> dict[str, bytes]:
    """The files, with an end to each last line: whether there is one is a matter of what stands below it."""
    return {path: data.rstrip(b"\n") + b"\n" for path, data in folder.files.items()}


@settings(max_examples=60, deadline=None)
@given(pairs(), st.randoms(use_true_random=False))
def test_what_is_taken_back_was_never_applied(pair: tuple[Folder, Folder], chance: random.Random) -> None:
    old, new = pair
    changes = changes_between(old, new, git_diff(old, new))
    whole = Config.full(len(changes))
    kept = needs(changes).closed(Config.of(each for each in whole if chance.random() < 0.5))
    applied = PatchedFolder(old, new, changes).render(kept)
    taken_back = PatchedFolder(new, old, [each.back for each in changes]).render(whole - kept)
    assert _ended(taken_back) == _ended(applied)
    assert [each.back.back for each in changes] == list(changes)
