"""Stacks, as the readers hand them on: the program's own functions, the innermost first, a cycle shown once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wynot.oracles.normalise import clean_frame

_LONGEST_CYCLE = 24


class StackFrame(NamedTuple):
    """One line of a stack trace, before it is judged."""

    function: str
    """As printed; empty where the program has no name for it."""
    place: str = ""
    """`file:line`, where known."""
    home: str = ""
    """What names it if nothing else does: `prog+0x1a2b`, an address."""


class StackTrace(NamedTuple):
    """What is kept of a stack trace."""

    frames: tuple[str, ...] = ()
    place: str = ""


# Below the program: how a crash is noticed and told, and how a C program is started. None of it tells failures apart.
MACHINERY = re.compile(
    r"""(?:_*GI_)?_*(?:raise|abort|gsignal|pthread_kill\w*|libc_start\w*|call_init|start|start_thread|clone3?|assert_\w*
            |libc_message\w*|malloc_printerr|fortify_fail\w*|chk_fail|stack_chk_fail\w*|int_free|kill|tgkill|restore_rt)(?:\.cold)?$
      | <signal\ handler\ called>
      | __interceptor_ | ___?interceptor_ | __(?:asan|msan|tsan|ubsan|lsan|sanitizer)_ | __(?:asan|sanitizer)::
      | operator\ (?:new|delete)(?:\[\])?$
      | __cxa_(?:re)?throw | __verbose_terminate | __gnu_cxx::__verbose | __cxxabiv1:: | std::(?:__)?terminate
      | std::__(?:throw_|glibcxx_assert_fail)
      | fuzzer:: | crash_signal | fancy_abort | internal_error | diagnostic_
      | llvm::(?:sys::|report_fatal_error|llvm_unreachable_internal|CrashRecovery) | SignalHandler | CrashRecoverySignal
      | PrintStackTraceSignalHandler
    """,
    re.VERBOSE,
)
_LIBC = re.compile(
    r"(?:\.{1,2}/)?(?:nptl|libio|csu|sysdeps|stdio-common)/|(?:\./)?(?:\w+/)?\.\./sysdeps/|(\w+)/\./\1/|\./malloc/malloc\.c|\S*/libsanitizer/"
    r"|\S*\b(?:libc|libpthread|ld-linux[\w-]*|libstdc\+\+|libgcc_s)(?:\.so|-\d)"
)
_OUTERMOST = frozenset({"main", "LLVMFuzzerTestOneInput"})


def native(frames: Iterable[StackFrame]) -> StackTrace:
    """A compiled program's stack, from its crash to its `main`.

    Functions without a name are left out as long as any other has one; else they go by where they are.
    """
    kept: list[StackFrame] = []
    for frame in frames:
        name = clean_frame(frame.function)
        if MACHINERY.match(name) or _LIBC.match(frame.place or frame.home):
            continue
        kept.append(frame._replace(function=name))
        if name in _OUTERMOST:
            break
    named = [frame for frame in kept if frame.function]
    names = [frame.function or frame.home.rpartition("/")[2] for frame in named or kept]
    return StackTrace(collapse([name for name in names if name]), next((frame.place for frame in named), ""))


def collapse(names: Sequence[str]) -> tuple[str, ...]:
    """Repetitions shown once: how deep a recursion went says nothing about the failure.

    >>> collapse(["odd", "even", "odd", "even", "odd", "main"])
    ('odd', 'even', 'main')
    """
    kept: list[str] = []
    at = 0
    while at < len(names):
        period = _period(names, at)
        kept.extend(names[at : at + period])
        start, at = at, at + period
        if names[at : at + period] == names[start:at]:
            while at < len(names) and names[at] == names[at - period]:
                at += 1
    return tuple(kept)


def _period(names: Sequence[str], at: int) -> int:
    """The length of the shortest cycle that begins here and comes again at once; 1 if there is none."""
    for period in range(1, _LONGEST_CYCLE):
        cycle = names[at : at + period]
        if len(cycle) == period and names[at + period : at + 2 * period] == cycle:
            return period
    return 1


_LINE = re.compile(r"^ *#\d+ +(?:0x[0-9a-f]+ +)?(?:in )?(?P<rest>.*)$", re.MULTILINE)
_HOME = re.compile(r" ?\((?P<home>[^()\s]+\+0x[0-9a-f]+)\)(?: \(BuildId: \w+\))?$")
_PLACE = re.compile(r" (?P<place>[^\s()]+?:\d+)(?::\d+)?$")


def llvm_frames(trace: str) -> Iterable[StackFrame]:
    """The lines ` #4 0x... in f(int) file:line:column` of sanitizers, and LLVM's own ` #4 0x... f(int) (lib+0x...)`."""
    for line in _LINE.finditer(trace):
        rest = line["rest"]
        home = _HOME.search(rest)
        rest = rest[: home.start()] if home else rest
        place = _PLACE.search(f" {rest}")
        rest = rest[: max(0, place.start() - 1)] if place else rest
        where = home["home"] if home else ""
        yield StackFrame(
            rest.removesuffix(" <null>"), place["place"] if place and not place["place"].endswith(":0") else "", where
        )


def paragraph(text: str, start: int) -> str:
    """From here to the next empty line."""
    end = text.find("\n\n", start)
    return text[start:] if end < 0 else text[start:end]
