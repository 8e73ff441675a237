"""How a test depends on those before it, in words."""

from __future__ import annotations

from shlex import join

from wynot.core.counted import counted
from wynot.run.order import Ordered

MOST = 30
"""Tests named in one line to type; more would not help."""


def ordered_text(found: Ordered) -> str:
    """A few lines for the report of a suite."""
    cost = f"{counted(found.runs, 'run')} in fresh processes, {found.wall:.1f} s"
    if found.kind == "alone":
        return f"it fails alone, too: the order of the tests does not matter ({cost})"
    if found.kind == "never":
        return f"it passes in fresh processes, alone and after the same tests: it fails only sometimes ({cost})"
    if found.kind == "unresolved":
        return f"in a fresh process it fails otherwise ({found.why}): nothing can be said of the order ({cost})"
    proved = "1-minimal" if found.minimal else "not known to be minimal"
    head = "it fails alone and passes only after" if found.kind == "needs" else "it passes alone and fails only after"
    many = f"these {len(found.tests)} tests together" if len(found.tests) > 1 else "this test"
    lines = [f"{head} {many} (of {found.earlier} earlier ones; {proved}; {cost}):", *(f"  {t}" for t in found.tests)]
    if len(found.tests) < MOST:
        lines.append(f"try it: {join(('pytest', *found.tests, found.victim))}")
    return "\n".join(lines)
