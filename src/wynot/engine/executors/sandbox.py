"""The work folder of each worker, and the limits on time, memory and output of a test."""

from __future__ import annotations

import errno
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from stat import S_ISLNK

from wynot.core.artifact import Placed, size
from wynot.core.folder import Entry, Folder
from wynot.core.text import counted, pasted
from wynot.engine.files.folder_io import write_entry, write_folder
from wynot.engine.files.removal import Leftover, mounts_at, remove_tree
from wynot.errors import PlaceError

# Limits of a test: time, memory, output; and whether the kernel killed it for lack of memory.


MIB = 1 << 20
PATIENCE = 10
"""A test may take so many times as long as the baseline, unless told otherwise..."""
FILES = 24
"""Files that wynot may have open at once..."""
FILES_PER_JOB = 4
"""...and so many more for each test that runs: its input, output, errors and end."""
LEAST_SECONDS = 5.0
"""...but never less than this: shared machines hiccup."""
GROWTH = 5
"""Where the failure was seen to take long to show, so many times as long is allowed..."""
MOST_SECONDS = 300.0
"""...up to this: what takes longer has to be asked for."""
FIRST_SECONDS = 300.0
"""A first look at the input may take so long, as long as nothing else is known."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a test may use; beyond that it is killed and UNRESOLVED."""

    seconds: float | None = None
    """None: not decided yet; the baseline decides."""
    memory: int | None = None
    """Bytes of address space a process (RLIMIT_AS); None: as the system allows."""
    output: int = 16 * MIB
    """Bytes printed to standard output and standard error together."""
    first: float = FIRST_SECONDS
    """Seconds for a look at the input itself, where `seconds` is not decided yet."""
    adaptive: bool = False
    """Whether `seconds` follows from what was observed, and may grow."""

    def looking(self) -> Limits:
        """For the first looks at the input."""
        return self if self.seconds is not None else replace(self, seconds=self.first)

    def settled(self, baseline: float, crowd: float) -> Limits:
        """With the time limit that follows from the baseline's time, more of it where tests share processors."""
        if self.seconds is not None:
            return self
        return replace(self, seconds=max(LEAST_SECONDS, PATIENCE * baseline * max(1.0, crowd)), adaptive=True)

    def grown(self, slowest: float) -> Limits:
        """With the time limit that follows from the slowest test that showed the failure.

        It grows to the double at least: each time that it does, tests that were cut short are run again.
        """
        now = self.seconds
        if not self.adaptive or now is None or now >= MOST_SECONDS or GROWTH * slowest <= now:
            return self
        return replace(self, seconds=min(MOST_SECONDS, max(GROWTH * slowest, 2 * now)))


def enough_files(jobs: int) -> None:
    """See that as many files may be open as this takes, before anything is begun that could not be ended properly."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    most, need = resource.getrlimit(resource.RLIMIT_NOFILE)[0], FILES + FILES_PER_JOB * jobs
    if resource.RLIM_INFINITY != most < need:
        fewer = " or use fewer jobs: -j 1" if jobs > 1 else ""
        raise PlaceError(
            f"only {most} files may be open at once, and {counted(jobs, 'job')} may need {need}",
            f"allow more: ulimit -n 1024;{fewer}".rstrip(";"),
        )


def limited(argv: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """The command, with its memory limited before its first instruction.

    By a shell that is replaced by the program: Python could set the limit in the child only by a slow fork, or from
    outside, too late.
    """
    if limits.memory is None:
        return argv
    return ("/bin/sh", "-c", 'ulimit -v "$0" && exec "$@"', str(max(1, limits.memory // 1024)), *argv)


# Whether the kernel killed processes for lack of memory: a test script may hide that its compiler was killed.


SECONDS_TO_FILL_MEMORY = 0.05
"""A run that is shorter is not asked about: to read the counter takes some 40 microseconds."""
_COUNTERS = "/proc/vmstat"
_NAME = b"oom_kill "


class OutOfMemory:
    """The kernel's own count of processes that it killed for lack of memory, on this machine and in all groups."""

    def __init__(self, counters: str = _COUNTERS) -> None:
        self._counters = counters
        self.kills = 0
        """As it was when it was last read."""
        self.look()

    def look(self) -> int:
        """Read it again; a system without such a counter has none."""
        try:
            fd = os.open(self._counters, os.O_RDONLY)
        except OSError:
            return self.kills
        try:
            text = b""
            while piece := os.read(fd, 1 << 16):
                text += piece
        finally:
            os.close(fd)
        _, found, rest = text.rpartition(_NAME)
        if found:
            self.kills = int(rest.split(None, 1)[0])
        return self.kills


PREFIX = "wynot-"
"""What the names of work folders begin with."""
LEAST_ROOM = 64 * MIB
_MEMORY = "/dev/shm"  # noqa: S108 - the folder made below has a random name and is private


def roomy(folder: str, size: int = 0) -> bool:
    """Whether programs can be written to and run from this folder, beside so many bytes."""
    try:
        state = os.statvfs(folder)
    except OSError:
        return False
    noexec = bool(state.f_flag & getattr(os, "ST_NOEXEC", 0))
    return not noexec and os.access(folder, os.W_OK) and state.f_bavail * state.f_frsize >= LEAST_ROOM + 2 * size


def make_root(size: int = 0) -> str:
    """A new private folder: below WYNOT_TMP if that is set, in memory where there is some, else a temporary one.

    There is room in memory if what is tested, of this size in all, takes up no more than half of it.
    """
    chosen = os.environ.get("WYNOT_TMP")
    parent = chosen or (_MEMORY if roomy(_MEMORY, size) else tempfile.gettempdir())
    try:
        return tempfile.mkdtemp(prefix=PREFIX, dir=parent)
    except OSError as error:
        raise PlaceError(
            f"cannot make a work folder in {parent}: {error.strerror}",
            "name another place: WYNOT_TMP=/some/folder wynot ...",
        ) from error


class Sandbox:
    """A worker's own two folders: where the test runs, and where its temporary files go."""

    def __init__(self, root: str, number: int) -> None:
        self._root = root
        self.work = str(Path(root, f"w{number:03}"))
        self.temp = str(Path(root, f"t{number:03}"))
        self.left: list[Leftover] = []
        """What tests have left that cannot be removed, until it is reported."""
        for folder in (self.work, self.temp):
            Path(folder).mkdir()

    def lay(self, files: tuple[tuple[str, Placed], ...]) -> None:
        """Write these files and folders into the work folder, which holds nothing else."""
        self.clean()
        try:
            for name, data in files:
                self._write(name, data)
        except PermissionError:  # the last test locked its folder behind it
            self.renew(self.work)
            for name, data in files:
                self._write(name, data)

    def _write(self, name: str, data: Placed) -> None:
        try:
            if "/" in name:
                Path(self.work, name).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(data, Folder):
                write_folder(data, f"{self.work}/{name}")
                return
            if isinstance(data, Entry):
                write_entry(f"{self.work}/{name}", data)
                return
            with open(f"{self.work}/{name}", "wb") as file:  # noqa: PTH123 - a third of the time
                file.write(data)
        except PermissionError:
            raise
        except OSError as error:
            raise place_error(data, self.work, error) from error

    def reads(self, _name: str) -> frozenset[str]:
        """The files of a folder that were read since it was laid out; nothing where folders do not last."""
        return frozenset()

    def keep(self) -> None:
        """What the last run has made may stay; where nothing lasts, it does not."""

    def afresh(self) -> None:
        """The next test finds nothing of the ones before it; where nothing lasts, it never does."""

    def clean(self) -> None:
        """Remove whatever the last test left."""
        mounted = mounts_at(self._root)
        for folder in (self.work, self.temp):
            try:
                if S_ISLNK(os.lstat(folder).st_mode) or (mounted and mounts_at(folder)):
                    self.renew(folder)
                with os.scandir(folder) as entries:
                    left = [each for entry in entries for each in remove_entry(entry)]
                if left:
                    self.renew(folder)
            except OSError:
                self.renew(folder)

    def renew(self, folder: str) -> None:
        """Make a folder anew, whatever a test has made of it."""
        try:
            if left := remove_any(folder):
                self._set_aside(folder, left)
            Path(folder).mkdir(exist_ok=True)
        except OSError as error:
            over = folder in mounts_at(folder)
            raise PlaceError(
                f"cannot clean the work folder {folder}: {'it is a mount point' if over else error.strerror}",
                f"let the test mount nothing over its work folder; then: umount {pasted(folder)}"
                if over
                else "look what the test does there, or name another place: WYNOT_TMP=/some/folder wynot ...",
            ) from error

    def _set_aside(self, folder: str, left: list[Leftover]) -> None:
        """The next test must not find what cannot be removed."""
        aside = f"{tempfile.mkdtemp(prefix='left-', dir=self._root)}/{Path(folder).name}"
        os.rename(folder, aside)  # noqa: PTH104
        self.left += [each._replace(path=aside + each.path.removeprefix(folder)) for each in left]


def remove_entry(entry: os.DirEntry[str]) -> list[Leftover]:
    """Remove a file or a folder; gives what was left."""
    if entry.is_dir(follow_symlinks=False):
        return remove_root(entry.path)
    os.unlink(entry.path)  # noqa: PTH108 - once a test
    return []


def place_error(data: Placed, folder: str, error: OSError) -> PlaceError:
    """What to say when a candidate cannot be laid out."""
    many = len(data.data) if isinstance(data, Entry) else size(data)
    hint = "make room there, or name another place: WYNOT_TMP=/some/folder wynot ..."
    if error.errno == errno.ENAMETOOLONG:  # here, not where the user has it
        hint = "give a folder further inside, or a flatter copy; or name a shorter place: WYNOT_TMP=/t wynot ..."
    return PlaceError(f"cannot write a candidate of {many} bytes to {folder}: {error.strerror}", hint)


def remove_any(path: str) -> list[Leftover]:
    """Remove whatever is there: a folder with all that is in it, else the file, the link or the pipe itself."""
    try:
        os.unlink(path)  # noqa: PTH108 - once a test
    except (FileNotFoundError, IsADirectoryError, PermissionError):
        return remove_root(path)
    return []


def how_to_unmount(left: list[Leftover]) -> str:
    """What to type for all mount points in folders that were set aside.

    >>> how_to_unmount([Leftover(f"/tmp/wynot-1/left-{name}/w000/my mnt", "") for name in "ab"])
    "umount /tmp/wynot-1/left-*/w000/'my mnt'"
    """
    patterns = dict.fromkeys(_pattern(each.path) for each in left)
    return " ".join(["umount", *patterns])


def _pattern(path: str) -> str:
    above, aside, below = path.partition("/left-")
    return f"{pasted(above)}/left-*/{'/'.join(map(pasted, below.split('/')[1:]))}" if aside else pasted(path)


def remove_root(root: str) -> list[Leftover]:
    """Remove a folder with all that is in it, also what was made read-only; gives what was left."""
    return remove_tree(root)
