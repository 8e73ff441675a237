"""Clean-ups of a result: only when asked for, the same for any number of jobs, never beyond what fails."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import wynot
from wynot.commands.reduce.passes import cleanup_passes
from wynot.commands.reduce.passes.cleanup_passes import CLEANUPS
from wynot.core.artifact import simplicity
from wynot.core.run_events import Event, Note
from wynot.errors import UsageError

C = b"""\
/* a comment */
static int counter_value = 123456;

int compute_total(int first_argument) {
    // another one
    return first_argument   + counter_value;
}
char *message = "hello crash world";

int main(void) { return compute_total(70000); }
"""
ALL = tuple(name for name in CLEANUPS if name != "clang-delta")
JOBS = pytest.mark.parametrize("jobs", [1, 4])


def wrong(data: bytes) -> bool:
    """Two functions, a sum, a call with a large number, a text."""
    called = re.search(rb"return (\w+)\((\d+)\)", data)
    if called is None or int(called[2]) < 1025 or not re.search(rb'"[^"\n]*crash[^"\n]*"', data):
        return False
    return bool(re.search(rb"int %b\(int (\w+)\) *\{(?:\s|//[^\n]*)*return \1 *\+ *\w+;" % called[1], data))


def cleaned(
    data: bytes, test: Callable[[bytes], bool], *cleanups: str, name: str = "x.c", jobs: int = 1, **more: Any
) -> bytes:
    """The result of a reduction; it fails and is no less simple than one without clean-ups."""
    options = replace(wynot.Options(), **more)
    plain = wynot.reduce(data, test, options, name=name).data
    result = wynot.reduce(data, test, replace(options, cleanups=cleanups, jobs=jobs), name=name)
    assert test(result.data)
    assert simplicity(result.data) <= simplicity(plain)
    assert result.minimality is not None
    return result.data


def test_nothing_is_cleaned_up_without_being_asked() -> None:
    result = wynot.reduce(C, wrong, name="x.c").data
    assert b"compute_total(70000)" in result
    assert b"   +" in result
    assert b"hello crash world" in result


@JOBS
def test_rename(jobs: int) -> None:
    result = cleaned(C, wrong, "rename", jobs=jobs)
    assert b"int a(int b) {" in result
    assert b"return a(70000)" in result
    assert not re.search(rb"compute_total|first_argument|message|counter_value", result)


def test_names_that_matter_stay() -> None:
    result = cleaned(C, lambda data: wrong(data) and b"first_argument" in data, "rename")
    assert b"int a(int first_argument) {" in result


def test_renaming_everything_is_one_test() -> None:
    data = b"int " + b", ".join(b"name%d" % number for number in range(50)) + b";\n"
    tested: list[bytes] = []

    def all_there(candidate: bytes) -> bool:
        tested.append(candidate)
        return candidate.count(b",") == 49

    atoms = wynot.Options(atoms="lines")
    plain = wynot.reduce(data, all_there, atoms, name="x.c").cost.counts.tests
    tested.clear()
    result = wynot.reduce(data, all_there, wynot.Options(atoms="lines", cleanups=("rename",)), name="x.c")
    assert b"name" not in result.data
    assert result.cost.counts.tests <= plain + 2
    assert (result.atoms, result.minimality) == ("lines", "1-minimal")  # clean-ups have no atoms


@JOBS
def test_literals(jobs: int) -> None:
    result = cleaned(C, wrong, "literals", jobs=jobs)
    assert b"return compute_total(1025)" in result
    assert b'"crash"' in result
    assert b"123456" not in result


@JOBS
def test_comments(jobs: int) -> None:
    """Lines are kept whole, so the comments are left for the clean-up."""
    data = b"int a; // bug\nint b; /* more */ int bug;\n"
    one = cleaned(data, lambda candidate: b"int bug" in candidate, "comments", jobs=jobs, atoms="lines")
    assert one == b"int b; int bug;\n"
    both = cleaned(data, lambda candidate: candidate.count(b"bug") >= 2, "comments", jobs=jobs, atoms="lines")
    assert both == b"int a; // bug\nint b; int bug;\n"


@JOBS
def test_white_space(jobs: int) -> None:
    result = cleaned(C, wrong, "whitespace", jobs=jobs)
    assert not re.search(rb"  |\n\n|\n | \n", result)
    assert b"counter_value" in result


def test_white_space_of_python_stays_python() -> None:
    data = b"def f():\n    if x:\n\n        return   y\n"

    def compiles(candidate: bytes) -> bool:
        try:
            compile(candidate, "x", "exec")
        except (SyntaxError, ValueError):
            return False
        return b"if x" in candidate and re.search(rb"return +y", candidate) is not None

    assert cleaned(data, compiles, "whitespace", name="x.py", atoms="lines") == b"def f():\n if x:\n  return y\n"


@JOBS
def test_characters(jobs: int) -> None:
    def bug(candidate: bytes) -> bool:
        return b"g" in candidate

    assert cleaned(b"debugging = 1;\n", bug, "chars", name="x.c", jobs=jobs, validity="off") == b"g"


def test_characters_leave_a_valid_text_if_they_have_to() -> None:
    def bug(candidate: bytes) -> bool:
        return b"g" in candidate

    data = b'{"debugging": 1}'
    assert json.loads(cleaned(data, bug, "chars", name="x.json"))
    assert cleaned(data, bug, "chars", name="x.json", validity="prefer") == b"g"


def test_all_of_them_give_the_same_for_any_number_of_jobs() -> None:
    one, four = (cleaned(C, wrong, *ALL, jobs=jobs) for jobs in (1, 4))
    assert one == four
    assert len(one) < 80


def test_the_result_is_stable() -> None:
    once = cleaned(C, wrong, *ALL)
    assert cleaned(once, wrong, *ALL) == once


def test_protected_text_is_not_touched() -> None:
    head, tail = b"int  keep_me = 100; // keep\n// DDBEGIN\n", b"// DDEND\nint  also_me = keep_me;  // too\n"
    data = head + b'    int  other_name = 100 + keep_me; // go\n    char *text = "abc";\n' + tail
    result = cleaned(data, lambda candidate: candidate.count(b"int") >= 3, *ALL)
    assert result.startswith(head)
    assert result.endswith(tail)
    assert len(result) < len(data) - 40


@pytest.mark.parametrize("algorithm", ["ddmin", "hdd", "hdd_star"])
def test_after_other_algorithms(algorithm: str) -> None:
    options = wynot.Options(algorithm=algorithm, cleanups=("rename",))
    assert b"int a(int b)" in wynot.reduce(C, wrong, options, name="x.c").data


def test_what_has_no_language_is_cleaned_up_as_far_as_it_goes() -> None:
    said: list[Event] = []
    options = wynot.Options(cleanups=("rename", "whitespace"), atoms="lines", listener=said.append)
    result = wynot.reduce(b"one   two\n\n\nthree\n", lambda data: b"two" in data, options, name="x.unknown").data
    assert result == b"one two\n"
    assert [event for event in said if isinstance(event, Note) and "language" in event.message]


def test_wide_characters_are_not_cut() -> None:
    """White space of wide characters is made plainer as any other."""
    data = "††  bug".encode("utf-16")
    result = wynot.reduce(
        data, lambda c: "bug".encode("utf-16-le") in c, wynot.Options(atoms="lines", cleanups=ALL[:-1])
    )
    assert result.data == "†† bug".encode("utf-16")


def test_clean_ups_that_do_not_exist() -> None:
    with pytest.raises(UsageError, match="polish"):
        wynot.reduce(C, wrong, wynot.Options(cleanups=("polish",)), name="x.c")


def test_several_causes_are_not_cleaned_up() -> None:
    with pytest.raises(UsageError, match="several causes"):
        wynot.reduce(C, wrong, wynot.Options(cleanups=("rename",), causes=2), name="x.c")


needs_clang_delta = pytest.mark.skipif(
    cleanup_passes.find_program() is None and os.environ.get("CI") != "true",
    reason="neither cvise nor creduce is installed",
)


def some(*names: str) -> Callable[[str], tuple[str, ...]]:
    return lambda _program: names


def declared(data: bytes) -> bool:
    return bool(re.search(rb"int f\(int x\)\s*[;{]", data))


@needs_clang_delta
def test_clang_delta_is_found_and_says_what_it_can_do() -> None:
    program = cleanup_passes.find_program()
    assert program is not None
    transformations = cleanup_passes._transformations(program)
    assert "simplify-if" in transformations
    assert len(transformations) > 40
    assert not [name for name in transformations if name.startswith("rename-")]


@needs_clang_delta
@JOBS
def test_clang_delta(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A definition becomes a declaration: no cut makes that of it, and a larger text would not be edited otherwise."""
    monkeypatch.setattr("wynot.commands.reduce.prove_single_edits.LARGEST", 0)
    monkeypatch.setattr(cleanup_passes, "_transformations", some("simplify-if", "replace-function-def-with-decl"))
    data = b"int f(int x) {\n  if (x) return x;\n  return 1;\n}\nint y;\n"
    assert b"{" in wynot.reduce(data, declared, name="x.c").data
    assert cleaned(data, declared, "clang-delta", jobs=jobs) == b"int f(int x) ;\n"


@needs_clang_delta
def test_clang_delta_goes_from_text_to_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleanup_passes, "_transformations", some("remove-unused-field", "class-to-struct"))
    options = wynot.Options(atoms="lines", cleanups=("clang-delta",))
    data = b"struct s { int one; int two; int three; };\n"
    assert wynot.reduce(data, lambda c: b"struct s {" in c, options, name="x.c").data.split() == [
        b"struct", b"s", b"{", b"};",
    ]  # fmt: skip


@needs_clang_delta
def test_clang_delta_does_not_touch_protected_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleanup_passes, "_transformations", some("remove-unused-field"))
    data = b"struct s { int one; };\n// DDBEGIN\nstruct t { int two; };\n// DDEND\n"
    options = wynot.Options(atoms="lines", cleanups=("clang-delta",))
    result = wynot.reduce(data, lambda c: b"struct t" in c, options, name="x.c").data
    assert b"int one" in result
    assert b"int two" not in result


def test_clang_delta_is_for_c() -> None:
    with pytest.raises(UsageError, match="reads C and C"):
        wynot.reduce(b"x = 1\n", lambda c: b"x" in c, wynot.Options(cleanups=("clang-delta",)), name="x.py")


def test_without_clang_delta_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleanup_passes, "find_program", lambda: None)
    with pytest.raises(UsageError, match="not installed") as error:
        wynot.reduce(C, wrong, wynot.Options(cleanups=("clang-delta",)), name="x.c")
    assert error.value.hint == "install it: apt install cvise"


def test_clang_delta_is_found_where_debian_puts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert cleanup_passes.find_program((str(tmp_path),)) is None
    program = tmp_path / "lib" / "cvise" / "clang_delta"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    assert cleanup_passes.find_program((str(tmp_path),)) == str(program)


def test_a_clang_delta_that_fails_or_hangs_offers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place, script in enumerate(("exit 3", "sleep 60")):
        program = tmp_path / f"clang_delta{place}"
        program.write_text(f"#!/bin/sh\n[ $# -gt 1 ] || {{ echo simplify-if; exit 0; }}\nexec {script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(cleanup_passes, "find_program", lambda program=program: str(program))
        monkeypatch.setattr(cleanup_passes, "_PATIENCE", 0.5)
        assert cleaned(C, wrong, "clang-delta") == wynot.reduce(C, wrong, name="x.c").data
