"""How hard the laws are tried: at the desk, and on the build machine."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

CI = os.environ.get("CI") == "true"


def effort(desk: int, build: int) -> int:
    """How many examples are tried here."""
    return build if CI else desk


settings.register_profile(
    "wynot-laws",
    max_examples=effort(500, 1_000),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

law = settings.get_profile("wynot-laws")
"""Decorates a property."""

few = settings(law, max_examples=effort(100, 200))
"""Decorates a property whose examples are costly each."""
