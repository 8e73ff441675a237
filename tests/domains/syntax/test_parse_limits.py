"""Texts that take a parser too long, and signals while it parses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.domains.syntax.files import sample, sample_path, spoilt
from wynot.domains.changes.group_tree import Definitions
from wynot.domains.syntax import incremental_parse
from wynot.domains.syntax.adapters.tree_sitter_adapter import TreeSitterLanguage
from wynot.domains.syntax.incremental_parse import MAX_READS_PER_PIECE, MAX_UNLIMITED, ParseLimitError, parse
from wynot.domains.syntax.language_loading import load
from wynot.domains.syntax.language_table import GRAMMARS
from wynot.domains.syntax.syntax_tree import OUTLINE

OPENED = b"/*" * 20_000
"""Comments in comments, none of which ends: Kotlin and Swift read the whole rest of the text at each of them."""


class Alarm(Exception):  # noqa: N818
    """Raised by a signal handler, as KeyboardInterrupt is."""


@contextmanager
def alarm_in(seconds: float) -> Iterator[None]:
    def ring(_number: int, _frame: object) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def language(name: str) -> TreeSitterLanguage:
    """What reads a language, without what protects it from texts that it cannot read."""
    found = load(name)
    while not isinstance(found, TreeSitterLanguage):
        found = getattr(found, "_language")  # noqa: B009 - of what guards it
    return found


@pytest.mark.parametrize("name", ["kotlin", "swift"])
def test_a_text_that_takes_too_long_is_read_as_an_outline(name: str) -> None:
    """Kotlin's took 16 seconds, during which Ctrl-C had no effect; Swift's would take hours."""
    kotlin = load(name)
    assert kotlin.parse(OPENED).kinds[0] == OUTLINE
    assert kotlin.checker(OPENED)(b"/*/*")


@pytest.mark.parametrize("name", ["kotlin", "swift"])
def test_a_candidate_that_takes_too_long_is_not_valid(name: str) -> None:
    text = sample(name)
    checker = load(name).checker(text)
    assert checker(text)
    assert not checker(text + OPENED)
    assert checker.kinds(OPENED, 0, len(OPENED)) == frozenset()
    assert checker(text), "the parser works as before"


def test_definitions_of_such_a_text_are_unknown() -> None:
    assert Definitions("a.kt", OPENED).around(0, 4) == ()


UNCLOSED = {"c": b"=><a", "c-sharp": b"<a ", "java": b"a<"}
"""Read to the end without errors, where each has to be taken back: one step of some ten seconds."""


@pytest.mark.parametrize("name", UNCLOSED)
def test_a_step_that_takes_too_long_is_ended(name: str) -> None:
    text = UNCLOSED[name] * (40_000 // len(UNCLOSED[name]))
    with pytest.raises(ParseLimitError):
        parse(language(name)._parser, text)
    assert load(name).parse(text).kinds[0] == OUTLINE


def test_a_signal_handler_ends_a_step() -> None:
    """The handler ran after the step before."""
    with alarm_in(0.2), pytest.raises(Alarm):
        parse(language("java")._parser, UNCLOSED["java"] * 20_000)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_signal_handler_ends_a_parse() -> None:
    """The handler ran after the parse before: Ctrl-C had no effect until then."""
    large = b"int f(int a) { return a + 1; }\n" * 400_000
    with alarm_in(0.01), pytest.raises(Alarm):
        parse(language("c")._parser, large)


SIGNAL_TO_ANOTHER_THREAD = """
import os, signal, threading
from wynot.domains.syntax.language_loading import load

def ring(number, frame):
    raise KeyboardInterrupt

def ring_there():
    asked.wait()
    signal.pthread_kill(threading.get_ident(), signal.SIGALRM)
    rung.set()

def ask():
    asked.set()
    rung.wait()

asked, rung = threading.Event(), threading.Event()
threading.Thread(target=ring_there, daemon=True).start()
signal.signal(signal.SIGALRM, ring)
os.register_at_fork(before=ask)
try:
    load("c").parse(b"int f(int a) { return a + 1; }\\n" * 1000)
except KeyboardInterrupt:
    print("raised")
"""


def test_a_signal_that_another_thread_takes_while_a_process_is_forked_is_not_lost() -> None:
    words = (sys.executable, "-W", "ignore::DeprecationWarning", "-c", SIGNAL_TO_ANOTHER_THREAD)
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == ("raised\n", "")


SIGNAL_WHILE_FORKING = """
import os, signal
from wynot.domains.syntax.language_loading import load

def ring(number, frame):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, ring)
os.register_at_fork(before=lambda: signal.raise_signal(signal.SIGALRM))
try:
    load("c").parse(b"int f(int a) { return a + 1; }\\n" * 1000)
except KeyboardInterrupt:
    print("raised")
"""


def test_a_signal_while_the_process_is_forked_is_not_lost() -> None:
    """Python drops the exceptions of its fork hooks, also those that a signal handler raises in one."""
    done = subprocess.run([sys.executable, "-c", SIGNAL_WHILE_FORKING], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("raised\n", "")


def test_the_limit_is_one_of_work() -> None:
    with pytest.raises(ParseLimitError):
        parse(language("kotlin")._parser, OPENED)


@pytest.mark.parametrize("name", [each.name for each in GRAMMARS if each.wheel])
def test_the_tree_is_the_same_as_without_a_limit(name: str) -> None:
    """Also where pieces end within a character."""
    text = sample(name) * (MAX_UNLIMITED // len(sample(name)) + 1) + "# äöü€\U0001f600\n".encode() * 100
    parser = language(name)._parser
    assert len(text) > MAX_UNLIMITED, sample_path(name)
    plain = parser.parse(text)
    assert str(parse(parser, text).root_node) == str(plain.root_node)


@pytest.mark.parametrize("name", [each.name for each in GRAMMARS if each.wheel])
def test_usual_texts_stay_far_below_the_limit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incremental_parse, "MAX_READS_PER_PIECE", MAX_READS_PER_PIECE // 4)
    parser = language(name)._parser
    for seed in range(5):
        parse(parser, sample(name) * 4 + spoilt(name, seed, times=4))
