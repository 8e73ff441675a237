"""Which versions a run was made with: ours, the machine's, and the tested program's where it is cheap to know."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

from wynot.oracles.protocol import Oracle
from wynot.oracles.script import Script
from wynot.oracles.wrapper import Wrapper
from wynot.version import __version__

TELLING = frozenset(
    {
        "cc", "gcc", "g++", "c++", "clang", "clang++", "rustc", "tcc", "gfortran", "solc", "go", "node", "python",
        "perl", "ruby", "php", "lua", "sqlite", "bash",
    }
)  # fmt: skip
"""Programs that are known to print their version, and to do nothing else, when they are asked for it."""
ASKING = {"go": "version"}
PATIENCE = 2.0


def versions(oracle: Oracle | None) -> dict[str, str]:
    """All that is known at once."""
    system = os.uname()
    found = {
        "wynot": __version__,
        "python": platform.python_version(),
        "system": f"{system.sysname} {system.release} {system.machine}",
    }
    program = program_of(oracle)
    if program:
        found["program"] = program
    return found


def program_of(oracle: Oracle | None) -> str:
    """The path of the program, or the script, that is run by tests; nothing where that is not known."""
    inner: object = oracle
    while isinstance(inner, Wrapper):
        inner = inner.inner
    if isinstance(inner, Script):
        return inner.path
    from wynot.oracles.command import Command  # noqa: PLC0415 - where there is one, it is loaded

    if isinstance(inner, Command) and inner.argv:
        word = (inner.typed or inner.argv)[0]
        return shutil.which(word) or word
    return ""


def asked(program: str) -> str:
    """The first line that a well-known program says of its version; nothing for others: who knows what they would do.

    >>> asked("/no/such/program")
    ''
    """
    name = Path(program).name.rstrip("0123456789.-")
    if name not in TELLING and Path(program).name not in TELLING:
        return ""
    words = [program, ASKING.get(name, "--version")]
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False, text=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0][:200] if lines and done.returncode == 0 else ""
