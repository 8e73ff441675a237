"""Find and kill processes that left the group of their test; remove work folders of killed runs."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol, TypeVar

from wynot.engine.executors.sandbox import PREFIX, remove_root
from wynot.engine.files.file_states import restore_after

# Work folders whose run was killed together with its guardian: the next start ends their tests and removes them.
#
# Each work folder names its run and its guardian, by process number and start time. It is abandoned if neither lives.


_PROC = "/proc"
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
    return [Path(_PROC, "sys/kernel/random/boot_id").read_text().strip(), str(Path(_PROC, "self/ns/pid").readlink())]


def _started(pid: int) -> int:
    """When a process was started, in ticks; 0 for one that is gone, or of which only the exit code is left."""
    try:
        state, *facts = Path(_PROC, f"{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return 0 if state == b"Z" else int(facts[18])


# Processes that left the process group of their test: found by a mark that they inherit, and killed.
#
# A test runs in a process group of its own and the group is killed. A child that makes itself a session of its own is
# not in the group any more; but since this process is its "subreaper" (Linux), it becomes our child when its parent
# ends, and a mark shows which test it is from. The mark is in two places: in the environment, and, for programs that
# start others with an empty one, as the soft limit of file locks, which Linux passes on to every child and has not
# enforced since version 2.4. Should this very process be killed, a guardian finds all processes with the mark.


MARK = "WYNOT_TEST"
_MOST_FILES = 1 << 16
_SET_SUBREAPER, _GET_SUBREAPER = 36, 37  # of prctl
_LOCKS = 10  # RLIMIT_LOCKS, of which Python's resource module does not know
_SHELLS = frozenset({b"PWD", b"OLDPWD", b"SHLVL", b"_"})
"""Variables that shells set by themselves."""
_WORKERS = 1 << 12
"""Numbers of a run: one for each of its workers, the last for what belongs to none of them."""
_ROUNDS = 50
"""So often the guardian looks for processes: one may start another while it looks..."""
_PAUSE, _PAUSES = 0.001, 5_000
"""...and so often, after so many seconds each, whether its parent has ended."""


class _Started(Protocol):
    @property
    def pid(self) -> int: ...


Started = TypeVar("Started", bound=_Started)


class Adoption:
    """As long as one lasts, this process becomes the parent of its descendants' orphans, where the system can do it."""

    _lasting = 0

    def __init__(self) -> None:
        self.works = False
        if sys.platform != "linux":
            return
        before = ctypes.c_int(0)
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        ours = Adoption._lasting > 0 or (prctl(_GET_SUBREAPER, ctypes.byref(before), 0, 0, 0) == 0 and not before.value)
        self.works = prctl(_SET_SUBREAPER, 1, 0, 0, 0) == 0
        self._counted = ours and self.works  # a program that does so by itself goes on with it
        Adoption._lasting += self._counted

    def end(self) -> None:
        """Leave orphans to others again, unless another executor is there."""
        if self.works and self._counted:
            self._counted = False
            Adoption._lasting -= 1
            if not Adoption._lasting:
                ctypes.CDLL(None, use_errno=True).prctl(_SET_SUBREAPER, 0, 0, 0, 0)


def variable(mark: str) -> str:
    """The mark as a variable of the environment. Where this process is part of a test, it keeps that mark, too."""
    return f"{mark} {os.environ.get(MARK, '')}".rstrip()


def started(env: Mapping[bytes, bytes], start: Callable[[], Started]) -> Started:
    """Start a process with the mark of this environment: it is set before, so no child of the process can be without.

    Another thread may start a process of its own in the same moment. That one loses the mark again.
    """
    number = _number(env)
    several = threading.active_count() > 1
    others = set(children()) if several else set[int]()
    before = None if number is None else _set(0, number)
    if before is None:
        return start()
    try:
        process = start()
    finally:
        _set(0, before)
    if several:
        others.add(process.pid)
        for thread in _threads():
            for pid in _children_of(thread):
                if pid not in others and _by_another_thread(pid, alone=thread != threading.get_native_id()):
                    _set(pid, before)
    return process


def _by_another_thread(pid: int, *, alone: bool) -> bool:
    """Whether a new child of ours is none of a test.

    `alone`: it is in the list of another thread, which only that thread adds to, unless it is the main thread. In our
    own list are orphans of tests, too, and what threads have started that are gone. A daemon has a session of its own,
    and one that has lost the mark of its environment has nothing of ours in there.
    """
    try:
        session = os.getsid(pid)
    except ProcessLookupError:
        return False
    environment = set(_read(f"{_PROC}/{pid}/environ").split(b"\0")) - {b""}
    if any(each.startswith(f"{MARK}=".encode()) for each in environment):
        return False
    if session == os.getsid(0):
        return True
    ours = {name + b"=" + value for name, value in os.environb.items() if name not in _SHELLS}
    return session == pid and (alone or bool(environment & ours))


def mark_process(pid: int, env: Mapping[bytes, bytes]) -> None:
    """Let a process, and all that it starts from now on, have the mark of this environment."""
    number = _number(env)
    if number is not None:
        _set(pid, number)


def _number(env: Mapping[bytes, bytes]) -> int | None:
    """The mark as a limit."""
    value = env.get(MARK.encode())
    return None if value is None or sys.platform != "linux" else _numbers(value.partition(b" ")[0].decode())[0]


def _numbers(mark: str) -> range:
    """The limits by which a mark is known: one of a worker, all of a run."""
    run, _, worker = mark.partition(".")
    first = int(run[:12], 16) * _WORKERS
    if not worker:
        return range(first, first + _WORKERS)
    place = _WORKERS - 1 if worker == "all" else min(int(worker), _WORKERS - 2)
    return range(first + place, first + place + 1)


def _set(pid: int, number: int) -> int | None:
    """Set the limit of a process, 0 is this one; gives what it was, None if that cannot be done."""
    if sys.platform != "linux":
        return None
    import resource  # noqa: PLC0415 - not on every system

    try:
        before, most = resource.prlimit(pid, _LOCKS)
        resource.prlimit(pid, _LOCKS, (number, most))
    except (OSError, ValueError):  # it is gone already, or somebody has set a limit that is lower
        return None
    return before


def _limit(pid: int) -> int:
    """The limit of a process; -1 where it cannot be known."""
    if sys.platform != "linux":
        return -1
    import resource  # noqa: PLC0415

    try:
        return resource.prlimit(pid, _LOCKS)[0]
    except OSError:
        return -1


def children() -> list[int]:
    """Our children's process numbers, adopted ones among them."""
    threads = _threads() if threading.active_count() > 1 else [threading.get_native_id()]
    return [pid for thread in threads for pid in _children_of(thread)]


def _threads() -> list[int]:
    """The numbers of our threads."""
    try:
        return [int(name) for name in os.listdir(f"{_PROC}/self/task")]  # noqa: PTH208 - once a test
    except OSError:
        return []


def _children_of(thread: int) -> list[int]:
    """What one of our threads has started, as far as it is there."""
    return [int(number) for number in _read(f"{_PROC}/self/task/{thread}/children").split()]


def _read(path: str) -> bytes:
    """A small file below /proc; nothing where its process is gone."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        pieces = []
        while piece := os.read(fd, 4096):
            pieces.append(piece)
        return b"".join(pieces)
    except OSError:
        return b""
    finally:
        os.close(fd)


def marked(pid: int, mark: str) -> bool:
    """Whether a process has the mark of a run, or of a worker."""
    return _limit(pid) in _numbers(mark) or mark.encode() in _read(f"{_PROC}/{pid}/environ")


def kill_strays(own: Iterable[int], mark: str, *, unmarked: bool = False, alone: bool = False) -> None:
    """Kill and bury those of our children that carry the mark and are not our own, and theirs in turn.

    With `unmarked`, those that carry no mark, too: a process that has changed its limits as well. With `alone`, those
    that are dead already are buried as well. Only who has no other children may ask for that.
    """
    known = set(own)
    while strays := [pid for pid in children() if pid not in known]:
        for pid in strays:
            if unmarked or marked(pid, mark):
                if _kill(pid):
                    _bury(pid)
            elif alone:
                _bury(pid, os.WNOHANG)
            known.add(pid)  # dead, or somebody else's


def _kill(pid: int) -> bool:
    """Kill a process; False where it is gone, or another user's."""
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _bury(pid: int, how: int = 0) -> None:
    try:
        os.waitpid(pid, how)
    except ChildProcessError:
        return


def _everyone() -> Iterator[int]:
    with contextlib.suppress(OSError):  # no /proc here: nobody is found
        for entry in Path(_PROC).iterdir():
            if entry.name.isdigit():
                yield int(entry.name)


def _dead(pid: int) -> bool:
    """Whether only the exit code is left of a process."""
    return _read(f"{_PROC}/{pid}/stat").rpartition(b")")[2].split()[:1] in ([], [b"Z"])


def end_all(mark: str) -> None:
    """Kill all processes with a mark, whoever's children they are."""
    for _ in range(_ROUNDS):
        found = [pid for pid in _everyone() if marked(pid, mark) and not _dead(pid)]
        for pid in found:
            _kill(pid)
        if not found:
            break


class Guardian:
    """A small process that outlives us: if we are killed, it kills our tests and removes our work folders.

    Before, it puts back what a first run has changed of the user's files.
    """

    def __init__(self, root: str, mark: str) -> None:
        listen, self._speak = os.pipe()
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid:
            os.close(listen)
            return
        try:
            os.closerange(3, listen)  # files, locks and pipes of its parent must end with the parent
            os.closerange(listen + 1, _MOST_FILES)
            os.setsid()
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            _watch(listen, root, mark, parent)
        finally:
            os._exit(0)

    def dismiss(self) -> None:
        """All is well: let it go."""
        speak, self._speak = self._speak, -1
        if speak < 0:
            return
        with contextlib.suppress(BrokenPipeError):  # it was killed
            os.write(speak, b"bye")
        os.close(speak)
        _bury(self.pid)


def _watch(listen: int, root: str, mark: str, parent: int) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # whoever waits for the end of our output must not wait for the guardian
        os.dup2(null, number)
    if os.read(listen, 3):
        return
    end_all(mark)
    for _ in range(_PAUSES):  # the pipe of the parent is closed, but maybe not yet its other files, with their locks
        if os.getppid() != parent:
            break
        time.sleep(_PAUSE)
    restore_after(parent)
    remove_root(root)
