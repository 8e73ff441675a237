"""What the benchmarks share: running programs and measuring them, trivial tests, tables, arguments."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MEMORY = Path("/dev/shm")


@dataclass(frozen=True, slots=True)
class Run:
    """How a program ended and what it and its children took: seconds, seconds of processors; peak memory of one, MB."""

    exit: int
    stdout: str
    stderr: str
    wall: float
    cpu: float
    peak: float

    def json(self) -> dict[str, Any]:
        """What it printed, where that is one JSON object; else its complaint, as an error."""
        try:
            found: dict[str, Any] = json.loads(self.stdout)
        except ValueError:
            said = self.stderr.strip().splitlines() or ["nothing"]
            raise SystemExit(f"exit {self.exit}, and no JSON but: {said[-1]}") from None
        return found


def run(argv: Sequence[str | Path], env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Run:
    """Run a program to its end; its output goes to files, so that nobody waits for a pipe."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        begun = time.perf_counter()
        child = subprocess.Popen(
            list(map(str, argv)), env={**os.environ, **(env or {})}, cwd=cwd,
            stdin=subprocess.DEVNULL, stdout=out, stderr=err,
        )  # fmt: skip
        try:
            _pid, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            child.terminate()
            child.wait()
            raise
        wall = time.perf_counter() - begun
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        cpu = usage.ru_utime + usage.ru_stime
        return Run(child.returncode, out.read(), err.read(), wall, cpu, usage.ru_maxrss / 1024)


def program(name: str) -> str:
    """A command of this Python's environment, else one on the PATH."""
    beside = Path(sysconfig.get_path("scripts")) / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise SystemExit(f"{name}: no such program; install what the benchmarks need: pip install -e '.[bench]'")
    return found


def write_script(path: Path, text: str) -> Path:
    """A program from its text."""
    path.write_text(text)
    path.chmod(0o755)
    return path


def compiled(path: Path, source: str, *options: str) -> Path:
    """A program from its C text."""
    code = path.with_suffix(".c")
    code.write_text(source)
    subprocess.run(["gcc", "-O2", *options, "-o", path, code], check=True)
    return path


@contextlib.contextmanager
def work_folder(parent: str | Path | None = None) -> Iterator[Path]:
    """A private folder, gone afterwards: in memory where there is some, unless told otherwise."""
    chosen = parent if parent is not None else MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="bench-", dir=chosen) as folder:
        yield Path(folder)


@contextlib.contextmanager
def wynot_home(given: str | None) -> Iterator[dict[str, str]]:
    """An environment in which journals go to a folder of their own, on the disk for temporary files."""
    with tempfile.TemporaryDirectory(prefix="bench-home-", dir=given) as folder:
        yield {"WYNOT_HOME": folder}


def median(values: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def table(heads: Sequence[str], rows: Sequence[Sequence[object]], left: int = 1) -> str:
    """A Markdown table; the first `left` columns are words, the others numbers."""
    cells = [list(heads), *([cell(value) for value in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(heads))]
    rule = ["-" * w if i < left else "-" * (w - 1) + ":" for i, w in enumerate(widths)]

    def line(row: Sequence[str]) -> str:
        sized = zip(row, widths, strict=True)
        return "| " + " | ".join(c.ljust(w) if i < left else c.rjust(w) for i, (c, w) in enumerate(sized)) + " |"

    return "\n".join([line(cells[0]), line(rule), *map(line, cells[1:])])


def cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "NO"
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.1f}" if abs(value) >= 100 else f"{value:.2f}"
    return str(value)


def parser(description: str | None, *, json: bool = True) -> argparse.ArgumentParser:
    """Arguments that every benchmark has. Stopped by SIGTERM, it ends what it runs and removes its folders."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    if json:
        made.add_argument("--json", metavar="FILE", type=Path, help="also write the figures as JSON")
    return made


def numbers(text: str) -> list[int]:
    """Numbers with commas between: 100,1000 (10^4 is understood, too)."""
    return [int(base) ** int(power or 1) for base, _, power in (word.partition("^") for word in text.split(","))]


def words(text: str) -> list[str]:
    """Words with commas between."""
    return text.split(",")


def tell(text: str = "") -> None:
    """Print a part of the result now."""
    print(text, flush=True)


def progress(text: str) -> None:
    """Say what is going on, apart from the result."""
    print(text, file=sys.stderr, flush=True)


def save(path: Path | None, figures: object) -> None:
    """Write the figures, if that was asked for."""
    if path is not None:
        path.write_text(json.dumps({"machine": machine(), "figures": figures}, indent=1) + "\n")


def machine() -> dict[str, object]:
    """What the figures depend on."""
    return {
        "processors": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[0], 2),
        "python": sys.version.split()[0],
        "system": " ".join(os.uname()[i] for i in (0, 2, 4)),
    }
