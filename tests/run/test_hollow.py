"""Functions that do nothing come first, in typed languages."""

from __future__ import annotations

import re

import pytest

from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.run.hollow import FEW
from wynot.run.options import Options
from wynot.run.reduce import reduce


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
