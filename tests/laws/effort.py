"""How hard the laws are tried: ten thousand examples on the build machine, a thousand at the desk."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

CI = os.environ.get("CI") == "true"

settings.register_profile(
    "wynot-laws",
    max_examples=10_000 if CI else 1_000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

law = settings.get_profile("wynot-laws")
"""Decorates a property."""

few = settings(law, max_examples=max(100, law.max_examples // 20))
"""Decorates a property whose examples are costly each."""
