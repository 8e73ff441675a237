"""Submodules of a git repository, from the objects that are here: nothing is fetched and nothing is checked out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from shlex import quote

from wynot.commands.changes.git.git_diff import git_diff
from wynot.commands.changes.git.repository import Repository
from wynot.core.folder import Entry, Folder
from wynot.domains.changes.commit_history import Commit, TouchedFile, touched_by
from wynot.domains.changes.diff_folders import changes_between
from wynot.errors import UsageError


def submodule(repository: Repository, path: str, commit: str = "") -> Repository | None:
    """The repository of the submodule at this path; None where there is none: it was never initialised.

    `commit`: the one whose `.gitmodules` says what the submodule is called.
    """
    if path not in repository.submodules:
        found = (_opened(place) for place in _places(repository, path, commit))
        repository.submodules[path] = next((each for each in found if each is not None), None)
    return repository.submodules[path]


def _places(repository: Repository, path: str, commit: str) -> Iterator[Path]:
    """Where the objects of a submodule may be: in the repository, by its name, or in the working tree."""
    common = repository.ask("rev-parse", "--path-format=absolute", "--git-common-dir")
    if common is not None:
        modules = Path(os.fsdecode(common.rstrip(b"\n")), "modules")
        yield from (modules / name for name in _names(repository, path, commit) if _harmless(name))
    top = repository.ask("rev-parse", "--show-toplevel")
    if top is not None and _harmless(path):
        place = Path(os.fsdecode(top.rstrip(b"\n")), path)
        if (place / ".git").exists():
            yield place


def _names(repository: Repository, path: str, commit: str) -> Iterator[str]:
    """What the submodule may be called: as `.gitmodules` says, or as its path."""
    listed = repository.ask("config", "--blob", f"{commit}:.gitmodules", "-z", "--get-regexp", r"^submodule\..*\.path$")
    for row in (listed or b"").split(b"\0"):
        key, _, value = os.fsdecode(row).partition("\n")
        if value == path:
            yield key.removeprefix("submodule.").removesuffix(".path")
    yield path


def _harmless(name: str) -> bool:
    """Whether a name stays inside of the folder that it is looked up in."""
    return not name.startswith("/") and ".." not in PurePosixPath(name).parts


def _opened(place: Path) -> Repository | None:
    if not place.is_dir():
        return None
    try:
        return Repository(place)
    except UsageError:
        return None


def lacking(path: str, commit: str) -> UsageError:
    """The error for a submodule whose repository does not have the commit that is needed."""
    return UsageError(
        f"{path} is a submodule, and its repository here lacks the commit {commit[:12]} that is needed",
        f"fetch it: git -C {quote(path)} fetch origin {commit}; then the same command again",
    )


def below(path: str, entries: Mapping[str, Entry]) -> dict[str, Entry | bytes]:
    """These entries, below a folder."""
    return {f"{path}/{name}": entry for name, entry in entries.items()}


def with_submodules(
    log: Iterable[tuple[Commit, Sequence[TouchedFile]]], repository: Repository, paths: frozenset[str]
) -> Iterator[tuple[Commit, Sequence[TouchedFile]]]:
    """A log in which commits that take another commit of a submodule touch the files that differ by that."""
    for commit, touched in log:
        found = [each for each in touched if each.path not in paths]
        for each in touched:
            if each.path in paths:
                found += _touched_within(repository, commit, each.path)
        yield commit, found


def _touched_within(repository: Repository, commit: Commit, path: str) -> list[TouchedFile]:
    """The files of a submodule that a commit has changed, as they are called in the whole tree."""
    from wynot.commands.changes.git.revisions import commit_of, revision  # noqa: PLC0415 - that module needs this one

    module = submodule(repository, path, commit.sha)
    sides: list[Folder] = []
    for name in (f"{commit.sha}^1:{path}", f"{commit.sha}:{path}"):
        taken = (repository.ask("rev-parse", "--verify", "--quiet", "--end-of-options", name) or b"").decode().strip()
        if module is None or (taken and commit_of(module, taken) is None):
            return []
        entries = revision(module, taken).folder.entries if taken else {}
        sides.append(Folder.of(below(path, entries)))
    return touched_by(changes_between(sides[0], sides[1], git_diff(sides[0], sides[1]), apart=0))
