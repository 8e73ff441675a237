"""The user's own files that a test finds beside its input, as links or as copies.

A program that writes to a link writes to the user's file: after each test, one `stat` for each file shows that.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable

from wynot.core.shell_quote import pasted
from wynot.engine.files.file_guard import Looks, changed_by_others, named_files
from wynot.engine.files.file_states import UserFiles
from wynot.engine.files.working_copies import SKIPPED
from wynot.errors import PlaceError, TestChanged
from wynot.oracles.protocol import FileBeside


def lay_beside(work: str, beside: Iterable[FileBeside]) -> None:
    """Lay them into a work folder that holds the input already."""
    for name, target, copied in beside:
        path = f"{work}/{name}"
        try:
            if "/" in name:
                _make_folders(work, name)
            if not target:
                os.makedirs(path, exist_ok=True)  # noqa: PTH103 - once a test
            elif copied:
                shutil.copy2(target, path)
            else:
                os.symlink(target, path)  # noqa: PTH211 - once a test
        except FileExistsError:
            continue  # the input itself is there
        except OSError as error:
            raise PlaceError(
                f"cannot lay {target or name} beside the input: {error.strerror}",
                "name another place: WYNOT_TMP=/some/folder wynot ...",
            ) from error


def _make_folders(work: str, name: str) -> None:
    """The folders above a file; none of them may be a link, which would lead to the user's own folder."""
    at = name.find("/")
    while at >= 0:
        folder = f"{work}/{name[:at]}"
        if os.path.islink(folder):  # noqa: PTH114 - once a test
            raise FileExistsError(folder)
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103
        at = name.find("/", at + 1)


def without_overlaps(beside: Iterable[FileBeside], candidate: str) -> tuple[FileBeside, ...]:
    """At most one for each name, none below a linked folder, none in the place of the candidate or above it.

    >>> found = [FileBeside("a/b", "/x/a/b"), FileBeside("a", "/x/a"), FileBeside("c", "/c")]
    >>> [each.name for each in without_overlaps(found, "c")]
    ['a']
    """
    kept: dict[str, FileBeside] = {}
    for each in sorted(beside, key=lambda each: (each.name, not each.copied)):
        name = each.name
        above = {name[:at] for at, letter in enumerate(name) if letter == "/"}
        linked = any(folder in kept and kept[folder].target for folder in above)
        in_the_way = name == candidate or (each.target and candidate.startswith(f"{name}/"))
        if name not in kept and not linked and not in_the_way:
            kept[name] = each
    return tuple(kept.values())


class LinkTargets:
    """The files that links lead to, also those in linked folders, as they were when they were first laid.

    Caches and installed packages in folders do not count. Who changes one may be the user, in an editor: it stays as
    it is. Its content before is kept.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._files = UserFiles(())
        self._looks = Looks()

    def watch(self, beside: Iterable[FileBeside]) -> None:
        """Remember the states of those that are new."""
        new = [each.target for each in beside if each.target and not each.copied and each.target not in self._known]
        if new:
            self._known.update(new)
            self._files.add(named_files(path for path in new if os.path.basename(path) not in SKIPPED))  # noqa: PTH119

    def check(self, *, last: bool = False) -> None:
        """See that no linked file has changed. Of many files, this looks now and then only."""
        if not self._looks.due(len(self._files), last=last):
            return
        changed = changed_by_others(self._files)
        if changed:
            place = self._files.keep(changed)
            kept = f" (the content before: {place})" if place else ""
            error = TestChanged(
                f"{changed[0]} changed while the search ran{kept}: nothing that was tested after that is kept",
                f"if the command writes to it, let it write elsewhere; see: ls -l {pasted(changed[0])}",
            )
            error.since = self._looks.before
            raise error


def state_of(path: str) -> tuple[int, int] | None:
    """Size and time of the last change of a file; None for what is none, or is not there."""
    try:
        status = os.stat(path)  # noqa: PTH116 - once a test
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns) if status.st_mode & 0o170000 == 0o100000 else None
