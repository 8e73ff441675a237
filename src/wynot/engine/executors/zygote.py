"""The program that is forked for each test. The user's own Python runs it: standard library only, nothing of ours.

It imports what the program imports, then waits for calls on a socket. Each call becomes a process of its own in which
the program begins as if Python had just been started. Its parent is gone by then: whoever adopts orphans (the executor)
has it for a child. The call's words, environment and folder come with the files for its input and output.
"""

from __future__ import annotations

import gc
import io
import json
import os
import socket
import sys
import threading

_OWN = __file__
_OURS = 4
"""Calls that are under way below the program's own first one; it may go as deep as ever."""


def serve(channel: socket.socket, preload: list[str]) -> dict[str, object] | None:
    """Import, say how that went, then fork for each call; gives the call, in its own process."""
    trouble = _imported(preload)
    channel.sendall(json.dumps(trouble).encode() + b"\n")
    if trouble:
        return None
    gc.collect()
    gc.freeze()
    while True:
        call, files = _received(channel)
        if call is None:
            return None
        told, tell = os.pipe()
        between = os.fork()
        if between:
            for file in (*files, tell):
                os.close(file)
            os.waitpid(between, 0)
            channel.sendall(os.read(told, 20) + b"\n")
            os.close(told)
            continue
        if os.fork():
            os._exit(0)
        channel.close()
        os.setsid()
        os.write(tell, b"%d" % os.getpid())
        os.close(told)
        os.close(tell)
        _become(call, files)
        return call


def _imported(preload: list[str]) -> str:
    """Import these; gives what speaks against it, or nothing."""
    out, err = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = printed = io.StringIO()
    try:
        for name in preload:
            try:
                __import__(name)
            except BaseException:  # noqa: BLE001, S112 - the program will see for itself
                continue
    finally:
        sys.stdout, sys.stderr = out, err
    if printed.getvalue():
        return "its modules print something when they are imported"
    if threading.active_count() > 1:
        return "its modules start threads when they are imported"
    return ""


def _received(channel: socket.socket) -> tuple[dict[str, object] | None, list[int]]:
    data, files, _, _ = socket.recv_fds(channel, 8, 4)
    body, length = bytearray(), int.from_bytes(data, "big")
    while data and len(body) < length:
        piece = channel.recv(length - len(body))
        if not piece:
            return None, []
        body += piece
    return (json.loads(body) if data else None), list(files)


def _become(call: dict[str, object], files: list[int]) -> None:
    """The process of a call: its files, folder, environment and limits."""
    for place, file in enumerate(files[:3]):
        os.dup2(file, place)
        os.close(file)
    os.chdir(str(call["folder"]))
    os.environ.clear()
    env: list[tuple[str, str]] = call["env"]  # type: ignore[assignment]
    for name, value in env:
        os.environb[bytes.fromhex(name)] = bytes.fromhex(value)
    if call["memory"]:
        import resource  # noqa: PLC0415 - only where it is needed: modules that are there can be seen

        most = int(str(call["memory"]))
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    if "tempfile" in sys.modules:
        sys.modules["tempfile"].tempdir = None  # type: ignore[attr-defined]
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()
    if len(files) > 3:
        import atexit  # noqa: PLC0415

        os.set_inheritable(files[3], False)
        atexit.register(_record, files[3])


def _record(file: int) -> None:
    """Say which modules the program has imported, and where they are."""
    found = [(name, getattr(module, "__file__", None)) for name, module in list(sys.modules.items())]
    data = json.dumps([each for each in found if isinstance(each[0], str)]).encode()
    while data:
        data = data[os.write(file, data) :]


def run(kind: str, name: str, argv: list[str]) -> None:
    """Do as Python itself does when it is given this program."""
    sys.argv = list(argv)
    main = type(sys)("__main__")
    main.__dict__["__builtins__"] = sys.modules["builtins"]
    if sys.version_info < (3, 14):
        main.__annotations__ = {}
    sys.modules["__main__"] = main
    sys.setrecursionlimit(sys.getrecursionlimit() + _OURS)
    try:
        if kind == "module":
            import runpy  # noqa: PLC0415

            runpy._run_module_as_main(name)  # type: ignore[attr-defined] # noqa: SLF001 - what `python -m` does
        else:
            from importlib.machinery import SourceFileLoader  # noqa: PLC0415

            main.__file__, main.__spec__ = name, None
            main.__dict__["__cached__"] = None
            main.__loader__ = SourceFileLoader("__main__", name)
            with open(name, "rb") as file:  # noqa: PTH123 - as few modules as can be
                source = file.read()
            exec(compile(source, name, "exec", dont_inherit=True), main.__dict__)  # noqa: S102 - that is what it is for
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - as Python does
        _died(error)


def _died(error: BaseException) -> None:
    """An exception that nobody caught: told as Python tells it, without what is ours."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == _OWN:
        trace = trace.tb_next
    error.__traceback__ = trace
    sys.excepthook(type(error), error, trace)
    if isinstance(error, KeyboardInterrupt):
        import signal  # noqa: PLC0415

        sys.stdout.flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    raise SystemExit(1)


def begin() -> None:
    """Serve, and be the program in each process that comes of it."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    kind, name, preload = json.loads(sys.argv[2])
    safe = getattr(sys.flags, "safe_path", False)
    if not safe:
        sys.path[0] = os.path.dirname(os.path.realpath(name)) if kind == "script" else ""  # noqa: PTH120
    call = serve(channel, preload)
    if call is None:
        os._exit(0)
    if not safe and kind == "module":
        sys.path[0] = os.getcwd()  # noqa: PTH109
    argv: list[str] = call["argv"]  # type: ignore[assignment]
    run(kind, name, argv)


if __name__ == "__main__":
    begin()
