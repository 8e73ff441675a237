"""The live progress of a command."""

from __future__ import annotations

from typing import Any

from wynot.report.live.progress import Progress
from wynot.report.run_info import RunInfo


def live_progress(given: dict[str, Any], title: str, size: int, **more: Any) -> Progress:
    """The progress of a command; `title` says what it does to what."""
    about = RunInfo(
        f"wynot {title}", language=given.get("language"), budget_tests=given["budget_tests"],
        budget_time=given["budget_time"], **more,
    )  # fmt: skip
    return Progress(size, about, quiet=given["quiet"])
