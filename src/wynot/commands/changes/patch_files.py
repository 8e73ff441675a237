"""Changes between two trees, or in patch files, as git's diff engine finds them."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from wynot.core.folder import EntryKind, Folder
from wynot.core.text import pasted
from wynot.domains.changes.diff_folders import differing, to_compare
from wynot.domains.text.pair_edits import PLAIN
from wynot.engine.files.folder_io import read_folder, write_folder
from wynot.errors import UsageError

_OPTIONS = (
    *PLAIN,
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--no-indent-heuristic",  # hunks where `diff` has them, so that headers are those that people know
    "--diff-filter=MR",
    "--src-prefix=",
    "--dst-prefix=",
)
_FINE = {0, 1}


def quiet_env(home: str) -> dict[str, str]:
    """An environment in which git knows nothing of the user's settings, and of no repository."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {
        "HOME": home,
        "XDG_CONFIG_HOME": home,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(Path(home).parent),
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def git_diff(old: Folder, new: Folder, *, alike: int = 90) -> bytes:
    """What git says of the files that differ, named by their numbers (see `domains/changes/between`).

    A file that is gone and a new one that have at least `alike` percent in common are one that was renamed; above 100,
    none is, unless nothing else has changed.
    """
    before, after = to_compare(old, new, differing(old, new))
    if not before and not after:
        return b""
    with tempfile.TemporaryDirectory(prefix="wynot-diff-") as home:
        for side, files in (("old", before), ("new", after)):
            Path(home, side).mkdir()
            for number, data in files.items():
                Path(home, side, str(number)).write_bytes(data)
        renames = f"--find-renames={alike}%" if alike <= 100 else "--no-renames"
        return run_git(["diff", *_OPTIONS, renames, "old", "new"], home, fine=_FINE)


def run_git(arguments: list[str], home: str, *, fine: set[int] | None = None) -> bytes:
    """What git prints, run in a private folder."""
    try:
        done = subprocess.run(["git", *arguments], cwd=home, env=quiet_env(home), capture_output=True, check=False)  # noqa: S607
    except FileNotFoundError:
        raise UsageError("git is not installed, and its diff engine is needed", "install it: apt install git") from None
    if done.returncode not in (fine or {0}):
        raise UsageError(f"git failed: {done.stderr.decode(errors='replace').strip()}", "see: git --version")
    return done.stdout


# Patches on a folder: one, several, a series as quilt has it, or a mailbox from `git format-patch`.


_SERIES = "series"
_MESSAGE = re.compile(rb"^From ([0-9a-f]{40,64}) Mon Sep 17 00:00:00 2001\r?$", re.MULTILINE)
"""How each message begins that `git format-patch` writes."""
_SUBJECT = re.compile(rb"^Subject: (?:\[PATCH[^\]\n]*\] ?)?(.*(?:\n[ \t].*)*)", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")


class ListedPatch(NamedTuple):
    """A patch, and how it is applied."""

    path: Path
    strip: int = 1
    """How many names of each path are to be left out."""
    reverse: bool = False
    series: bool = False
    """Whether a series lists it: then it may be empty."""
    message: bytes = b""
    """What is applied of a mailbox of several messages; empty: all of the file."""

    @property
    def names(self) -> tuple[str, str]:
        """What it is called, in short and in words: the commit of a message and its subject, or a file's name."""
        head = _MESSAGE.search(self.message)
        subject = _SUBJECT.search(self.message)
        if head is None or subject is None:
            return self.path.name, self.path.stem
        return head[1].decode(), " ".join(subject[1].decode(errors="replace").split())


def patched(folder: Folder, patches: Sequence[Path]) -> list[Folder]:
    """The folder after each of these patches, in order; they are applied by git to a private copy."""
    found = [folder]
    with tempfile.TemporaryDirectory(prefix="wynot-patch-") as home:
        tree = f"{home}/tree"
        write_folder(folder, tree)
        for patch in series(patches):
            _apply(patch, tree, home)
            found.append(read_folder(Path(tree)))
            _stay_inside(found[-2], found[-1], patch.path)
    return found[1:]


def series(patches: Sequence[Path]) -> Iterator[ListedPatch]:
    """The patches; a file called `series` lists some, and a mailbox holds some."""
    for each in patches:
        if each.is_dir() and (each / _SERIES).is_file():
            yield from _listed(each / _SERIES)
        elif not each.exists():
            raise UsageError(f"there is no patch {each}", f"see what exists: ls {pasted(each.parent)}")
        elif each.is_dir():
            raise UsageError(f"{each} is a folder without a file called series", f"name its patches: {pasted(each)}/*")
        elif not each.is_file():
            raise UsageError(f"{each} is not a file", f"write the patch to a file: cat {pasted(each)} > my.patch")
        elif each.name == _SERIES:
            yield from _listed(each)
        else:
            yield from _messages(each)


def _messages(path: Path) -> Iterator[ListedPatch]:
    """A patch; of a mailbox with several messages, each one, as each is a commit."""
    text = path.read_bytes()
    starts = [match.start() for match in _MESSAGE.finditer(text)]
    if len(starts) < 2:
        yield ListedPatch(path)
        return
    for start, end in pairwise([0, *starts[1:], len(text)]):
        yield ListedPatch(path, series=True, message=text[start:end])


def _listed(path: Path) -> Iterator[ListedPatch]:
    """What a series lists, one a line: `name.patch -p1 -R # comment`. Quotes have no meaning in it."""
    for line in path.read_text(errors="surrogateescape").splitlines():
        name, *options = _COMMENT.sub("", line).split() or [""]
        if name:
            patch = path.parent / name
            if not patch.is_file():
                raise UsageError(
                    f"{path} lists {name}, which is not there", f"see what exists: ls {pasted(path.parent)}"
                )
            yield ListedPatch(patch, _strip(path, name, options), "-R" in options, series=True)


def _strip(path: Path, name: str, options: Sequence[str]) -> int:
    """How many names are left out: `-p0`, `-p1`, or `-pab`, which is the same as the latter."""
    given = re.search(r"(?:^| )-p *(\S+)", " ".join(options))
    if given is None or given[1] == "ab":
        return 1
    if not re.fullmatch(r"[0-9]{1,4}", given[1]):
        raise UsageError(
            f"{path}: {name} has -p{given[1]}, which is not a number", "give it as -p0 or -p1, or leave it out"
        )
    return int(given[1])


def _apply(patch: ListedPatch, tree: str, home: str) -> None:
    """Git takes a mailbox as it takes a patch, and refuses paths that lead out of the folder or through links."""
    options = [f"-p{patch.strip}", *(["--reverse"] if patch.reverse else [])]
    allowed = ["--allow-empty"] if patch.series else []
    file = os.path.abspath(patch.path)  # noqa: PTH100 - links stay
    given = "-" if patch.message else file
    command = ["git", "apply", "--whitespace=nowarn", "--no-unsafe-paths", *allowed, *options, given]
    try:
        done = subprocess.run(
            command, cwd=tree, env=quiet_env(home), input=patch.message, capture_output=True, check=False
        )
    except FileNotFoundError:
        raise UsageError("git is not installed, and it applies the patches", "install it: apt install git") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it says nothing"]
        by_hand = f"git apply --check {' '.join(options)} {patch.path}"
        raise UsageError(
            f"{patch.path} does not apply: {said[0].removeprefix('error: ')}",
            f"try it by hand, in a copy of the folder: {by_hand}",
        )


def _stay_inside(before: Folder, after: Folder, patch: Path) -> None:
    """No new link may lead out of the folder."""
    for path, entry in after.entries.items():
        if entry.kind is EntryKind.LINK and before.entries.get(path) != entry:
            target = os.path.normpath(os.path.join(os.path.dirname(path), os.fsdecode(entry.data)))  # noqa: PTH118, PTH120
            if target.startswith(("/", "../")) or target == "..":
                raise UsageError(
                    f"{patch} makes a link that leads out of the folder: {path} -> {os.fsdecode(entry.data)}",
                    "leave it out of the patch, or apply it by hand and name two folders: wynot changes OLD NEW",
                )
