"""How hard the laws are tried: at the desk, on the build machine, and by `make laws`, which takes its time."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

CI = os.environ.get("CI") == "true"
THOROUGH = os.environ.get("WYNOT_EFFORT") == "thorough"


def effort(desk: int, build: int, thorough: int) -> int:
    """How many examples are tried here."""
    if THOROUGH:
        return thorough
    return build if CI else desk


settings.register_profile(
    "wynot-laws",
    max_examples=effort(500, 2_000, 10_000),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

law = settings.get_profile("wynot-laws")
"""Decorates a property."""

few = settings(law, max_examples=effort(100, 200, 500))
"""Decorates a property whose examples are costly each."""
