"""A display of one's own: Xvfb, for as long as it is needed."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wynot.errors import PlaceError

_LOCKS = Path("/tmp")  # noqa: S108 - where X servers keep them


@contextmanager
def own_display(screen: str) -> Iterator[str]:
    """Start an X server without a screen; gives its name, such as `:7`."""
    read, write = os.pipe()
    words = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{screen}x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(words, pass_fds=[write], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    os.close(write)
    try:
        number = os.read(read, 16).decode().strip()
        if not number:
            raise PlaceError(f"Xvfb does not start with a screen of {screen}", "try it by hand: Xvfb :99")
        yield f":{number}"
    finally:
        os.close(read)
        server.terminate()
        try:
            server.wait(5)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def stale_displays() -> set[str]:
    """The displays whose server is gone: one that was killed leaves its lock and its socket behind."""
    stale = set()
    for lock in _LOCKS.glob(".X*-lock"):
        with contextlib.suppress(OSError, ValueError):
            if not Path(f"/proc/{int(lock.read_text())}").exists():
                stale.add(lock.name.removeprefix(".X").removesuffix("-lock"))
    return stale


def sweep_displays(before: set[str]) -> None:
    """Remove what servers that were killed since then have left behind."""
    for number in stale_displays() - before:
        for path in (_LOCKS / f".X{number}-lock", _LOCKS / ".X11-unix" / f"X{number}"):
            with contextlib.suppress(OSError):
                path.unlink()
