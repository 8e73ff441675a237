"""Waiting for file descriptors."""

from __future__ import annotations

import os

from wynot.engine.executors.process import Poll


def test_who_can_be_read_from_is_told() -> None:
    """What was written, and what was closed; what is not watched any more is not told, however often it is dropped."""
    watch = Poll[str]()
    (silent, kept), (read, write), (over, closed) = os.pipe(), os.pipe(), os.pipe()
    for fd, whose in ((silent, "silent"), (read, "read"), (over, "over")):
        watch.add(fd, whose)
    assert watch.wait(0) == []
    os.write(write, b"x")
    os.close(closed)
    assert watch.wait(None) == [(read, "read"), (over, "over")]
    watch.drop(read)
    watch.drop(read)
    assert watch.wait(0.001) == [(over, "over")]
    for fd in (silent, kept, read, write, over):
        os.close(fd)
