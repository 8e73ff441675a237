"""Work folders whose run was killed together with its guardian: the next start ends their tests and removes them.

Each work folder names its run and its guardian, by process number and start time. It is abandoned if neither lives.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from pathlib import Path

from wynot.engine.executors.orphans import Guardian, end_all
from wynot.engine.executors.sandbox import PREFIX, remove_root

OWNER = ".owner"
"""The file that names who uses a work folder."""
_MARK = re.compile(r"[0-9a-f]{12,32}")


def guarded(root: str, mark: str) -> Guardian:
    """The guardian of a work folder; abandoned ones beside it are removed."""
    guardian = Guardian(root, mark)
    with contextlib.suppress(OSError):  # no /proc here: nobody could tell who lives
        owners = [(pid, _started(pid)) for pid in (os.getpid(), guardian.pid)]
        Path(root, OWNER).write_text(json.dumps({"system": _system(), "mark": mark, "owners": owners}))
        _remove_abandoned(Path(root).parent)
    return guardian


def _remove_abandoned(parent: Path) -> None:
    with os.scandir(parent) as entries:
        found = [each.path for each in entries if each.name.startswith(PREFIX) and _ours(each)]
    for path in found:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):  # it has no owner, or is being removed
            owner = json.loads(Path(path, OWNER).read_bytes())
            mark = str(owner["mark"])
            lives = any(_started(pid) == then != 0 for pid, then in owner["owners"])
            if owner["system"] == _system() and not lives and _MARK.fullmatch(mark):
                end_all(mark)
                remove_root(path)


def _ours(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == os.geteuid()
    except OSError:
        return False


def _system() -> list[str]:
    """What tells process numbers of other machines and containers apart: a folder may be shared with them."""
    return [Path("/proc/sys/kernel/random/boot_id").read_text().strip(), str(Path("/proc/self/ns/pid").readlink())]


def _started(pid: int) -> int:
    """When a process was started, in ticks; 0 for one that is gone, or of which only the exit code is left."""
    try:
        state, *facts = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return 0 if state == b"Z" else int(facts[18])
