"""Functions that do nothing come first, in typed languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wynot
from wynot.commands.reduce.passes.basic_passes import FEW
from wynot.commands.reduce.reduction import reduce
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Event, PassStarted
from wynot.engine.run_options import Options
from wynot.errors import Ended


def program(count: int) -> bytes:
    """Java: each method calls all others, and has to be there for them."""
    calls = b" ".join(b"m%d();" % i for i in range(count))
    methods = b"".join(b"  int m%d() { %s return %d; }\n" % (i, calls, i) for i in range(count))
    return b"class A {\n" + methods + b"}\n"


def compiler(text: bytes) -> Outcome:
    """Wants all that is called to be there, and fails on one number."""
    if not set(re.findall(rb"(m\d+)\(\);", text)) <= set(re.findall(rb"int (m\d+)\(\)", text)):
        return UNRESOLVED
    return FAIL if b"return 17;" in text else PASS


@pytest.mark.parametrize("jobs", [1, 3])
def test_what_all_need_of_each_other_is_gone_at_once(jobs: int) -> None:
    result = reduce(program(40), compiler, Options(jobs=jobs), name="A.java")
    assert result.data.split() == b"class A { { return 17; } }".split()
    assert result.cost.counts.needed <= 40


def test_where_many_are_needed_it_is_given_up() -> None:
    """The first tests tell; then it is searched as before."""
    tested: list[bytes] = []
    wanted = [b"return %d;" % i for i in range(0, 40, 2)]

    def test(text: bytes) -> Outcome:
        tested.append(text)
        return FAIL if all(each in text for each in wanted) else PASS

    reduce(program(40), test, Options(budget_tests=2000), name="A.java")
    first = next(at for at, text in enumerate(tested) if text.count(b"int m") < 40)
    assert first <= 2 + 2 * FEW + FEW * 6


def test_imports_go_with_what_used_them() -> None:
    """A Go file with an import that is not used does not compile."""
    text = b'package p\n\nimport (\n\t"a"\n\t"b"\n)\n\nfunc f() { a.F(1, 2, 3) }\n\nfunc g() { b.G(1, 2, 3) }\n'

    def test(candidate: bytes) -> Outcome:
        for name in (b"a", b"b"):
            if (b'"' + name + b'"' in candidate) != (name + b"." in candidate):
                return UNRESOLVED
        return FAIL if b"b.G" in candidate else PASS

    assert b'"a"' not in reduce(text, test, name="x.go").data


def test_protected_functions_stay() -> None:
    text = program(4).replace(b"  int m1()", b"// DDBEGIN\n  int m1()").replace(b"  int m3()", b"// DDEND\n  int m3()")
    result = reduce(text, lambda data: b"return 2;" in data, name="A.java").data
    assert b"return 3;" in result
    assert b"return 0;" in result
    assert b"return 1;" not in result


@pytest.mark.parametrize("budget", [3, 4, 6, None])
@pytest.mark.parametrize("body", [b"{return a+b;}", b"{ return a + b; }", b"{return 1+a+b+c;}"])
def test_nothing_becomes_larger(body: bytes, budget: int | None) -> None:
    """What functions do becomes less, in bytes, too, or stays."""
    text = b"class A{" + b"".join(b"int m%d()" % i + body for i in range(12)) + b"}"

    def test(candidate: bytes) -> bool:
        methods = candidate.split(b"int m")[1:]
        return len(methods) == 12 and all(b"return" in each or b"throw" in each for each in methods)

    try:
        data = reduce(text, test, Options(budget_tests=budget), name="A.java").data
    except Ended as over:
        data = over.best.data  # type: ignore[attr-defined]
    assert len(data) <= len(text)


def test_each_file_of_a_folder_is_opened_once(tmp_path: Path) -> None:
    passes: list[str] = []
    text = b"int f(int a) { return a + 1; }\nint g(int a) { return f(a) + 2; }\n"
    (tmp_path / "a.c").write_bytes(text)
    (tmp_path / "b.c").write_bytes(text.replace(b"1", b"7"))

    def listen(event: Event) -> None:
        passes.extend([event.name] if isinstance(event, PassStarted) else [])

    def test(files: dict[str, bytes]) -> Outcome:
        return FAIL if all(b"return" in files.get(name, b"") for name in ("a.c", "b.c")) else PASS

    wynot.reduce(tmp_path, test, Options(listener=listen))
    assert sorted(name for name in passes if name.startswith("bodies")) == ["bodies of a.c", "bodies of b.c"]


def test_frames_within_frames_are_no_deeper_than_python_can_bear() -> None:
    deep = 400
    frames = (b"namespace n%d {\n" % i + b"".join(b"int v%d_%d;\n" % (i, j) for j in range(12)) for i in range(deep))
    text = b"".join(frames) + b"int guilty;\n" + b"}\n" * deep

    def test(data: bytes) -> bool:
        return b"guilty" in data and data.count(b"namespace") == deep

    with pytest.raises(Ended) as over:
        reduce(text, test, Options(budget_tests=600), name="x.cpp")
    assert len(over.value.best.data) < len(text)  # type: ignore[attr-defined]
