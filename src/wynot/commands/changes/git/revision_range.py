"""The commits between two revisions, on the line of first parents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from wynot.commands.changes.git.repository import Repository
from wynot.commands.changes.git.revisions import commit_of, commits, revision, unknown
from wynot.core.folder import Folder
from wynot.domains.changes.commit_history import Commit
from wynot.errors import UsageError


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
