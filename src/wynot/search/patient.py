"""A search that is given up where it seems to be in vain."""

from __future__ import annotations

from functools import partial
from itertools import islice

from wynot.core.trial import Strategy
from wynot.search.lift import within


def patient(strategy: Strategy, most: int) -> Strategy:
    """Run a strategy until so many trials of one question were in vain."""
    return within(strategy, partial(patient, most=most), lambda question: islice(question, most))
