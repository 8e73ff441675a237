"""Patches on a folder: one, several, a series as quilt has it, or a mailbox from `git format-patch`."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from wynot.core.folder import Folder, Kind
from wynot.core.pasted import pasted
from wynot.errors import UsageError
from wynot.run.folders import read_folder, write_folder
from wynot.run.gitdiff import quiet_env

_SERIES = "series"


def patched(folder: Folder, patches: Sequence[Path]) -> list[Folder]:
    """The folder after each of these patches, in order; they are applied by git to a private copy."""
    found = [folder]
    with tempfile.TemporaryDirectory(prefix="wynot-patch-") as home:
        tree = f"{home}/tree"
        write_folder(folder, tree)
        for patch, strip in series(patches):
            _apply(patch, strip, tree, home)
            found.append(read_folder(Path(tree)))
            _stay_inside(found[-2], found[-1], patch)
    return found[1:]


def series(patches: Sequence[Path]) -> Iterator[tuple[Path, int]]:
    """The patches, and how many names of each path are to be left out; a file called `series` lists some."""
    for each in patches:
        if each.is_dir() and (each / _SERIES).is_file():
            yield from _listed(each / _SERIES)
        elif each.name == _SERIES:
            yield from _listed(each)
        elif not each.is_file():
            raise UsageError(f"there is no patch {each}", f"see what there is: ls {pasted(each.parent)}")
        else:
            yield each, 1


def _listed(path: Path) -> Iterator[tuple[Path, int]]:
    """What a series lists, one a line: `name.patch -p1 # comment`."""
    for line in path.read_text(errors="surrogateescape").splitlines():
        words = shlex.split(line, comments=True)
        if words:
            patch = path.parent / words[0]
            if not patch.is_file():
                raise UsageError(
                    f"{path} lists {words[0]}, which is not there", f"see what there is: ls {pasted(path.parent)}"
                )
            strip = next((word[2:] for word in words[1:] if word.startswith("-p") and word[2:].isdecimal()), "1")
            yield patch, int(strip)


def _apply(patch: Path, strip: int, tree: str, home: str) -> None:
    """Git takes a mailbox as it takes a patch, and refuses paths that lead out of the folder or through links."""
    command = ["git", "apply", "--whitespace=nowarn", "--no-unsafe-paths", f"-p{strip}", os.path.abspath(patch)]  # noqa: PTH100
    try:
        done = subprocess.run(command, cwd=tree, env=quiet_env(home), capture_output=True, check=False)
    except FileNotFoundError:
        raise UsageError("git is not installed, and it applies the patches", "install it: apt install git") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it says nothing"]
        raise UsageError(
            f"{patch} does not apply: {said[0].removeprefix('error: ')}",
            f"try it by hand, in a copy of the folder: git apply --check -p{strip} {patch}",
        )


def _stay_inside(before: Folder, after: Folder, patch: Path) -> None:
    """No new link may lead out of the folder."""
    for path, entry in after.entries.items():
        if entry.kind is Kind.LINK and before.entries.get(path) != entry:
            target = os.path.normpath(os.path.join(os.path.dirname(path), os.fsdecode(entry.data)))  # noqa: PTH118, PTH120
            if target.startswith(("/", "../")) or target == "..":
                raise UsageError(
                    f"{patch} makes a link that leads out of the folder: {path} -> {os.fsdecode(entry.data)}",
                    "leave it out of the patch, or apply it by hand and name two folders: wynot changes OLD NEW",
                )
