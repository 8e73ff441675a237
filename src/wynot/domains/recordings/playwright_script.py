"""Python scripts as `playwright codegen` writes them: each statement that acts on a page is a step."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from wynot.domains.recordings.recorded_steps import RecordedStep, Recording, RecordingError

_OPENING = (".goto(", ".new_page(", ".new_context(", ".launch(")
_CLOSING = (".close(", ".stop(")


def read_script(text: str) -> Recording:
    r"""A script; what is no step (imports, starting and closing the browser) is in every candidate.

    >>> found = read_script("page.goto('x')\npage.click('#a')\npage.fill('#b', 'c')\n")
    >>> [step.name for step in found.steps if not step.pinned], found.write(found.steps[:2])
    (["page.click('#a')", "page.fill('#b', 'c')"], b"page.goto('x')\npage.click('#a')\n")
    """
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise RecordingError(f"no valid Python ({error})") from None
    lines = text.splitlines(keepends=True)
    statements = [node for body in _bodies(module) for node in body if _acts(node)]
    steps, opened = [], False
    for node in statements:
        source = ast.get_source_segment(text, node) or ""
        opening = ".goto(" in source and not opened
        opened = opened or opening
        span = (node.lineno - 1, node.end_lineno or node.lineno)
        steps.append(RecordedStep(span, "statement", " ".join(source.split())[:80], pinned=opening))
    if not steps:
        raise RecordingError("no script of Playwright: no statement acts on a page")

    def write(kept: Sequence[RecordedStep]) -> bytes:
        left = {step.raw for step in kept}
        gone = {line for step in steps if step.raw not in left for line in range(*step.raw)}
        return "".join(line for number, line in enumerate(lines) if number not in gone).encode()

    return Recording("playwright", tuple(steps), write)


def _bodies(module: ast.Module) -> list[list[ast.stmt]]:
    """The module itself, and the functions in it."""
    return [module.body, *(node.body for node in ast.walk(module) if isinstance(node, ast.FunctionDef))]


def _acts(node: ast.stmt) -> bool:
    """Whether a statement acts on a page, and is neither the opening nor the closing of one."""
    if not isinstance(node, ast.Expr | ast.Assign | ast.With):
        return False
    source = ast.unparse(node)
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    if not any(name.startswith("page") for name in names) or any(word in source for word in _CLOSING):
        return False
    return ".goto(" in source or not any(word in source for word in _OPENING)


def statements(text: str) -> list[str]:
    """The source of each step, for whoever replays them."""
    module = ast.parse(text)
    found = [node for body in _bodies(module) for node in body if _acts(node)]
    return [ast.unparse(node) for node in found]
