"""OLD and NEW of `wynot changes`: folders, revisions or patches, and the changes between them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import NoReturn

from wynot.commands.changes.patch_files import git_diff, patched, series
from wynot.commands.changes.repository import Repository, with_submodules
from wynot.commands.changes.revisions import as_git, commit_of, commits, revision, unknown, worktree
from wynot.core.folder import Folder
from wynot.core.text import pasted
from wynot.domains.changes.change import Change
from wynot.domains.changes.commit_history import Commit, History, history, touched_by
from wynot.domains.changes.diff_folders import changes_between
from wynot.engine.files.folder_io import read_folder, real_path
from wynot.errors import UsageError

LEFT_OUT = frozenset({".git", ".hg", ".svn", ".bzr", "CVS"})
"""What version control keeps beside the files."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Yesterday's and today's folder, and what is between them."""

    old: Folder
    new: Folder
    changes: tuple[Change, ...]
    history: History | None = None
    """Where the commits (or patches) are known."""
    repository: Repository | None = None
    head: str = ""
    """The commit whose files the new folder holds, if there is one..."""
    below: str = ""
    """...and where in the repository they are; empty: at its top."""
    absent: tuple[str, ...] = ()
    """Submodules that are not here: they are left out."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know."""
        return tuple(map(left_out, self.absent))


@dataclass(frozen=True, slots=True)
class _End:
    """One end: a folder on disk, or a revision."""

    name: str
    path: Path | None = None
    """A folder, if it is one."""
    commit: str = ""


def sources(
    old: str, new: str, *, here: Path | None = None, apart: int = 2, alike: int = 90, log: bool = True,
    without: Sequence[Path] = (),
) -> Sources:  # fmt: skip
    """The changes between two folders or revisions, each given by its name.

    What could be both is a folder if its name has a slash in it or is `.` or `..`, and a revision otherwise. `log`:
    whether to ask which commits the changes come from. `without`: files that are not of the folders, though they may
    be in one of them.
    """
    here = here or Path.cwd()
    repository = _repository(here)
    ends = _end(old, here, repository), _end(new, here, repository)
    absent: list[str] = []
    modules: set[str] = set()
    folders = tuple(_folder(end, other, repository, absent, modules, without) for end, other in (ends, ends[::-1]))
    changes = changes_between(
        folders[0], folders[1], git_diff(folders[0], folders[1], alike=alike), apart=apart
    ) or _none(ends, repository, absent)
    told = None
    if log and repository is not None and ends[0].commit:
        told = _history(repository, ends, (folders[0], folders[1]), changes, frozenset(modules))
    head, below = _head(repository, ends[1], folders[1]) if told is not None and repository is not None else ("", "")
    return Sources(folders[0], folders[1], changes, told, repository, head, below, tuple(dict.fromkeys(absent)))


def patch_sources(
    old: str, patches: Sequence[Path], *, apart: int = 2, alike: int = 90, without: Sequence[Path] = ()
) -> Sources:
    """The changes that patches make to a folder; each patch counts as a commit."""
    repository = _repository(Path.cwd())
    if not Path(old).is_dir() and repository is not None and commit_of(repository, old) is not None:
        raise UsageError(
            f"{old} is a revision; patches apply to folders only",
            f"lay it out: git worktree add --detach ../old {quote(old)}; then: wynot changes ../old --patch ...",
        )
    folder = _left(_plain(Path(old)), Path(old), without)
    steps = [
        folder,
        *(
            Folder.of({path: as_git(entry) for path, entry in each.entries.items()})
            for each in patched(folder, patches)
        ),
    ]
    changes = changes_between(folder, steps[-1], git_diff(folder, steps[-1], alike=alike), apart=apart)
    if not changes:
        raise _alike(old, "the patches")
    log = []
    for patch, before, after in zip(series(patches), steps, steps[1:], strict=False):
        step = changes_between(before, after, git_diff(before, after, alike=alike), apart=0)
        name, subject = patch.names
        log.append((Commit(name, (), "", "", subject), touched_by(step)))
    return Sources(folder, steps[-1], changes, history(log, folder, steps[-1], changes))


def _alike(old: str, new: str) -> UsageError:
    return UsageError(
        f"nothing has changed from {old} to {new}: they are the same",
        "name two that differ: wynot changes OLD NEW (see: git log --oneline, or diff -r OLD NEW)",
    )


def _none(ends: tuple[_End, _End], repository: Repository | None, absent: Sequence[str]) -> NoReturn:
    """The two ends do not differ, or only in submodules that are not here."""
    old, new = (end.name for end in ends)
    for path in dict.fromkeys(absent):
        taken = [_taken(end, repository, path) for end in ends]
        if taken[0] != taken[1]:
            raise UsageError(
                f"nothing has changed from {old} to {new} but {path}, a submodule that is not here: "
                f"{' -> '.join(each[:12] or 'none' for each in taken)}",
                f"{update(absent)}; then the same command again",
            )
    raise _alike(old, new)


def _taken(end: _End, repository: Repository | None, path: str) -> str:
    """The commit of a submodule that one end takes; nothing where it takes none."""
    found = repository.ask("rev-parse", "--verify", "--quiet", f"{end.commit}:{path}") if repository else None
    return (found or b"").decode().strip()


def _repository(here: Path) -> Repository | None:
    try:
        return Repository(here)
    except UsageError:
        return None


def _end(name: str, here: Path, repository: Repository | None) -> _End:
    """What a name means."""
    path = here / name
    is_folder = path.is_dir()
    if is_folder and (os.sep in name or name in {".", ".."} or repository is None):
        return _End(name, path)
    commit = commit_of(repository, name) if repository is not None else None
    if commit is not None:
        return _End(name, None, commit)
    if is_folder:
        return _End(name, path)
    if path.exists():
        raise UsageError(f"{name} is a file: old and new are folders or revisions", "for a patch: --patch FILE")
    if repository is None:
        raise UsageError(
            f"there is no folder {name}, and no git repository here that could have a revision of this name",
            f"see what exists: ls {pasted(os.path.dirname(name) or '.')}",  # noqa: PTH120 - as the user wrote it
        )
    raise UsageError(*unknown(repository, name))


def _folder(
    end: _End,
    other: _End,
    repository: Repository | None,
    absent: list[str],
    modules: set[str],
    without: Sequence[Path],
) -> Folder:
    """What is at one end. Beside a revision, a folder of the working tree is what git does not ignore of it."""
    if end.path is None:
        assert repository is not None  # noqa: S101 - it has this revision
        below = _below(repository, other.path) if other.path is not None else ""
        snapshot = revision(repository, end.commit, below or "")
    elif other.path is None and repository is not None and _below(repository, end.path) is not None:
        snapshot = worktree(Repository(end.path))
    else:
        return _left(_plain(end.path), end.path, without)
    absent += snapshot.absent
    modules |= {*snapshot.present}
    return _left(snapshot.folder, end.path, without) if end.path is not None else snapshot.folder


def left_out(path: str) -> str:
    """The note on a submodule that is not here."""
    return f"{path} is a submodule that is not here: it is left out; to have it: {update([path])}"


def update(absent: Sequence[str]) -> str:
    """What to type to have submodules."""
    return f"git submodule update --init {' '.join(map(pasted, dict.fromkeys(absent)))}"


def _left(folder: Folder, path: Path, without: Sequence[Path]) -> Folder:
    """What a folder holds but for some files."""
    whole = real_path(path)
    for each in without:
        place = real_path(each)
        if place.is_relative_to(whole):
            folder = folder.without(place.relative_to(whole).as_posix())
    return folder


def _below(repository: Repository, path: Path) -> str | None:
    """Where in the repository's working tree a folder is; None if it is elsewhere."""
    top = repository.ask("rev-parse", "--show-toplevel")
    root = real_path(Path(os.fsdecode((top or b"").rstrip(b"\n"))))
    resolved = real_path(path)
    return os.fspath(resolved.relative_to(root)).removeprefix(".") if top and resolved.is_relative_to(root) else None


def _plain(path: Path) -> Folder:
    """A folder on disk, with the modes that git knows and without what version control keeps."""
    if not path.is_dir():
        raise UsageError(f"there is no folder {path}", f"see what exists: ls {pasted(path.parent)}")
    read = read_folder(path, LEFT_OUT)
    return Folder.of({name: as_git(entry) for name, entry in read.entries.items()})


def _head(repository: Repository, end: _End, folder: Folder) -> tuple[str, str]:
    """The commit whose files an end holds, and the folder they are in; nothing where some are not committed."""
    if end.path is None:
        return end.commit, ""
    head, below = commit_of(repository, "HEAD"), _below(repository, end.path)
    if head is None or below is None or revision(repository, head, below).folder != folder:
        return "", ""
    return head, below


def _history(
    repository: Repository,
    ends: tuple[_End, _End],
    folders: tuple[Folder, Folder],
    changes: Sequence[Change],
    modules: frozenset[str],
) -> History | None:
    """The commits in between; what a working tree has that is not committed counts as the last one."""
    first, last = ends[0].commit, ends[1].commit or commit_of(repository, "HEAD")
    if last is None or repository.ask("merge-base", "--is-ancestor", first, last) is None:
        return None
    below = _below(repository, ends[1].path) if ends[1].path is not None else ""
    if below is None:
        return None
    log = commits(repository, first, last, below)
    if modules and not below:
        log = with_submodules(log, repository, modules)
    if ends[1].path is not None:
        head = revision(repository, last, below).folder
        fresh = changes_between(head, folders[1], git_diff(head, folders[1]), apart=0)
        log = chain(log, [(Commit("", (last,), "", "", "not committed yet"), touched_by(fresh))] if fresh else [])
    return history(log, *folders, changes)


# The commits between two revisions, on the line of first parents.


@dataclass(frozen=True, slots=True)
class CommitRange:
    """A stretch of history: commits from a good revision, which is not among them, to a bad one."""

    repository: Repository
    good: str
    commits: tuple[Commit, ...]

    def folder(self, count: int) -> Folder:
        """What the tree is after so many commits."""
        return revision(self.repository, self.name(count)).folder

    @property
    def absent(self) -> tuple[str, ...]:
        """Submodules that are not here: they are left out."""
        ends = (revision(self.repository, self.name(count)) for count in (0, len(self.commits)))
        return tuple(dict.fromkeys(path for end in ends for path in end.absent))

    def name(self, count: int) -> str:
        """The revision after so many commits."""
        return self.commits[count - 1].sha if count else self.good


def stretch(good: str, bad: str, here: Path | None = None) -> CommitRange:
    """The commits between two revisions."""
    repository = Repository(here or Path.cwd(), "go into it first: cd REPOSITORY; wynot bisect GOOD BAD -- COMMAND")
    ends = [commit_of(repository, name) for name in (good, bad)]
    for name, commit in zip((good, bad), ends, strict=True):
        if commit is None and (repository.folder / name).is_dir():
            raise UsageError(
                f"{name} is a folder, and bisect goes along commits",
                f"commit what is in it, and name HEAD; or: wynot changes {quote(good)} {quote(bad)} -- COMMAND",
            )
        if commit is None:
            raise UsageError(*unknown(repository, name))
    first, last = str(ends[0]), str(ends[1])
    if repository.ask("merge-base", "--is-ancestor", first, last) is None:
        if repository.ask("merge-base", "--is-ancestor", last, first) is not None:
            raise UsageError(
                f"{good} is not among the ancestors of {bad}, but {bad} is among those of {good}",
                f"the older one comes first: wynot bisect {quote(bad)} {quote(good)} -- COMMAND",
            )
        raise UsageError(
            f"{good} is not among the ancestors of {bad}: there is no way from one to the other",
            f"name where they part: git merge-base {good} {bad}; or look at all changes: wynot changes {good} {bad}",
        )
    found = tuple(commit for commit, _ in commits(repository, first, last))
    if not found:
        raise UsageError(f"there is no commit from {good} to {bad}: they are the same", "see: git log --oneline")
    return CommitRange(repository, first, found)
