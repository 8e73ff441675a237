"""Attack wynot: signals, damaged journals, full disks, hostile tests, odd names and inputs, closed streams.

Each case has a folder, journals and work folders of its own. It checks that each wynot ends with a documented exit
code and without a traceback, prints no escape byte, leaves no process and no work folder, and does not touch the
original. Where the attack interrupts the run, or the run can succeed in spite of it, the result must be the same as
that of an undisturbed run. Prints a table by kind; exit 1 if a case is broken, with the command that repeats it.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import itertools
import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import common

DOCUMENTED = (0, 1, 2, 3, 130)
LIMIT = 300.0
"""Seconds after which a run counts as one that does not end; it only decides how long such a case takes."""
PATIENT = 30.0
"""Seconds in which the processes of a run must be gone after it was killed."""
NOBODY = 65534
TRACEBACKS = (b"Traceback (most recent call last)", b"Fatal Python error", b"Exception ignored")
ESCAPE = b"\x1b"
LINES = "".join(f"line {i}\n" for i in range(10))
TEXT = f"{LINES}alpha\n{LINES}omega\n{LINES}"


@dataclass(frozen=True, slots=True)
class Problem:
    """A command that can be attacked: its words, its input, what judges it and what it writes."""

    name: str
    words: tuple[str, ...]
    judge: str
    """Shell text that ends with 0 iff the failure shows; $1 is the path of the candidate."""
    inputs: dict[str, str]
    results: tuple[str, ...] = ()
    script: str = "check"

    def pose(self, folder: Path) -> None:
        for name, text in self.inputs.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def tree(top: str, *words: str) -> dict[str, str]:
    """Six files of twenty lines; each of the first ones has one of the words."""
    given = dict(enumerate(words))
    return {f"{top}/f{i}.txt": f"{i} one\n{LINES}{given.get(i, i)}\n{LINES}" for i in range(6)}


TEST = ("--timeout", "60s", "--test", "./check")
PROBLEMS = {
    problem.name: problem
    for problem in (
        Problem("reduce", ("reduce", "in.txt", *TEST), 'grep -q alpha "$1" && grep -q omega "$1"',
                {"in.txt": TEXT}, ("in.reduced.txt",)),
        Problem("folder", ("reduce", "tree", *TEST), 'grep -q alpha "$1/f0.txt" && grep -q omega "$1/f1.txt"',
                tree("tree", "alpha", "omega"), ("tree.reduced",)),
        Problem("isolate", ("isolate", "in.txt", *TEST), 'grep -q alpha "$1" && grep -q omega "$1"',
                {"in.txt": TEXT}, ("in.txt.isolated",)),
        Problem("changes", ("changes", "old", "new", *TEST), 'grep -q alpha "$1/f0.txt" && grep -q omega "$1/f1.txt"',
                tree("old") | tree("new", "alpha", "omega", "two", "three"), ("culprit.patch", "repair.patch")),
        Problem("options", ("options", "-o", "out", "--timeout", "60s", "--", "./prog", *(f"-{c}" for c in "abcdefgh")),
                'case "$*" in *-b*-e*) echo boom >&2; false;; esac', {}, ("out/call.sh",), "prog"),
        Problem("check", ("check", "in.txt", *TEST), 'grep -q alpha "$1" && grep -q omega "$1"', {"in.txt": TEXT}),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Done:
    """How a wynot ended; exit None: not within the limit."""

    exit: int | None
    out: bytes
    err: bytes


@dataclass
class Case:
    """The folder of one case, and what was found broken in it."""

    folder: Path
    problem: Problem
    jobs: int = 1
    broken: list[str] = field(default_factory=list)
    originals: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.work, self.home, self.tmp = (self.folder / name for name in ("here", "home", "tmp"))
        self.outside = self.folder / "outside"
        for path in (self.work, self.home, self.tmp, self.outside):
            path.mkdir()
        (self.outside / "precious").write_text("precious\n")
        self.problem.pose(self.work)
        self.set_script()
        self.sleeper = self.folder / "sleeper"
        self.sleeper.symlink_to(shutil.which("sleep") or "/bin/sleep")

    def set_script(self, before: str = "", after: str = "") -> None:
        """Write the test: $calls is the file with a line for each call, $pid the one with wynot's process."""
        names = {"case": self.folder, "calls": self.folder / "calls", "pid": self.folder / "pid",
                 "sleeper": self.folder / "sleeper", "outside": self.outside}  # fmt: skip
        variables = "".join(f"{name}={shlex.quote(str(path))}\n" for name, path in names.items())
        text = (
            f'#!/bin/sh\n{variables}echo x >> "$calls"\n{before}\n{self.problem.judge}\ncode=$?\n{after}\nexit $code\n'
        )
        common.write_script(self.work / self.problem.script, text)
        self.originals = self.digest_inputs()

    def digest_inputs(self) -> dict[str, str]:
        names = {name.split("/")[0] for name in self.problem.inputs} | {self.problem.script}
        found: dict[str, str] = {}
        for top in (self.outside, *(self.work / name for name in sorted(names))):
            found |= digests(top, self.folder)
        return found

    def result(self) -> dict[str, str]:
        """The digest of each file that the command wrote."""
        found: dict[str, str] = {}
        for name in self.problem.results:
            found |= digests(self.work / name, self.folder)
        return found

    def environment(self) -> dict[str, str]:
        unset = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "WYNOT_TEST"}
        kept = {name: value for name, value in os.environ.items() if name not in unset}
        return {**kept, "WYNOT_HOME": str(self.home), "WYNOT_TMP": str(self.tmp)}

    def words(self) -> tuple[str, ...]:
        """The words of the problem's command, with the number of jobs."""
        first, *rest = self.problem.words
        return (first, "-j", str(self.jobs), *rest)

    def run(
        self, *words: str | bytes, prefix: str = "", streams: str = "", before: Sequence[str] = (),
        user: Sequence[str] = (), env: dict[str, str] | None = None, exits: Sequence[int] = DOCUMENTED,
    ) -> Done:  # fmt: skip
        """Run a wynot to its end, by default the problem's command, and check how it ended."""
        chosen = words or self.words()
        pid = shlex.quote(str(self.folder / "pid"))
        line = f'echo $$ > {pid}; {prefix or ":"}; exec {shlex.join(user)} "$@" {streams}'
        argv = [*before, "sh", "-c", line, "sh", common.program("wynot"), *chosen]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen(
                argv, cwd=self.work, env={**self.environment(), **(env or {})}, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            )  # fmt: skip
            ended: int | None
            try:
                ended = child.wait(LIMIT)
            except subprocess.TimeoutExpired:
                ended = None
                child.kill()
                child.wait()
            out.seek(0)
            err.seek(0)
            done = Done(ended, out.read(), err.read())
        self.check(done, exits, " ".join(os.fsdecode(word)[:40] for word in chosen[:3]))
        return done

    def check(self, done: Done, exits: Sequence[int], what: str) -> None:
        """What holds for every run."""
        last = done.err.decode(errors="replace").strip().splitlines()[-1:]
        if done.exit is None:
            self.broken.append(f"{what}: does not end within {LIMIT:g} s")
        elif done.exit not in exits:
            self.broken.append(f"{what}: exit {done.exit} {last}")
        for text in (done.out, done.err):
            if any(trace in text for trace in TRACEBACKS):
                self.broken.append(f"{what}: traceback {last}")
            if ESCAPE in text:
                self.broken.append(f"{what}: prints an escape byte")

    def check_left(self) -> None:
        """No process and no work folder is left, and the originals are as they were."""
        until = time.monotonic() + PATIENT
        while (left := carrying(self.folder.name)) and time.monotonic() < until:
            time.sleep(0.02)
        for pid in left:
            self.broken.append(f"process left: {command_line(pid)[:80]}")
        if self.tmp.is_dir():
            names = sorted(path.name for path in self.tmp.iterdir())
            self.broken += [f"left in WYNOT_TMP: {name}" for name in names]
        now = self.digest_inputs()
        changed = [path for path in {**now, **self.originals} if now.get(path) != self.originals.get(path)]
        self.broken += [f"original changed: {path}" for path in sorted(changed)]

    def check_same(self) -> None:
        """The result is that of an undisturbed run."""
        expected, found = undisturbed(self.problem.name), self.result()
        if found != expected:
            changed = sorted(path for path in {**found, **expected} if found.get(path) != expected.get(path))
            self.broken.append(f"another result than undisturbed: {', '.join(changed)}")

    def check_repeated(self, *words: str) -> None:
        """The same command, undisturbed, gives the right result."""
        self.run(*words, exits=(0,))
        self.check_same()

    def clear(self) -> None:
        for pid in carrying(self.folder.name):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        subprocess.run(["chmod", "-R", "u+rwX", self.folder], check=False, capture_output=True)
        subprocess.run(["rm", "-rf", self.folder], check=False, capture_output=True)


def digests(top: Path, base: Path) -> dict[str, str]:
    """The digests of a file, or of all files of a folder; the case's own path in a text does not count."""
    paths = sorted(path for path in (top, *top.rglob("*")) if path.is_file() or path.is_symlink())
    return {
        str(path.relative_to(base)): hashlib.sha256(
            bytes(path.readlink()) if path.is_symlink() else path.read_bytes().replace(bytes(base), b"CASE")
        ).hexdigest()
        for path in paths
    }


def command_line(pid: int) -> str:
    """The words of a process; none where it is gone."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
    return ""


def carrying(tag: str) -> list[int]:
    """The living processes, this one apart, with a text in their environment or their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if tag.encode() in (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes():
                state = (entry / "stat").read_bytes().rpartition(b")")[2].split()[0]
                if state != b"Z":
                    found.append(int(entry.name))
    return found


LOCK = threading.Lock()


def undisturbed(name: str) -> dict[str, str]:
    """The result of a problem's command that nobody attacks."""
    with LOCK:
        return _undisturbed(name)


@cache
def _undisturbed(name: str) -> dict[str, str]:
    with opened(PROBLEMS[name]) as case:
        case.run(exits=(0,))
        case.check_left()
        if case.broken:
            raise SystemExit(f"{name}, undisturbed: {'; '.join(case.broken)}")
        return case.result()


@contextlib.contextmanager
def opened(problem: Problem, jobs: int = 1) -> Iterator[Case]:
    """A case in a folder of its own, which is gone afterwards."""
    case = Case(Path(tempfile.mkdtemp(prefix="attack-", dir=SHARED.parent)), problem, jobs)
    try:
        yield case
    finally:
        case.clear()


@dataclass
class Shared:
    parent: Path | None = None


SHARED = Shared()


@dataclass(frozen=True, slots=True)
class Attack:
    """One case: its name, and what it does; `why_not` says what it lacks here, if it does."""

    kind: str
    name: str
    problem: Problem
    jobs: int
    act: Callable[[Case], None]
    why_not: Callable[[], str] = lambda: ""

    @property
    def path(self) -> str:
        return f"{self.kind}/{self.problem.name}/{self.name}/j{self.jobs}"

    def broken(self) -> list[str]:
        """What is broken; nothing if all is well."""
        with opened(self.problem, self.jobs) as case:
            self.act(case)
            case.check_left()
            return case.broken


# Signals ----------------------------------------------------------------------------------------------------------

SIGNALS = {
    "KILL": "kill -KILL $p",
    "INT": "kill -INT $p",
    "TERM": "kill -TERM $p",
    "HUP": "kill -HUP $p",
    "INT-INT": "kill -INT $p; kill -INT $p",
    "INT-later-INT": 'setsid -f sh -c "kill -INT $p; sleep 0.05; kill -INT $p"',
}  # fmt: skip
MOMENTS = {1: 1, 3: 4, 6: 1}
"""At which test the signal is sent, and with how many jobs."""


def signalled(words: str, moment: int) -> Callable[[Case], None]:
    def act(case: Case) -> None:
        case.set_script(
            f'if [ "$(wc -l < "$calls")" -ge {moment} ] && mkdir "$case/signalled" 2> /dev/null; then\n'
            f'p=$(cat "$pid")\n{words}\nsleep 0.2\nfi'
        )
        killed = "KILL" in words
        done = case.run(exits=(-signal.SIGKILL,) if killed else (130, 0))
        if not (case.folder / "signalled").exists():
            case.broken.append("no signal was sent: the run has too few tests")
        if done.exit == 0:
            case.check_same()
        if not killed:
            case.check_left()
        case.check_repeated()

    return act


def signals() -> Iterator[Attack]:
    for problem, (name, words), (moment, jobs) in itertools.product(
        PROBLEMS.values(), SIGNALS.items(), MOMENTS.items()
    ):
        if problem.name != "check" or moment == 1:
            yield Attack("signal", f"{name}-at-{moment}", problem, jobs, signalled(words, moment))


# Journals ---------------------------------------------------------------------------------------------------------


def flipped(seed: int) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        data, chance = bytearray(path.read_bytes()), random.Random(seed)
        for _ in range(1 + len(data) // 200):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)

    return damage


def kept(make: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(make(path.read_bytes()))


def replaced(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.unlink()
        make(path)

    return damage


def aside(path: Path, data: bytes | None) -> None:
    """Replace what SQLite keeps beside a journal, or remove it."""
    for end in ("-wal", "-shm"):
        beside = path.with_name(path.name + end)
        if data is None:
            beside.unlink(missing_ok=True)
        else:
            beside.write_bytes(data)


DAMAGES: dict[str, Callable[[Path], object]] = {
    **{f"flipped-{seed}": flipped(seed) for seed in (1, 2, 3)},
    "header-gone": kept(lambda data: bytes(100) + data[100:]),
    "half": kept(lambda data: data[: len(data) // 2]),
    "10-bytes": kept(lambda data: data[:10]),
    "empty": replaced(Path.touch),
    "text": replaced(lambda path: path.write_text("this is no journal\n" * 50)),
    "folder": replaced(Path.mkdir),
    "pipe": replaced(os.mkfifo),
    "dangling-link": replaced(lambda path: path.symlink_to("nowhere/at/all")),
    "loop": replaced(lambda path: path.symlink_to(path)),
    "gone": Path.unlink,
    "read-only": lambda path: path.chmod(0o400),
    "no-wal": lambda path: aside(path, None),
    "odd-wal": lambda path: aside(path, b"\x37\x7f\x06\x82" + b"odd" * 1000),
}
AFTERWARDS = {
    "again": (),
    "runs": ("runs",),
    "report": ("report", "last", "--format", "md", "-o", "-"),
    "verify": ("verify", "last"),
    "runs-json": ("runs", "--json"),
    "delete": ("runs", "delete", "--all"),
}


def damaged(damage: Callable[[Path], object], words: tuple[str, ...], killed: bool) -> Callable[[Case], None]:
    def act(case: Case) -> None:
        if killed:
            moment = 'if [ "$(wc -l < "$calls")" -ge 5 ] && mkdir "$case/killed" 2> /dev/null; then'
            case.set_script(f'{moment}\nkill -KILL "$(cat "$pid")"\nfi')
        case.run(exits=(-signal.SIGKILL,) if killed else (0,))
        wait_until(lambda: not carrying(case.folder.name))
        journals = sorted((case.home / "runs").glob("*.db"))
        if not journals:
            case.broken.append("there is no journal to damage")
        for path in journals:
            damage(path)
        if words:
            case.run(*words, exits=(0, 2))
        done = case.run(exits=(0, 2))
        if done.exit == 0:
            case.check_same()
        elif case.home.name.encode() not in done.err:
            case.broken.append(f"the journal is not named: {done.err.decode(errors='replace').strip()[-200:]}")

    return act


def wait_until(true: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENT
    while not true() and time.monotonic() < until:
        time.sleep(0.02)


def journals() -> Iterator[Attack]:
    for (name, damage), (after, words) in itertools.product(DAMAGES.items(), AFTERWARDS.items()):
        yield Attack("journal", f"{name}-{after}", PROBLEMS["reduce"], 1, damaged(damage, words, killed=False))
    for name, damage in DAMAGES.items():
        yield Attack("journal", f"{name}-killed", PROBLEMS["reduce"], 4, damaged(damage, (), killed=True))
    for name, problem in itertools.product(("flipped-1", "half", "text"), ("folder", "isolate", "changes", "options")):
        yield Attack("journal", f"{name}-again", PROBLEMS[problem], 1, damaged(DAMAGES[name], (), killed=False))


# The disk ---------------------------------------------------------------------------------------------------------


@cache
def unprivileged() -> tuple[str, ...] | str:
    """Words that run a command without root's rights; nothing where there are none; else why that cannot be done."""
    if os.geteuid() != 0:
        return ()
    words = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    if shutil.which("setpriv") is None:
        return "runs as root and there is no setpriv"
    tried = subprocess.run([*words, common.program("wynot"), "--version"], capture_output=True, check=False, cwd="/")
    return words if tried.returncode == 0 else "others than root cannot run this Python"


def no_user() -> str:
    words = unprivileged()
    return words if isinstance(words, str) else ""


@cache
def no_mount() -> str:
    """Why no file system of its own can be mounted, if so."""
    line = "mount -t tmpfs -o size=64k none /mnt"
    tried = subprocess.run(["unshare", "-m", "sh", "-c", line], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "no private mounts here"


def retried(case: Case, done: Done) -> None:
    """What the disk refused must work once it takes it."""
    if done.exit == 0:
        case.check_same()
    case.check_left()
    case.check_repeated()


def read_only(name: str) -> Callable[[Case], None]:
    def act(case: Case) -> None:
        words = unprivileged()
        assert not isinstance(words, str)
        paths = [case.folder, *case.folder.rglob("*")]
        if words:
            for path in paths:
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        folder: Path = case.folder / name
        folder.chmod(0o500)
        done = case.run(user=words, env={"HOME": str(case.folder)})
        folder.chmod(0o700)
        retried(case, done)

    return act


def instead(name: str, kind: str) -> Callable[[Case], None]:
    """A folder of wynot's is missing, or something else stands there."""

    def act(case: Case) -> None:
        path: Path = case.folder / name
        path.rmdir()
        if kind == "file":
            path.write_text("a file\n")
        elif kind == "dangling":
            path.symlink_to(case.folder / "nowhere")
        elif kind == "loop":
            path.symlink_to(path)
        done = case.run()
        if path.is_symlink() or path.is_file():
            path.unlink()
        path.mkdir(exist_ok=True)
        retried(case, done)

    return act


def output(kind: str) -> Callable[[Case], None]:
    def act(case: Case) -> None:
        path = case.work / case.problem.results[0]
        path.parent.mkdir(exist_ok=True)
        if kind == "folder":
            path.mkdir()
            (path / "mine").write_text("mine\n")
        elif kind == "file":
            path.write_text("mine\n")
        elif kind == "full":
            path.symlink_to("/dev/full")
        else:
            path.symlink_to(path)
        done = case.run()
        if kind == "folder" and not (path / "mine").exists():
            case.broken.append("what was in the output folder is gone")
        if path.is_symlink() or path.is_file():
            path.unlink()
        else:
            shutil.rmtree(path)
        if done.exit != 0:
            retried(case, done)

    return act


def small_files(blocks: int) -> Callable[[Case], None]:
    return lambda case: retried(case, case.run(prefix=f"ulimit -f {blocks}"))


def full(name: str, size: str) -> Callable[[Case], None]:
    """A small file system in place of one of the folders, full or soon so; it is gone with the run."""

    def act(case: Case) -> None:
        path = shlex.quote(str(case.folder / name))
        copied = f'cp -a {path} "$0.copy"; mount -t tmpfs -o size={size} none {path}; cp -a "$0.copy"/. {path}/; cd .'
        line = f'{copied}; cd {shlex.quote(str(case.work))}; exec "$@"'
        done = case.run(before=("unshare", "-m", "sh", "-c", line, str(case.folder / name)))
        if done.exit == 0 and name != "here":
            case.check_same()
        case.check_left()
        case.check_repeated()

    return act


def disks() -> Iterator[Attack]:
    tried = [PROBLEMS[name] for name in ("reduce", "folder", "isolate", "changes", "options")]
    for problem in tried:
        for name, kind in itertools.product(("tmp", "home"), ("missing", "file", "dangling", "loop")):
            if problem.name == "reduce" or kind == "file":
                yield Attack("disk", f"{name}-{kind}", problem, 1, instead(name, kind))
        for kind in ("folder", "file", "full", "loop"):
            yield Attack("disk", f"output-{kind}", problem, 1, output(kind))
        for blocks in (0, 4, 40):
            yield Attack("disk", f"file-size-{blocks}", problem, 1, small_files(blocks))
        for name in ("here", "tmp", "home"):
            yield Attack("disk", f"read-only-{name}", problem, 1, read_only(name), no_user)
            yield Attack("disk", f"full-{name}", problem, 1, full(name, "32k"), no_mount)


# Hostile tests ----------------------------------------------------------------------------------------------------

ONCE = 'mkdir "$case/once" 2> /dev/null &&'
HOSTILE: dict[str, str] = {
    "deletes-its-folder": 'rm -rf -- "$PWD"',
    "deletes-the-input": 'rm -rf -- "$1"',
    "folder-without-rights": 'chmod -R 000 "$PWD"',
    "renames-its-folder": 'mv "$PWD" "$PWD.renamed"',
    "renames-the-input": 'mv "$1" "$1.renamed"',
    "appends-to-the-input": 'if [ -f "$1" ]; then echo alpha omega >> "$1"; else echo alpha omega >> "$1/f0.txt"; fi',
    "replaces-the-input": 'rm -rf -- "$1"; ln -s "$outside/precious" "$1"',
    "prints-without-end": '[ "$code" = 0 ] || yes',
    "complains-without-end": '[ "$code" = 0 ] || yes >&2',
    "daemon": 'setsid -f "$sleeper" 300 > /dev/null 2>&1 < /dev/null',
    "daemon-env-i": 'env -i setsid -f "$sleeper" 300 > /dev/null 2>&1 < /dev/null',
    "daemon-twice-env-i": 'env -i setsid -f setsid -f "$sleeper" 300 > /dev/null 2>&1 < /dev/null',
    "child-holds-streams": '"$sleeper" 300 &',
    "child-ignores-sigterm": 'sh -c \'trap "" TERM INT HUP; "$0" 300; "$0" 300\' "$sleeper" &',
    "ignores-sigterm": f'{ONCE} {{ trap "" TERM INT HUP; "$sleeper" 300; }}',
    "closes-streams": "exec <&- >&- 2>&-",
    "writes-escapes": "printf '\\033[31mred\\033]0;title\\007\\033[2J\\n'; printf '\\033[31mred\\n' >&2",
    "writes-bytes": "head -c 3000 /dev/urandom; head -c 3000 /dev/urandom >&2",
    "fifo": "mkfifo fifo",
    "fifo-for-its-folder": 'rm -rf -- "$PWD"; mkfifo "$PWD"',
    "file-for-its-folder": 'rm -rf -- "$PWD"; echo > "$PWD"',
    "link-for-its-folder": 'rm -rf -- "$PWD"; ln -s "$outside" "$PWD"',
    "fifo-for-input": 'rm -rf -- "$1"; mkfifo "$1"',
    "socket": "python3 -S -c \"import socket; socket.socket(socket.AF_UNIX).bind('sock')\"",
    "deep-folders": 'mkdir -p "$(printf "d/%.0s" $(seq 300))"',
    "links-to-outside": 'ln -s "$outside" out; ln -s "$outside/precious" .; ln "$outside/precious" hard; ln -s / root',
    "1000-files": "seq 1000 | xargs touch",
    "odd-file-names": "touch -- -rf 'a\nb' \"$(printf '\\377')\" '*'; mkdir ' '",
    "temporary-folder-without-rights": 'mkdir -p "$TMPDIR/a"; chmod 000 "$TMPDIR/a" "$TMPDIR"',
    "umask": "umask 777; touch masked",
    "many-descriptors": 'for i in 3 4 5 6 7 8 9; do eval "exec $i< /dev/null"; done',
    "read-only-folders": "mkdir -p a/b; touch a/b/c; chmod 500 a/b a",
    "kills-its-group": '[ "$code" = 0 ] || kill -KILL 0',
    "kills-its-group-once": f"{ONCE} kill -KILL 0",
    "sleeps-beyond-the-limit": f'{ONCE} "$sleeper" 300',
    "stops-itself": f"{ONCE} kill -STOP $$",
    "odd-exit-codes": '[ "$code" = 0 ] || code=$((123 + $(wc -l < "$calls") % 130))',
    "terminates-its-parent-group": f"{ONCE} kill -TERM 0",
}
SLOW = {"ignores-sigterm", "sleeps-beyond-the-limit", "stops-itself"}
ODD_ANSWERS = {"odd-exit-codes", "prints-without-end", "complains-without-end", "kills-its-group"}
"""Where tests become unresolved, or answer differently, the result may be another one, or there may be none."""
WITH = {"reduce": (1, 4), "folder": (1,), "isolate": (4,), "changes": (1,)}


def hostile(name: str) -> Callable[[Case], None]:
    def act(case: Case) -> None:
        case.set_script(after=HOSTILE[name])
        words = list(case.words())
        if name in SLOW:
            words[words.index("60s")] = "2s"
        done = case.run(*words)
        if done.exit == 0 and name not in ODD_ANSWERS:
            case.check_same()
        elif done.exit != 0 and name not in SLOW | ODD_ANSWERS and not name.startswith("kills"):
            case.broken.append(f"exit {done.exit}: {done.err.decode(errors='replace').strip()[-200:]}")

    return act


def tests() -> Iterator[Attack]:
    for name, (problem, jobs) in itertools.product(HOSTILE, WITH.items()):
        for count in jobs:
            yield Attack("test", name, PROBLEMS[problem], count, hostile(name))


# Names ------------------------------------------------------------------------------------------------------------

NAMES: dict[str, bytes] = {
    "newline": b"a\nb.txt",
    "dash": b"-o",
    "two-dashes": b"--help",
    "not-utf-8": b"\xff\xfe.txt",
    "200-characters": b"n" * 196 + b".txt",
    "255-bytes": b"n" * 251 + b".txt",
    "blanks-and-quotes": b" a 'b' \"c\" $(touch here) `d` \\ .txt",
    "braces": b"{}",
    "escape": b"\x1b[31mred\x1b]0;t\x07.txt",
    "bidi": "\u202etxt.\u202c".encode(),
    "star": b"*",
    "dots": b"...",
}


def named(name: bytes, words: tuple[str, ...]) -> Callable[[Case], None]:
    def act(case: Case) -> None:
        (case.work / "in.txt").unlink(missing_ok=True)
        path, data = case.work / os.fsdecode(name), TEXT.encode()
        path.write_bytes(data)
        case.originals = case.digest_inputs()
        command, *rest = words
        done = case.run(command, "-j", str(case.jobs), *rest, "--", name)
        if path.read_bytes() != data:
            case.broken.append("the original is changed")
        if (case.work / "here").exists():
            case.broken.append("a shell read the name")
        if done.exit != 0 and len(name) < 240:  # the result's name would be too long
            case.broken.append(f"exit {done.exit}: {done.err.decode(errors='replace').strip()[-200:]}")
        case.run("runs")
        case.run("report", "last", "--format", "md", "-o", "-")

    return act


def names() -> Iterator[Attack]:
    for (title, name), command in itertools.product(NAMES.items(), ("reduce", "isolate", "check")):
        yield Attack("name", title, PROBLEMS[command], 1, named(name, (command, *TEST)))


# Inputs -----------------------------------------------------------------------------------------------------------

DEPTH = 20_000
INPUTS: dict[str, tuple[str, bytes, str]] = {
    "empty": ("in.txt", b"", "true"),
    "one-byte": ("in.txt", b"x", 'grep -q x "$1"'),
    "one-newline": ("in.txt", b"\n", '[ -s "$1" ]'),
    "nuls": ("in.bin", bytes(3000) + b"alpha" + bytes(3000), 'grep -aq alpha "$1"'),
    "long-line": ("in.txt", b"a b " * 600_000 + b"alpha" + b" c d" * 600_000, 'grep -q alpha "$1"'),
    "long-line-json": ("in.json", b"[" + b"1, " * 600_000 + b'"alpha"]', 'grep -q alpha "$1"'),
    "bom": ("in.c", b"\xef\xbb\xbfint alpha;\nint b;\n", 'grep -q alpha "$1"'),
    "utf-16": ("in.c", "int alpha;\nint b;\n".encode("utf-16"), 'grep -aqP "a\\x00l\\x00p" "$1"'),
    "two-boms": ("in.py", b"\xef\xbb\xbf\xef\xbb\xbfalpha = 1\nb = 2\n", 'grep -q alpha "$1"'),
    "invalid-utf-8": ("in.py", b"a = '\xff\xfe\xc0'\nalpha = 1\n\xed\xa0\x80\n", 'grep -aq alpha "$1"'),
    "carriage-returns": ("in.py", b"a = 1\ralpha = 2\r\nb = 3\r", 'grep -aq alpha "$1"'),
    "comments-kt": ("in.kt", b"/*" * 20_000, 'grep -q "/" "$1"'),
    "comments-swift": ("in.swift", b"/*" * 20_000, 'grep -q "/" "$1"'),
    "deep-json": ("in.json", b"[" * DEPTH + b'"alpha"' + b"]" * DEPTH, 'grep -q alpha "$1"'),
    "open-json": ("in.json", b'[{"a":' * DEPTH + b'"alpha"', 'grep -q alpha "$1"'),
    "deep-lisp": ("in.el", b"(" * DEPTH + b"alpha" + b")" * DEPTH, 'grep -q alpha "$1"'),
    "deep-xml": ("in.xml", b"<a>" * DEPTH + b"alpha" + b"</a>" * DEPTH, 'grep -q alpha "$1"'),
    "deep-python": ("in.py", b"(" * DEPTH + b"alpha" + b")" * DEPTH, 'grep -q alpha "$1"'),
    "deep-c": ("in.c", b"{" * DEPTH + b"alpha;" + b"}" * DEPTH, 'grep -q alpha "$1"'),
    "escapes": ("in.txt", b"\x1b[2J\x1b]0;alpha\x07\n" * 20, 'grep -q alpha "$1"'),
}


def fed(title: str, command: str) -> Callable[[Case], None]:
    name, data, judge = INPUTS[title]

    def act(case: Case) -> None:
        (case.work / "in.txt").unlink(missing_ok=True)
        case.problem = Problem(command, (), judge, {name: ""})
        (case.work / name).write_bytes(data)
        case.set_script()
        case.run(command, "-j", str(case.jobs), "--budget-time", "1s", name, *TEST)

    return act


def inputs() -> Iterator[Attack]:
    for title, command in itertools.product(INPUTS, ("reduce", "isolate", "check")):
        yield Attack("input", title, PROBLEMS[command], 4 if command == "isolate" else 1, fed(title, command))


# Streams ----------------------------------------------------------------------------------------------------------

STREAMS = {
    "no-stdin": "<&-",
    "no-stdout": ">&-",
    "no-stderr": "2>&-",
    "no-output": ">&- 2>&-",
    "nothing": "<&- >&- 2>&-",
    "full-stdout": "> /dev/full",
    "full-output": "> /dev/full 2> /dev/full",
    "full-stderr": "2> /dev/full",
}  # fmt: skip
CLOSED_READER = "mkfifo ../pipe; : < ../pipe &"
PREFIXES = {
    "12-files": "ulimit -n 12",
    "20-files": "ulimit -n 20",
    "28-files": "ulimit -n 28",
    "impossible-home": "export WYNOT_HOME=/dev/null/x",
    "impossible-tmp": "export WYNOT_TMP=/proc/none",
    "no-environment": ('set -- env -i "PATH=$PATH" "WYNOT_HOME=$WYNOT_HOME" "WYNOT_TMP=$WYNOT_TMP" "$@"'),
    "no-home": "unset HOME",
    "no-path": "PATH=/nowhere",
    "odd-locale": "export LC_ALL=xx_YY.nothing PYTHONUTF8=0",
    "c-locale": "export LC_ALL=C PYTHONCOERCECLOCALE=0 PYTHONUTF8=0",
    "odd-width": "export COLUMNS=0 LINES=-1",
    "ignores-signals": "trap '' INT TERM HUP PIPE CHLD",
}
SHOWING: dict[str, tuple[str, ...]] = {name: AFTERWARDS[name] for name in ("runs", "report", "verify")}


def streamed(streams: str, prefix: str) -> Callable[[Case], None]:
    def act(case: Case) -> None:
        done = case.run(streams=streams, prefix=prefix)
        if done.exit == 0:
            case.check_same()
        case.check_left()
        case.check_repeated()

    return act


def shown(words: tuple[str, ...], streams: str, prefix: str) -> Callable[[Case], None]:
    def act(case: Case) -> None:
        case.run(exits=(0,))
        case.run(*words, streams=streams, prefix=prefix)
        case.run(*words, exits=(0,))

    return act


def surroundings() -> Iterator[Attack]:
    variants = [*((n, s, "") for n, s in STREAMS.items()), *((n, "", p) for n, p in PREFIXES.items())]
    variants.append(("closed-reader", "> ../pipe", CLOSED_READER))
    for problem, (name, streams, prefix) in itertools.product(PROBLEMS.values(), variants):
        yield Attack("streams", name, problem, 1, streamed(streams, prefix))
    for (after, words), (name, streams, prefix) in itertools.product(SHOWING.items(), variants):
        yield Attack("streams", f"{after}-{name}", PROBLEMS["reduce"], 1, shown(words, streams, prefix))


# The suite --------------------------------------------------------------------------------------------------------

KINDS = {
    "signal": signals, "journal": journals, "disk": disks, "test": tests,
    "name": names, "input": inputs, "streams": surroundings,
}  # fmt: skip


def every() -> list[Attack]:
    return [attack for kind in KINDS.values() for attack in kind()]


def part(text: str) -> tuple[int, int]:
    """1/4: the first of four parts."""
    number, _, count = text.partition("/")
    if not 1 <= int(number) <= int(count):
        raise ValueError(text)
    return int(number), int(count)


def chosen(args: argparse.Namespace) -> list[Attack]:
    """The cases asked for, by name, by kind, by part."""
    attacks = every()
    if args.case:
        by_path = {attack.path: attack for attack in attacks}
        if unknown := [path for path in args.case if path not in by_path]:
            raise SystemExit(f"{unknown[0]}: no such case; see --list")
        return [by_path[path] for path in args.case]
    number, count = args.part
    return [attack for attack in attacks if not args.only or attack.kind in args.only][number - 1 :: count]


def attempt(attack: Attack) -> tuple[Attack, str, list[str]]:
    """Run one case: why it could not be run, if so, and what is broken."""
    if why_not := attack.why_not():
        return attack, why_not, []
    broken = attack.broken()
    if broken:
        again = f"{sys.executable} {sys.argv[0]} {attack.path}"
        print(f"BROKEN {attack.path}\n  " + "\n  ".join([*broken, f"repeat: {again}"]), file=sys.stderr, flush=True)
    return attack, "", broken


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument("case", nargs="*", metavar="CASE", help="only these, as --list shows them")
    parser.add_argument("--only", metavar="KIND", action="append", choices=list(KINDS), help=", ".join(KINDS))
    parser.add_argument("--part", metavar="N/M", type=part, default=(1, 1), help="of M parts the Nth")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="cases at once [%(default)s]")
    parser.add_argument("--list", action="store_true", help="only print the names of the cases")
    args = parser.parse_args()
    attacks = chosen(args)
    if args.list:
        print("\n".join(attack.path for attack in attacks))
        return 0
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="attacks-") as folder:
        Path(folder).chmod(0o755)
        SHARED.parent = Path(folder)
        with ThreadPoolExecutor(args.jobs) as pool:
            found = list(pool.map(attempt, attacks))
    cases, skipped, broken = (
        Counter(attack.kind for attack, why_not, wrong in found if test(why_not, wrong))
        for test in (lambda *_: True, lambda why_not, _: bool(why_not), lambda _, wrong: bool(wrong))
    )
    rows = [(kind, cases[kind], skipped[kind], broken[kind]) for kind in KINDS if cases[kind]]
    rows.append(("all", cases.total(), skipped.total(), broken.total()))
    print(common.table(["kind", "cases", "not possible here", "broken"], rows))
    if args.json:
        figures = {
            "seconds": round(time.monotonic() - begun, 1),
            "kinds": [dict(zip(("kind", "cases", "skipped", "broken"), row, strict=True)) for row in rows],
            "broken": {attack.path: wrong for attack, _, wrong in found if wrong},
            "skipped": {attack.path: why_not for attack, why_not, _ in found if why_not},
        }
        args.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
