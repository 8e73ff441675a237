"""Keepers: processes that hold what is slow to start, a browser or a display, and replay what tests ask them to.

One for each worker. All listen at one socket; whoever is free takes the next recording. A keeper ends when the process
that started it does, however that ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from wynot.commands.recordings.replay_client import SOCKET
from wynot.commands.recordings.replay_settings import LOST, Replayer, ReplaySettings, replayer
from wynot.domains.recordings.recording_formats import read_recording
from wynot.errors import WynotError


@contextmanager
def keeping(form: str, how: ReplaySettings, program: Sequence[str], jobs: int) -> Iterator[None]:
    """Have keepers for as long as it takes; tests find them by a variable of the environment."""
    with (
        tempfile.TemporaryDirectory(prefix="wynot-keep-", ignore_cleanup_errors=True) as folder,
        socket.socket(socket.AF_UNIX) as door,
    ):
        place = f"{folder}/door"
        door.bind(place)
        door.listen(64)
        life, ours = os.pipe()
        words = [
            sys.executable,
            "-m",
            "wynot.commands.recordings.replay_server",
            str(door.fileno()),
            str(life),
            form,
            how.dumps(),
        ]
        started = [
            subprocess.Popen([*words, *program], pass_fds=[door.fileno(), life], start_new_session=True)
            for _ in range(jobs)
        ]
        os.close(life)
        os.environ[SOCKET] = place
        try:
            yield
        finally:
            del os.environ[SOCKET]
            os.close(ours)
            for keeper in started:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    keeper.wait(10)
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(keeper.pid, 9)
                keeper.wait()


def keep(door: socket.socket, life: int, form: str, how: ReplaySettings, program: Sequence[str]) -> None:
    """Replay whatever is asked for, until the one who started us is gone."""
    acting: Replayer | None = None
    door.setblocking(False)
    with selectors.DefaultSelector() as waiting:
        waiting.register(door, selectors.EVENT_READ)
        waiting.register(life, selectors.EVENT_READ)
        while not any(key.fd == life for key, _ in waiting.select()):
            with contextlib.suppress(BlockingIOError, OSError):  # another keeper was faster; the test was killed
                asking, _ = door.accept()
                asking.setblocking(True)
                with asking:
                    acting = acting or replayer(form, how, program)
                    _answer(asking, acting, life)
    shutil.rmtree(Path(door.getsockname()).parent, ignore_errors=True)  # if nobody else can do it any more
    if acting is not None:
        acting.close()


def _answer(asking: socket.socket, acting: Replayer, life: int) -> None:
    path = Path(asking.makefile("r").readline().strip())

    def wanted() -> bool:
        """Whether the test still waits for the answer."""
        with selectors.DefaultSelector() as looking:
            looking.register(asking, selectors.EVENT_READ)
            looking.register(life, selectors.EVENT_READ)
            return not looking.select(0)

    try:
        answer = acting.replay(read_recording(path.name, path.read_bytes()), wanted)
    except (WynotError, OSError, ValueError) as error:
        asking.sendall(json.dumps((LOST, f"it cannot be replayed: {error}")).encode())
        return
    asking.sendall(json.dumps(tuple(answer)).encode())


if __name__ == "__main__":
    _, _door, _life, _form, _how, *_program = sys.argv
    with socket.socket(fileno=int(_door)) as _listening, contextlib.suppress(KeyboardInterrupt):
        keep(_listening, int(_life), _form, ReplaySettings(**json.loads(_how)), _program)
