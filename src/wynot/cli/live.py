"""What people see of a run while it is under way."""

from __future__ import annotations

from typing import Any

from wynot.report.about import About
from wynot.report.progress import Progress


def watching(given: dict[str, Any], title: str, size: int, **more: Any) -> Progress:
    """The progress of a command; `title` says what it does to what."""
    about = About(
        f"wynot {title}", language=given.get("language"), budget_tests=given["budget_tests"],
        budget_time=given["budget_time"], **more,
    )  # fmt: skip
    return Progress(size, about, quiet=given["quiet"])
