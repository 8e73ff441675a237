"""A stage for tests with real parts: a folder, journals and work folders of its own, and a tag.

Every program that is started from here inherits the tag in its environment, so that whatever is left behind can be
found, and is ended with the stage.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from click.testing import CliRunner

from wynot.cli.main import main
from wynot.engine.record import write

WYNOT = (sys.executable, "-m", "wynot")
TAG = "WYNOT_STAGE"
PATIENT = 60.0
"""Seconds after which something that should happen soon is taken for something that does not happen."""
NOBODY = 65534
LOOKS = 3
"""So many times the input itself is run before the search."""
AFTER = 10
"""And so many times the result is run after it."""


def eventually(true: Callable[[], object], what: str, seconds: float = PATIENT) -> None:
    """Wait until it is true; the deadline is generous, for it only decides how long a failure takes."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, f"waited {seconds:g} s in vain: {what}"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether a process is there and not only its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def command_line(pid: int) -> str:
    """The words of a process; none where it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def carrying(text: str) -> list[int]:
    """The processes, this one apart, that carry a text in their environment or their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if text.encode() in (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return [pid for pid in found if alive(pid)]


@dataclass(frozen=True)
class Done:
    """How a `wynot` ended and what it printed."""

    code: int
    stdout: bytes
    err: str

    @property
    def out(self) -> str:
        return self.stdout.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)

    @property
    def told(self) -> str:
        """What standard error says after the failure that is looked for, which is said once, and first."""
        first, _, rest = self.err.partition("\n")
        return rest if first.startswith("looking for: ") else self.err

    @property
    def crash(self) -> str:
        """The last line of a traceback; nothing where there is none."""
        return self.err.splitlines()[-1] if "Traceback" in self.err else ""


class Stage:
    """A folder to work in, and the environment of what works there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tag = uuid.uuid4().hex
        self.home, self.tmp = folder / "home", folder / "tmp"
        self.work = folder / "here"
        for each in (self.home, self.tmp, self.work):
            each.mkdir(exist_ok=True)
        self.changed = {"WYNOT_HOME": str(self.home), "WYNOT_TMP": str(self.tmp), TAG: self.tag}
        self.unset = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "WYNOT_TEST"}
        self.before: tuple[str, ...] = ()
        """Words before the command: to run it as somebody else, or under a limit."""
        self._started: list[subprocess.Popen[bytes]] = []

    @property
    def env(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in self.unset}
        return {**kept, **self.changed}

    def file(self, name: str, content: bytes | str) -> Path:
        path = self.work / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def script(self, name: str, body: str, interpreter: str = "/bin/sh") -> Path:
        path = self.file(name, f"#!{interpreter}\n{body}\n")
        path.chmod(0o755)
        return path

    def python(self, name: str, body: str) -> Path:
        return self.script(name, body, f"{sys.executable} -S")

    def logging(self, name: str, body: str) -> Path:
        """A script that first writes a line with the digest of its input to the log."""
        return self.script(name, f'sha256sum < "$1" >> {self.folder}/log\n{body}')

    def posed(self, text: str) -> Stage:
        """Pose a problem: a text that fails as long as there is a bug in it; the check writes that it was called."""
        self.file("in.txt", text)
        self.logging("check", 'grep -q bug "$1"')
        return self

    @property
    def log(self) -> list[str]:
        """The lines written to the log so far."""
        path = self.folder / "log"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def searched(self) -> list[str]:
        """The lines of a run that is done, without those of its last runs of the result."""
        log = self.log
        return log[:-AFTER] if len(log) > AFTER and len(set(log[-AFTER:])) == 1 else log

    def repeated(self, content: str, starts: int = 1) -> int:
        """How many runs repeat an earlier one; the first of the input and the last of the result do so by intention.

        Each further start looks once more.
        """
        runs = Counter(line.split()[0] for line in self.searched)
        own = sha256(content.encode()).hexdigest()
        assert runs[own] >= LOOKS + starts - 1
        runs[own] -= LOOKS - 1 + starts - 1
        return runs.total() - len(runs)

    def start(self, *args: object, **more: Any) -> subprocess.Popen[bytes]:
        """Begin a `wynot` in the stage's folder."""
        return self.program(*self.before, *WYNOT, *args, **more)

    def program(self, *words: object, **more: Any) -> subprocess.Popen[bytes]:
        """Start a program in the stage's folder. `clear` ends it: a test that fails may leave it behind."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        given: dict[str, Any] = {"cwd": self.work, "env": self.env, **pipes, **more}
        process: subprocess.Popen[bytes] = subprocess.Popen([*map(str, words)], **given)
        self._started.append(process)
        return process

    def wynot(self, *args: object, **more: Any) -> Done:
        """Run a `wynot` to its end."""
        return self.ended(self.start(*args, **more))

    def here(self, *args: object, folder: Path | None = None) -> Done:
        """Run a `wynot` in this process: the same, but for what is about processes, and without a start each time."""
        folder = folder or self.work
        if self.before:
            return self.wynot(*args, cwd=folder)
        runner = CliRunner(env={**self.changed, **dict.fromkeys(self.unset)})
        write._PROCESS = uuid4().hex  # a record counts the runs of a process
        write._parts.clear()
        with contextlib.chdir(folder):
            done = runner.invoke(main, [*map(str, args)], prog_name="wynot", catch_exceptions=False)
        return Done(done.exit_code, done.stdout_bytes, done.stderr)

    def ended(self, process: subprocess.Popen[bytes], seconds: float = PATIENT * 2) -> Done:
        """Wait for the end of a `wynot`."""
        out, err = process.communicate(timeout=seconds)
        return Done(process.returncode, out or b"", (err or b"").decode())

    def living(self) -> list[int]:
        """The processes of this stage that are still there."""
        return carrying(self.tag)

    def assert_refused(self, line: str, code: int, says: str, hint: str) -> None:
        """A command line is refused with this exit code, says why, and what to type next."""
        done = self.here(*line.split())
        assert not done.crash
        assert done.code == code, done.err
        assert says in done.err
        assert hint in done.err.splitlines()[-1]
        self.assert_clean()

    def assert_clean(self) -> None:
        """No process and no work folder is left."""
        left = {pid: command_line(pid) for pid in self.living()}
        assert not left
        assert list(self.tmp.iterdir()) == []

    def clear(self) -> None:
        """End whatever is left, and close the pipes to it.

        Else the garbage collector complains of them, at any time: another test would fail.
        """
        while living := self.living():  # one may start another meanwhile
            for pid in living:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for process in self._started:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()


@contextlib.contextmanager
def open_stage(folder: Path) -> Iterator[Stage]:
    """A stage that is cleared in the end."""
    stage = Stage(folder)
    try:
        yield stage
    finally:
        stage.clear()


def unprivileged() -> tuple[str, ...] | str:
    """Words that run a command without root's rights; nothing where there are none; else why that cannot be done."""
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        return "runs as root and there is no setpriv"
    words = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    tried = subprocess.run([*words, *WYNOT, "--version"], capture_output=True, check=False, cwd="/")
    return words if tried.returncode == 0 else "others than root cannot run this Python"


def give_away(folder: Path) -> None:
    """Let nobody have a folder and all in it."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
