"""Deltas that belong together, as one: what a group of them needs none of them can go without (1999, section 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from wynot.core.config import Config
from wynot.core.trial import Found, Strategy
from wynot.search.combinators import embed
from wynot.search.trees.hdd import emptied


def minimise_groups(config: Config, bundles: Sequence[Config], minimise: Callable[[Config], Strategy]) -> Strategy:
    """Take away as many bundles as possible; they may overlap."""
    return _together(config, bundles, None, minimise)


def _together(
    config: Config, bundles: Sequence[Config], inner: Strategy | None, minimise: Callable[[Config], Strategy]
) -> Strategy:
    if not bundles:
        return Found(config)
    inner = inner or emptied(minimise(Config.full(len(bundles))))
    lift = partial(_without, config, bundles)
    found = yield from embed(inner, lift, lambda part: _together(config, bundles, part, minimise))
    return Found(lift(found.failing))


def _without(config: Config, bundles: Sequence[Config], kept: Config) -> Config:
    for rank in Config.full(len(bundles)) - kept:
        config -= bundles[rank]
    return config
