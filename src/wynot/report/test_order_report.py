"""How a test depends on those before it, in words."""

from __future__ import annotations

from dataclasses import dataclass
from shlex import join

from wynot.commands.test_order_search import TestOrderResult
from wynot.core.text import counted

MOST = 30
"""Tests named in one line to type; more would not help."""


INFLUENCED = (
    "the same tests, run again, end differently: fresh processes find what earlier ones left outside of the project "
    "(files, a server), or the failure is flaky; no test can be named"
)
NAMED = 5
"""Files that are named; more are only counted."""


@dataclass(frozen=True, slots=True)
class RunLocation:
    """Where fresh processes ran: in a copy of the project as it was when the suite started, unless stated otherwise."""

    why: str = ""
    """Why they ran in the project's own folder."""
    without: tuple[str, ...] = ()
    """Files that were taken out of the copy: the suite writes them, and an earlier one may have left them."""


def order_text(
    found: TestOrderResult, where: RunLocation | None = None, left: tuple[str, ...] = (), outside: tuple[str, ...] = (),
    listens: tuple[str, ...] = (),
) -> str:  # fmt: skip
    """A few lines for the report of a suite; `left` are files that the suite left in the project, and `outside` of it.

    `listens`: where the suite's process still listens, so that a fresh one cannot.

    >>> found = TestOrderResult("alone", "test_a", runs=1)
    >>> print(order_text(found, RunLocation("it is too large"), ("app.db (new)",)))
    it also fails alone, with the files that the suite left: put them back as they were and run it alone (1 run, 0.0 s)
    fresh processes ran in the project's own folder: it is too large
    the suite left on disk: app.db (new)
    """
    where = where or RunLocation()
    lines = [_answer(found, where, seen=(left if where.why else ()) + outside, listens=listens)]
    if where.why:
        lines.append(f"fresh processes ran in the project's own folder: {where.why}")
    if left:
        lines.append(f"the suite left on disk: {_names(left)}")
    if outside:
        lines.append(f"the suite left outside of the project, where fresh processes see it, too: {_names(outside)}")
    if listens and found.kind in {"alone", "unresolved"}:
        lines.append(f"the suite's process still listens, where fresh processes cannot then: {_names(listens)}")
    return "\n".join(lines)


def _names(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(paths[:NAMED]) + more


def _answer(found: TestOrderResult, where: RunLocation, seen: tuple[str, ...], listens: tuple[str, ...]) -> str:
    """How the test depends on the others. Fresh processes saw the files `seen` as the suite left them."""
    cost = f"{counted(found.runs, 'run')} in fresh processes, {found.wall:.1f} s"
    if found.kind == "influenced":
        return f"{INFLUENCED} ({cost})"
    if found.kind == "alone":
        cost = cost.replace(" in fresh processes", "") if seen else cost
        return f"it also fails alone{_whether(seen, listens)} ({cost})"
    stale = ""
    if where.without:
        stale = (
            f"it fails alone because of {_names(where.without)}, which an earlier run may have left; without that:\n"
        )
    if found.kind == "never" and stale:
        return f"{stale}it passes, alone and after the same tests ({cost})"
    if found.kind == "never":
        return f"it passes in fresh processes, alone and after the same tests: the failure is flaky ({cost})"
    if found.kind == "unresolved":
        return f"in a fresh process it fails in another way ({found.why}): the order cannot be judged ({cost})"
    proved = "1-minimal" if found.minimal else "not known to be minimal"
    head = "it fails alone and passes only after" if found.kind == "needs" else "it passes alone and fails only after"
    many = f"these {len(found.tests)} tests together" if len(found.tests) > 1 else "this test"
    many += f" (of {found.earlier} earlier ones; {proved}; {cost}):"
    lines = [f"{stale}{head} {many}", *(f"  {t}" for t in found.tests)]
    if len(found.tests) < MOST:
        lines.append(f"try it: {join(('pytest', *found.tests, found.victim))}")
    return "\n".join(lines)


def _whether(seen: tuple[str, ...], listens: tuple[str, ...]) -> str:
    """Whether the order matters to a test that fails alone, or what to do to see it."""
    if seen:
        return ", with the files that the suite left: put them back as they were and run it alone"
    if listens:
        return ", while the suite's process is there: run it by itself to see whether the order matters"
    return ": the order of the tests does not matter, unless one has left something outside of the project"
