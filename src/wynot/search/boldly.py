"""Everything at once first: where most deltas are likely to be of no use, one test may settle all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.trial import Asked, Found, Strategy, Trial


def boldly(minimise: Callable[[Config], Strategy], config: Config) -> Strategy:
    """Try to do without any delta; only if that does not work, search."""
    verdict = yield Asked(_nothing, partial(boldly, minimise, config))
    return Found(Config()) if verdict is not None else (yield from minimise(config))


def _nothing() -> Iterator[Trial]:
    yield Trial(Config(), ONLY_FAIL)
