"""Every reader, in the order they are tried, and those that users bring."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from wynot.oracles.readers import (
    abort,
    asan,
    clang,
    dotnet,
    gcc,
    gdb,
    go,
    java,
    libfuzzer,
    node,
    pytest,
    python,
    rust,
    ubsan,
    valgrind,
)
from wynot.oracles.signature import Diagnosis, FailureReader

GROUP = "wynot.readers"

# The most specific first. Tools that watch a program know more than its own last words, which they print as well:
# libFuzzer shows sanitizers' reports, gdb and Valgrind the program's output. A sanitizer's report is the end of the
# program, where undefined behaviour may be told on the way. Then compilers: `internal compiler error` is Rust's and
# Go's by what stands around it, and GCC's otherwise; LLVM's assertions come with a stack. A runtime's exception may
# only repeat what a compiler or native code that it called has said. A line by the C library tells the least.
READERS: tuple[FailureReader, ...] = (
    libfuzzer,
    gdb,
    valgrind,
    asan,
    ubsan,
    clang,
    rust,
    go,
    gcc,
    pytest,
    python,
    java,
    dotnet,
    node,
    abort,
)


def diagnose(text: str, extra: Sequence[FailureReader] = ()) -> Diagnosis | None:
    """What the first reader that understands this output (standard error, then standard output) says of it.

    The readers in `extra` are asked first, then those of plug-ins: whoever brings a reader knows the program.
    """
    theirs = (*extra, *plugins())
    return next(_answers(theirs, text), None) or next(filter(None, (reader.read(text) for reader in READERS)), None)


def _answers(readers: Sequence[FailureReader], text: str) -> Iterator[Diagnosis]:
    for reader in readers:
        try:
            answer = reader.read(text)
        except Exception as error:  # noqa: BLE001 - someone else's code: the search goes on without it
            _warn(f"the reader {reader.name!r} failed: {type(error).__name__}: {error}")
            continue
        if answer is not None:
            yield answer


@cache
def plugins() -> tuple[FailureReader, ...]:
    """The readers of installed packages, by the entry-point group `wynot.readers`; loaded at first use."""
    loaded = (_load(entry) for entry in sorted(entry_points(group=GROUP)))
    return tuple(reader for reader in loaded if reader is not None)


def _load(entry: EntryPoint) -> FailureReader | None:
    try:
        reader = entry.load()
    except Exception as error:  # noqa: BLE001 - whatever its import raises, it is one reader less
        _warn(f"the reader plug-in {entry.name!r} ({entry.value}) cannot be loaded: {type(error).__name__}: {error}")
        return None
    if not isinstance(getattr(reader, "name", None), str) or not callable(getattr(reader, "read", None)):
        _warn(
            f"the reader plug-in {entry.name!r} ({entry.value}) is not a reader: it needs `name` and a `read` function"
        )
        return None
    found: FailureReader = reader
    return found


def _warn(message: str) -> None:
    warnings.warn(f"{message}; it is left out", RuntimeWarning, stacklevel=3)
