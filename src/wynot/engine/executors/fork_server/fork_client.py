"""The executor's end of a fork server: starts it, and has it start programs."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
from pathlib import Path

from wynot.engine.executors.fork_server.forkable_program import ForkableProgram
from wynot.engine.executors.orphans import mark_process
from wynot.errors import PlaceError

_ZYGOTE = str(Path(__file__).with_name("zygote.py"))
_PATIENCE = 60.0
Env = dict[bytes, bytes]


class ForkedProcess:
    """A process that is ours by adoption; as much of `subprocess.Popen` as the executor uses."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def wait(self) -> int:
        """Its exit code, or minus the signal that ended it."""
        if self._code is None:
            self._code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self._code


class ForkServer:
    """A fork server for one program. Whoever starts it must adopt orphans (engine.executors.orphans)."""

    def __init__(self, program: ForkableProgram, env: Env, preload: tuple[str, ...] = ()) -> None:
        self.program = program
        self.record: int | None = None
        """Where the next program is to say which modules it has imported."""
        ours, theirs = socket.socketpair()
        self._channel = ours
        ours.settimeout(_PATIENCE)
        given = json.dumps([program.kind, program.name, preload])
        with theirs:
            self._process = subprocess.Popen(
                (*program.python, _ZYGOTE, str(theirs.fileno()), given),
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        try:
            line = self._line()
        except OSError:
            line = b""
        except BaseException:  # a signal may come at any moment
            self.close()
            raise
        self.trouble: str = json.loads(line) if line else "it could not be started"
        """What speaks against it; nothing if it is ready."""

    @property
    def pid(self) -> int:
        """The server's own process."""
        return self._process.pid

    def _line(self) -> bytes:
        data = bytearray()
        while not data.endswith(b"\n"):
            piece = self._channel.recv(4096)
            if not piece:
                return b""
            data += piece
        return bytes(data)

    def serves(self, argv: tuple[str, ...]) -> bool:
        """Whether this command is to be started here."""
        return argv[: self.program.first] == self.program.words

    def start(
        self, words: tuple[str, ...], folder: str, env: Env, memory: int | None, files: tuple[int, ...]
    ) -> ForkedProcess:
        """Start the program with these words in this folder: input, output and errors go to these files."""
        mark_process(self.pid, env)
        name = self.program.name
        call = {
            "argv": [name if self.program.kind == "script" else "-m", *words[self.program.first :]],
            "folder": folder,
            "env": [(key.hex(), value.hex()) for key, value in env.items()],
            "memory": memory,
        }
        body = json.dumps(call).encode()
        try:
            more = () if self.record is None else (self.record,)
            socket.send_fds(self._channel, [len(body).to_bytes(8, "big")], [*files, *more])
            self._channel.sendall(body)
            line = self._line()
        except OSError:
            line = b""
        if not line.strip():
            raise PlaceError(f"the fork server of {name} has died", "leave out --server")
        return ForkedProcess(int(line))

    def close(self) -> None:
        """End the server."""
        self._channel.close()
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
