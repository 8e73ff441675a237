"""Rust panics, and rustc's internal compiler errors, which are panics too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wynot.oracles.readers.stack_frames import collapse
from wynot.oracles.signature import Diagnosis

name = "rust"

_OLD = r"'(?P<quoted>.{0,4000}?)', (?P<old>[^\s']+?:\d+):\d+$"
_NEW = r"(?P<new>\S+?:\d+):\d+:\n(?P<line>.*)$"
_PANIC = re.compile(rf"^thread '[^'\n]*'(?: \(\d+\))? panicked at (?:{_NEW}|(?s:{_OLD}))", re.MULTILINE)
_OVERFLOW = re.compile(r"^thread '[^'\n]*'(?: \(\d+\))? has overflowed its stack$", re.MULTILINE)
_ICE = re.compile(r"^error: internal compiler error: (?:(?P<place>\S+?:\d+):\d+: )?(?P<message>.*)$", re.MULTILINE)
_DELAYED = re.compile(r"^ +(?:=|\|) note: delayed at (?P<place>\S+?:\d+):\d+", re.MULTILINE)
_FRAME = re.compile(r" +\d+: +(?:0x[0-9a-f]+ - )?(?P<function>.+)$")
_MANGLED = re.compile(r"::h[0-9a-f]{16}$|(?<=\w)\[[0-9a-f]{16}\]")
_MACHINERY = re.compile(
    r"<unknown>|(?:__rustc::)?rust_begin_unwind|__rust_try|core::ops::function::FnOnce::call_once$"
    r"|<*(?:std::(?:panic|backtrace_rs|sys|io|rt)|core::(?:panicking|fmt|(?:result|option)::(?:unwrap|expect)_failed))"
)
_AFTERMATH = ("Box<dyn Any>", "unexpected panic", "no errors encountered even though")


def read(text: str) -> Diagnosis | None:
    """The first panic: later ones come of it. The query stack tells of the input and is left out."""
    compiler = _ICE.search(text) is not None or "the compiler unexpectedly panicked" in text
    kind = "internal compiler error" if compiler else "panic"
    for panic in _PANIC.finditer(text):
        message = panic["line"] if panic["new"] else panic["quoted"].partition("\n")[0]
        if not message.startswith(_AFTERMATH):
            return Diagnosis(name, kind, message, _frames(text, panic.end()), panic["new"] or panic["old"])
    for error in _ICE.finditer(text):
        if not error["message"].startswith(_AFTERMATH):
            delayed = _DELAYED.search(text, error.end())
            return Diagnosis(name, kind, error["message"], (), error["place"] or (delayed["place"] if delayed else ""))
    return Diagnosis(name, "stack overflow") if _OVERFLOW.search(text) else None


def _frames(text: str, start: int) -> tuple[str, ...]:
    """The backtrace of the panic that ends here, if it was printed (RUST_BACKTRACE)."""
    again = _PANIC.search(text, start)
    trace = text[start : again.start() if again else len(text)].partition("\nstack backtrace:\n")[2]
    return collapse(list(_own(trace)))


def _own(trace: str) -> Iterator[str]:
    for line in trace.splitlines():
        if not line.startswith(" "):
            return
        if frame := _FRAME.match(line):
            function = _MANGLED.sub("", frame["function"])
            if "__rust_begin_short_backtrace" in function:
                return
            if not _MACHINERY.match(function):
                yield function
