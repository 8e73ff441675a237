"""The other reducers: how each is found, installed and called. Where there is a choice they have the better one.

All are told the same number of jobs; lithium and delta run one test at a time, whatever they are told.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import syntax
from common import progress

HOME = Path.home() / ".cache" / "wynot-peers"
C_LIKE = frozenset({"c", "c++"})
BRACES = C_LIKE | {"c#", "css", "go", "java", "javascript", "rust", "solidity", "typescript"}


@dataclass(frozen=True, slots=True)
class Job:
    """What a tool is to do: reduce the input, in the folder it is in, its own copy; or write to the output."""

    input: Path
    output: Path
    test: Path
    jobs: int
    language: str

    @property
    def word(self) -> str:
        return syntax.key(self.language)


@dataclass(frozen=True, slots=True)
class Peer:
    """A reducer; `wheel` and `more` are for pip, else `debian` is for apt."""

    name: str
    program: str
    argv: Callable[[str, Job], Sequence[str | Path]]
    in_place: bool
    wheel: str = ""
    more: tuple[str, ...] = ()  # with these, the wheel's own dependencies are left alone
    python: tuple[int, int] = (3, 11)
    debian: str = ""
    only: frozenset[str] = frozenset()

    def path(self) -> str | None:
        """Where the program is: in this environment, on the PATH, or where --install puts it."""
        folders = (sysconfig.get_path("scripts"), os.environ.get("PATH", ""), str(HOME / self.name / "bin"))
        return next((found for folder in folders if (found := shutil.which(self.program, path=folder))), None)

    @property
    def missing(self) -> str:
        """What to do about it."""
        return f"apt-get install {self.debian}" if self.debian else "compare.py --install"

    def suits(self, language: str) -> bool:
        return not self.only or syntax.key(language) in self.only

    def version(self, program: str) -> str:
        if self.debian:
            return _said(["dpkg-query", "-W", "-f=${Version}", self.debian]) or _said([program, "--version"])
        name = self.wheel.partition("==")[0]
        python = Path(program).resolve().parent / "python"
        return _said([python, "-c", f"import importlib.metadata as m; print(m.version({name!r}))"])

    def install(self) -> None:
        """An environment of its own."""
        if self.debian:
            progress(f"{self.name}: {self.missing}")
            return
        folder = HOME / self.name
        subprocess.run([_python(self.python), "-m", "venv", folder], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if self.more:
            subprocess.run([*pip, *self.more], check=True)
        subprocess.run([*pip, *["--no-deps"] * bool(self.more), self.wheel], check=True)


def _said(argv: Sequence[str | Path]) -> str:
    try:
        done = subprocess.run(list(map(str, argv)), capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return next(iter(done.stdout.strip().splitlines()), "") if done.returncode == 0 else ""


def _python(least: tuple[int, int]) -> Path:
    """A Python of this version or a later one."""
    if sys.version_info[:2] >= least:
        return Path(sys.executable)
    for minor in range(least[1], least[1] + 4):
        name = f"python3.{minor}"
        for path in (*Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/{name}"), shutil.which(name)):
            if path and _said([path, "--version"]):  # pyenv has a file on the PATH that does not run
                return Path(path)
    raise SystemExit(f"no Python {least[0]}.{least[1]} or later; install one")


def _picire(program: str, job: Job) -> list[str | Path]:
    """By lines, then by characters."""
    try:
        job.input.read_bytes().decode()
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = "latin-1"  # one byte, one character
    parallel = ["--parallel", "-j", str(job.jobs)] if job.jobs > 1 else []
    return [program, "-i", job.input, "--test", job.test, "-o", job.output.parent, "--encoding", encoding,
            "--atom", "both", *parallel]  # fmt: skip


def _lithium(program: str, job: Job) -> list[str | Path]:
    """By lines, then by characters; the atom comes first, after another option it is not heard."""
    condition = Path(__file__).with_name("lithium_exit.py")
    steps = [
        f"mkdir {atom} && {program} --{atom} --tempdir {atom} {condition} {shlex.quote(str(job.test))} {job.input.name}"
        for atom in ("lines", "char")
    ]
    return ["sh", "-c", "; ".join(steps)]  # it exits 1 where nothing could be left out


def _cvise(program: str, job: Job) -> list[str | Path]:
    plain = [] if job.word in C_LIKE else ["--not-c"]
    return [program, "--n", str(job.jobs), "--tidy", *plain, job.test, job.input.name]


def _creduce(program: str, job: Job) -> list[str | Path]:
    return [*_cvise(program, job)]


def _delta(program: str, job: Job) -> list[str | Path]:
    """By lines; before that, where there are braces, one form to a line at the levels that its guide names."""
    levels = "0 1 2 10 lines" if job.word in BRACES and shutil.which("topformflat") else "lines"
    name, suffix = shlex.quote(job.input.name), shlex.quote(job.input.suffix or ".txt")
    text = f"""
        for level in {levels}; do
            if [ $level = lines ]; then cp {name} flat; else topformflat $level <{name} >flat; fi
            {program} -quiet -test={shlex.quote(str(job.test))} -suffix={suffix} -cp_minimal=minimal flat &&
            cp minimal {name}
        done"""
    return ["sh", "-c", text]


def _shrinkray(program: str, job: Job) -> list[str | Path]:
    options = "--no-llm --no-history --ui basic --volume quiet --input-type arg --formatter none --trivial-is-not-error"
    launch = [Path(program).resolve().parent / "python", Path(__file__).with_name("shrinkray_local.py")]
    return [*launch, "--parallelism", str(job.jobs), *options.split(), job.test, job.input.name]


def _ddsmt(program: str, job: Job) -> list[str | Path]:
    return [program, "-j", str(job.jobs), "--ignore-output", job.input, job.output, job.test]


# Without llama-cpp-python, which has no wheel and is not used without a language model; the grammars come in a wheel.
_SHRINKRAY_NEEDS = (
    "click>=8.2.1", "chardet>=5.2", "trio>=0.28", "textual>=8", "textual-plotext>=1.0.1", "humanize>=4.9",
    "libcst>=1.8.4", "exceptiongroup>=1.2", "binaryornot>=0.4.4", "black>=24.1", "tree-sitter>=0.26",
    "tree-sitter-language-pack==0.13.0",
)  # fmt: skip

PEERS = (
    Peer("picire", "picire", _picire, in_place=False, wheel="picire==21.8"),
    Peer("lithium", "lithium", _lithium, in_place=True, wheel="lithium-reducer==4.0.0"),
    Peer("cvise", "cvise", _cvise, in_place=True, debian="cvise"),
    Peer("creduce", "creduce", _creduce, in_place=True, debian="creduce"),
    Peer("delta", "singledelta", _delta, in_place=True, debian="delta"),
    Peer("shrinkray", "shrinkray", _shrinkray, in_place=True, wheel="shrinkray==26.9.13.0", more=_SHRINKRAY_NEEDS,
         python=(3, 12)),
    Peer("ddsmt", "ddsmt", _ddsmt, in_place=False, wheel="ddsmt==2.0.6", only=frozenset({"smt-lib"})),
)  # fmt: skip
