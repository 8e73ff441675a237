"""The difference between two inputs, as it is printed."""

from __future__ import annotations

from wynot.report.isolate_report import MOST, STRETCH, WIDTH, show_difference


def shown(passing: bytes, failing: bytes) -> list[str]:
    return show_difference(passing, failing, colour=False).splitlines()


def test_lines_that_differ_stand_side_by_side_with_some_around() -> None:
    old, new = b"1\n2\n3\n4\nfive\nsix\n7\n8\n9\n10\n", b"1\n2\n3\n4\nfife\nsix\n7\n8\n9\n10\n"
    assert shown(old, new) == ["  2", "  3", "  4", "- five", "+ fife", "  six", "  7", "  8"]
    assert shown(b"a\nb", b"a\n") == ["  a", "- b (no line end)"]


def test_what_no_terminal_may_obey_is_written_out() -> None:
    assert shown(b"a\t\x1b[31mb\n", b"a\t\x1b[32m\xff\n") == [r"- a\t\x1b[31mb", r"+ a\t\x1b[32m\xff"]


def test_a_difference_of_any_size_is_printed_on_a_few_lines() -> None:
    """An interrupted search leaves nearly the whole input as the difference."""
    lines = 50_000
    assert len(shown(b"", b"a,b\n" * lines)) == MOST + 1
    many = shown(b"a,b\n" * lines, b"b,a\n" * lines)
    assert (len(many), many[-1]) == (2 * MOST + 1, f"  … {lines - MOST} more lines")
    (line,) = shown(b"", b"a b " * lines)
    assert len(line) <= WIDTH + len("+ …")
    old, new = shown(b"x" + b"a" * 4 * lines + b"y", b"x" + b"b" * 5 * lines + b"y")
    assert old.endswith(f"a… {4 * lines - STRETCH} more characters …y (no line end)")
    assert new.endswith(f"b… {5 * lines - STRETCH} more characters …y (no line end)")
    assert max(map(len, (old, new))) < STRETCH + 2 * WIDTH
