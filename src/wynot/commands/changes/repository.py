"""A git repository: its objects and its submodules."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from shlex import quote

from wynot.commands.changes.patch_files import git_diff
from wynot.core.folder import Entry, Folder
from wynot.domains.changes.commit_history import Commit, TouchedFile, touched_by
from wynot.domains.changes.diff_folders import changes_between
from wynot.errors import UsageError

_CALM = tuple(
    word
    for setting in (
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "core.pager=cat",
        "core.quotePath=true",
        "gc.auto=0",
        "log.showSignature=false",
    )
    for word in ("-c", setting)
)
"""No program that the repository's configuration names is started, and nothing tidied up."""
_SHUT = {
    "GIT_ALLOW_PROTOCOL": "none",  # nor is anything fetched that a partial clone lacks
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""Git asks nothing, fetches nothing, writes nothing beside, and speaks English."""


_UNREADABLE = re.compile(r"unable to read (?:tree )?\(?([0-9a-f]{40,64})")
_FILTERS = ("--includes", "--null", "--name-only", "--get-regexp", r"^filter\.")
_SCOPES = ("--local", "--worktree")
"""Where a repository keeps settings of its own; the user's and the system's are trusted."""


class Repository:
    """The repository that a folder is in; a bare one, too."""

    def __init__(self, folder: Path, hint: str = "") -> None:
        """A UsageError where there is none; `hint`: what to type then."""
        self.folder = folder
        self._blobs: dict[str, bytes] = {}
        self.submodules: dict[str, Repository | None] = {}
        """Those that were looked for, by their paths; see commands.changes.git.submodules."""
        self._env = os.environ | _SHUT
        inside = self.ask("rev-parse", "--git-dir")
        if inside is None:
            raise UsageError(
                f"{folder} is not in a git repository",
                hint or "name two folders, or go into the repository first: wynot changes OLD NEW",
            )
        self._env |= _without_filters(b"".join(self.ask("config", scope, *_FILTERS) or b"" for scope in _SCOPES))

    def ask(self, *arguments: str) -> bytes | None:
        """What git says; None if it fails."""
        done = self._run(arguments)
        return done.stdout if done.returncode == 0 else None

    def tell(self, *arguments: str) -> bytes:
        """What git says; a UsageError with its own words if it fails."""
        done = self._run(arguments)
        if done.returncode != 0:
            raise self._failed(arguments[0], done.stderr)
        return done.stdout

    def lines(self, *arguments: str) -> Iterator[bytes]:
        """What git says, line by line, however much it is; a UsageError if it fails."""
        with tempfile.TemporaryFile() as errors:
            command = ["git", *_CALM, *arguments]
            with subprocess.Popen(
                command, cwd=self.folder, env=self._env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
            ) as process:
                for line in process.stdout or ():
                    yield line.removesuffix(b"\n")
            if process.returncode != 0:
                errors.seek(0)
                raise self._failed(arguments[0], errors.read())

    def _failed(self, command: str, said: bytes) -> UsageError:
        lines = said.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        lacking = _UNREADABLE.search(lines[-1])
        if lacking:
            return _lacks(lacking[1])
        return UsageError(f"git {command} failed in {self.folder}: {lines[-1]}", "see: git fsck")

    def _run(self, arguments: Iterable[str]) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                ["git", *_CALM, *arguments],  # noqa: S607
                cwd=self.folder,
                env=self._env,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        except FileNotFoundError:
            raise UsageError("git is not installed", "install it (apt install git), or name two folders") from None

    def blobs(self, names: Iterable[str]) -> dict[str, bytes]:
        """The contents that git has under these names; each is read once."""
        wanted = sorted(set(names) - self._blobs.keys())
        if wanted:
            self._read(wanted)
        return self._blobs

    def _read(self, wanted: list[str]) -> None:
        with tempfile.TemporaryFile() as names:
            names.write("".join(f"{name}\n" for name in wanted).encode())
            names.seek(0)
            command = ["git", *_CALM, "cat-file", "--batch"]
            with subprocess.Popen(
                command, cwd=self.folder, env=self._env, stdin=names, stdout=subprocess.PIPE
            ) as process:
                out = process.stdout
                assert out is not None  # noqa: S101 - it was asked for
                for name in wanted:
                    head = out.readline().split()
                    if len(head) != 3:
                        process.kill()
                        raise _lacks(name)
                    self._blobs[name] = out.read(int(head[2]))
                    out.read(1)


def _lacks(name: str) -> UsageError:
    return UsageError(
        f"the repository lacks the content {name[:12]}: it is a partial or a damaged clone",
        "get all of it: git fetch --refetch --filter=blob:limit=1t, or clone it again",
    )


def _without_filters(keys: bytes) -> dict[str, str]:
    r"""Variables for git that set these filters to nothing: they would be run on files of the working tree.

    >>> _without_filters(b"filter.x.clean\0")["GIT_CONFIG_KEY_0"]
    'filter.x.clean'
    """
    first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    found = {"GIT_CONFIG_COUNT": str(first)}
    for number, key in enumerate(dict.fromkeys(each for each in keys.split(b"\0") if each), first):
        name = os.fsdecode(key)
        value = "false" if name.endswith(".required") else ""
        found |= {
            "GIT_CONFIG_COUNT": str(number + 1), f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value,
        }  # fmt: skip
    return found


# Submodules of a git repository, from the objects that are here: nothing is fetched and nothing is checked out.


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
    from wynot.commands.changes.revisions import commit_of, revision  # noqa: PLC0415 - that module needs this one

    module = submodule(repository, path, commit.sha)
    sides: list[Folder] = []
    for name in (f"{commit.sha}^1:{path}", f"{commit.sha}:{path}"):
        taken = (repository.ask("rev-parse", "--verify", "--quiet", "--end-of-options", name) or b"").decode().strip()
        if module is None or (taken and commit_of(module, taken) is None):
            return []
        entries = revision(module, taken).folder.entries if taken else {}
        sides.append(Folder.of(below(path, entries)))
    return touched_by(changes_between(sides[0], sides[1], git_diff(sides[0], sides[1]), apart=0))
