"""What `git revert` would make of a revision, tried in a private store of objects: the repository is only read.

A revert is a merge of three trees: the commit's own as the base, the revision, and the commit's parent.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from wynot.commands.changes.git.git_diff import quiet_env
from wynot.commands.changes.git.repository import Repository
from wynot.commands.changes.git.revisions import revision
from wynot.core.folder import Folder
from wynot.domains.changes.commit_history import Commit
from wynot.errors import UsageError

_WHO = ("-c", "user.name=wynot", "-c", "user.email=wynot@localhost")


def reverted(repository: Repository, head: str, commits: Sequence[Commit], below: str = "") -> Folder | None:
    """The files after these commits, oldest first, were reverted on this revision; None if that ends in a conflict.

    `below`: the folder whose files are wanted. None, too, where git is too old to tell (before 2.38), or where the
    revision has submodules.
    """
    with tempfile.TemporaryDirectory(prefix="wynot-revert-") as home:
        try:
            store = _Store(repository, home)
            tree = store.tree(head)
            for commit in reversed(commits):
                tree = store.merged(store.tree(commit.sha), tree, store.tree(f"{commit.sha}^"))
            found = revision(Repository(Path(home, "store")), tree, below)
        except (UsageError, subprocess.SubprocessError):
            return None
        return None if found.absent else found.folder


class _Store:
    """An empty bare repository that reads the objects of another one."""

    def __init__(self, repository: Repository, home: str) -> None:
        self._home, self._path = home, Path(home, "store")
        objects = repository.tell("rev-parse", "--path-format=absolute", "--git-path", "objects")
        kind = repository.tell("rev-parse", "--show-object-format").decode().strip()
        self._git("init", "--quiet", "--bare", f"--object-format={kind}", str(self._path))
        (self._path / "objects" / "info" / "alternates").write_bytes(objects)

    def tree(self, name: str) -> str:
        """The tree of a revision."""
        return self._git("rev-parse", "--verify", "--end-of-options", f"{name}^{{tree}}")

    def merged(self, base: str, ours: str, theirs: str) -> str:
        """The tree that merges two trees."""
        root = self._commit(base)
        sides = (self._commit(tree, "-p", root) for tree in (ours, theirs))
        return self._git("merge-tree", "--write-tree", *sides).partition("\n")[0]

    def _commit(self, tree: str, *parents: str) -> str:
        return self._git(*_WHO, "commit-tree", tree, *parents, "-m", "tried")

    def _git(self, *arguments: str) -> str:
        env = quiet_env(self._home) | {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
        place = self._path if self._path.exists() else Path(self._home)
        done = subprocess.run(["git", *arguments], cwd=place, env=env, capture_output=True, check=True)  # noqa: S607
        return os.fsdecode(done.stdout).strip()
