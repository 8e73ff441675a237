"""The program of `wynot trace`, as the options say: what it is, what it reads, where it runs, and when."""

from __future__ import annotations

import os
import select
import stat
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from wynot.cli.common import PROOF, make_options
from wynot.cli.oracle import full_words
from wynot.core.pasted import pasted
from wynot.errors import UsageError
from wynot.report.show import show
from wynot.run.inputs import read_file
from wynot.run.record.read import stdin_of
from wynot.run.trace.programs import program_of
from wynot.run.trace.record import Setting

PATIENCE = 10.0
"""Seconds to wait for something on standard input."""


def setting_of(given: dict[str, Any], command: tuple[str, ...]) -> Setting:
    """The program, what it reads, where, and in which world."""
    folder = given["folder"] or str(Path.cwd())
    if not Path(folder).is_dir():
        raise UsageError(f"{folder}: no such folder", f"make it: mkdir -p {pasted(folder)}")
    program = program_of(tuple(map(_node, full_words(command))))
    options = make_options(given)
    return Setting(
        program,
        read_stdin(given["stdin"], quiet=given["quiet"]),
        str(Path(folder).absolute()),
        given["include"],
        given["exclude"],
        given["seed"],
        _clock(given["clock"]),
        limits=options.limits,
        guarded=options.guarded,
        checkpoints=not given["no_checkpoints"],
    )


def _clock(text: str | None) -> int:
    """A time in nanoseconds. Noon, unless told: so the same command goes on where it was, all day."""
    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    try:
        start = noon if text is None else datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        raise UsageError(f"--clock: {text!r} is no time", "for example: --clock 2026-01-31T18:30") from None
    return int(start.timestamp()) * 10**9


def _node(word: str) -> str:
    """A test of a file, as pytest names it, with the full path of the file."""
    path, two, rest = word.partition("::")
    return f"{Path(path).absolute()}::{rest}" if two and Path(path).is_file() else word


def read_stdin(path: str | None, *, quiet: bool) -> bytes:
    """What the program reads."""
    if path is not None:
        return read_file(Path(path))
    proof = PROOF.get()
    if proof is not None:
        return stdin_of(proof.run)
    try:
        fd = sys.stdin.fileno()
        mode = os.fstat(fd).st_mode
    except (OSError, ValueError, AttributeError):
        return b""
    if sys.stdin.isatty() or stat.S_ISCHR(mode):
        return b""
    if not stat.S_ISREG(mode) and not select.select([fd], [], [], PATIENCE)[0]:
        if not quiet:
            show("nothing comes on standard input: taken for empty (else: --stdin FILE)", err=True)
        return b""
    return sys.stdin.buffer.read()
