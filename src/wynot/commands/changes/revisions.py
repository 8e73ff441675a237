"""Revisions of a repository as folders, and whether git can revert a commit."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from wynot.commands.changes.patch_files import quiet_env
from wynot.commands.changes.repository import Repository, below, lacking, submodule
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.domains.changes.commit_history import FORMAT, Commit, TouchedFile, read_log
from wynot.engine.files.folder_io import read_entry
from wynot.errors import UsageError

_LINK, _SUBMODULE, _EXECUTABLE = 0o120000, 0o160000, 0o100
_LOG = (
    "--reverse",
    "--topo-order",
    "--first-parent",
    "--diff-merges=first-parent",
    "--patch",
    "--unified=0",
    "--inter-hunk-context=0",
    "--find-renames=50%",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature",
    "--submodule=short",
    "--ignore-submodules=none",  # between commits, that looks into no working tree
    "--src-prefix=a/",
    "--dst-prefix=b/",
    f"--format={FORMAT}",
)


class Snapshot(NamedTuple):
    """A folder from a repository, with its submodules as far as their objects are here."""

    folder: Folder
    absent: tuple[str, ...] = ()
    """Submodules that were never initialised: they are left out."""
    present: tuple[str, ...] = ()
    """Submodules whose files are in the folder."""


def commit_of(repository: Repository, name: str) -> str | None:
    """The commit (or tree) that a name means; None if it means nothing."""
    for kind in ("commit", "tree"):
        found = repository.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{{kind}}}")
        if found is not None:
            return found.decode().strip()
    return None


def revision(repository: Repository, name: str, within: str = "") -> Snapshot:
    """What is in a revision, or below a folder of it. Contents are as git has them."""
    commit = commit_of(repository, name)
    if commit is None:
        raise UsageError(*unknown(repository, name))
    rows = _rows(repository.tell("ls-tree", "-r", "-z", "--full-tree", f"{commit}:{within}"))
    whole = f"{within}/" if within else ""

    def taken(row: _Row) -> Snapshot | None:
        module = submodule(repository, f"{whole}{row.path}", commit)
        if module is not None and commit_of(module, row.name) is None:
            raise lacking(f"{whole}{row.path}", row.name)
        return None if module is None else revision(module, row.name)

    return _snapshot(repository, rows, taken)


def unknown(repository: Repository, name: str) -> tuple[str, str]:
    """What to say of a name that means nothing, and what to type next."""
    if (repository.ask("rev-parse", "--is-shallow-repository") or b"").strip() == b"true":
        return (
            f"{name} is not in this repository, which has only the latest commits (it is shallow)",
            "get the others: git fetch --unshallow --tags",
        )
    return f"there is no revision {name} here", "see what there is: git log --oneline --all, git tag"


def worktree(repository: Repository) -> Snapshot:
    """What is in a folder of a working tree: what git knows and what it does not, but nothing that it ignores.

    A file that is as git has it is taken from there, so that ends of lines and the like are as in a revision.
    """
    staged = {row.path: row for row in _rows(repository.tell("ls-files", "-z", "--stage"))}
    dirty = repository.tell("diff-files", "-z", "--name-only", "--relative", "--ignore-submodules=all")
    others = repository.tell("ls-files", "-z", "--others", "--exclude-standard")
    fresh = {os.fsdecode(name) for name in (dirty + others).split(b"\0") if name}

    def checked_out(row: _Row) -> Snapshot | None:
        place = repository.folder / row.path
        return worktree(Repository(place)) if (place / ".git").exists() else None

    known, absent, present = _snapshot(
        repository, (row for path, row in staged.items() if path not in fresh), checked_out
    )
    entries: dict[str, Entry | bytes] = {
        path: entry for path, entry in known.entries.items() if entry.kind is not EntryKind.FOLDER
    }
    for path in fresh:
        entry = read_entry(repository.folder / path)
        if entry is not None and entry.kind is not EntryKind.FOLDER:
            entries[path] = as_git(entry)
    return Snapshot(Folder.of(entries), absent, present)


def as_git(entry: Entry) -> Entry:
    """With one of the modes that git knows."""
    if entry.kind is EntryKind.LINK:
        return entry
    return entry._replace(mode=0o755 if entry.mode & _EXECUTABLE or entry.kind is EntryKind.FOLDER else 0o644)


class _Row(NamedTuple):
    mode: int
    name: str
    path: str


def _rows(listing: bytes) -> Iterator[_Row]:
    """What git lists: mode, (kind,) name and path."""
    for row in listing.split(b"\0"):
        if row:
            facts, _, path = row.partition(b"\t")
            words = facts.decode().split()
            yield _Row(int(words[0], 8), words[2] if len(words[1]) < 7 else words[1], os.fsdecode(path))


def _snapshot(repository: Repository, rows: Iterator[_Row], module: Callable[[_Row], Snapshot | None]) -> Snapshot:
    """These files; `module` gives what is in a submodule, or None if it is not here."""
    listed = list(rows)
    submodules = {row.path: module(row) for row in listed if row.mode == _SUBMODULE}
    files = [row for row in listed if row.mode != _SUBMODULE]
    blobs = repository.blobs(row.name for row in files)
    entries: dict[str, Entry | bytes] = {}
    for row in files:
        if row.mode == _LINK:
            entries[row.path] = Entry(EntryKind.LINK, blobs[row.name], 0o777)
        else:
            entries[row.path] = Entry(EntryKind.FILE, blobs[row.name], 0o755 if row.mode & _EXECUTABLE else 0o644)
    absent, present = [], []
    for path, found in submodules.items():
        if found is None:
            absent.append(path)
            continue
        entries |= below(path, found.folder.entries)
        absent += [f"{path}/{each}" for each in found.absent]
        present += [path, *(f"{path}/{each}" for each in found.present)]
    return Snapshot(Folder.of(entries), tuple(absent), tuple(present))


def commits(
    repository: Repository, first: str, last: str, within: str = ""
) -> Iterator[tuple[Commit, Sequence[TouchedFile]]]:
    """The commits after the first up to the last, oldest first, and what each did to files below a folder.

    A merge counts as one commit: what it brought to the line of its first parent.
    """
    relative = [f"--relative={within}"] if within else []
    return read_log(repository.lines("log", *_LOG, *relative, f"{first}..{last}", "--"))


def merged_by(repository: Repository, merge: str, paths: Sequence[str]) -> list[str]:
    """The commits that a merge brought and that touch one of these files: name, author, date and subject in a line."""
    said = repository.ask("log", "--no-merges", "--format=%h %an %as %s", f"{merge}^1..{merge}", "--", *paths)
    return (said or b"").decode(errors="replace").splitlines()


# What `git revert` would make of a revision, tried in a private store of objects: the repository is only read.
#
# A revert is a merge of three trees: the commit's own as the base, the revision, and the commit's parent.


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
