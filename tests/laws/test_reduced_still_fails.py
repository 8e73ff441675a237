"""Whatever the algorithm and whatever the test: what `reduce` gives back fails, and `isolate`'s two sides differ."""

from __future__ import annotations

from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wynot
from tests.laws.effort import few
from wynot import Outcome
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.engine.pass_search import ISOLATORS, MINIMISERS

WHOLE = b"ab c\nd;e\n\nfg"
seeds = st.integers(0, 2**16 - 1)


class Noise:
    """Any outcome for any content, but the whole file fails and the empty one passes."""

    def __init__(self, seed: int) -> None:
        self._salt = seed.to_bytes(2, "big")

    def __call__(self, data: bytes) -> Outcome:
        if data in {b"", WHOLE}:
            return FAIL if data else PASS
        lot = blake2b(data, digest_size=1, salt=self._salt).digest()[0]
        return (FAIL, PASS, UNRESOLVED, UNRESOLVED)[lot % 4]


@pytest.mark.parametrize(
    "algorithm",
    MINIMISERS,
)
@few
@given(seed=seeds)
def test_what_is_reduced_fails(algorithm: str, seed: int) -> None:
    test = Noise(seed)
    result = wynot.reduce(WHOLE, test, wynot.Options(algorithm=algorithm))
    assert test(result.data) is FAIL
    if result.minimal:
        assert all(test(result.data[:at] + result.data[at + 1 :]) is not FAIL for at in range(len(result.data)))


@pytest.mark.parametrize("algorithm", ISOLATORS)
@few
@given(seed=seeds)
def test_what_is_isolated_passes_and_fails(algorithm: str, seed: int) -> None:
    test = Noise(seed)
    result = wynot.isolate(WHOLE, test, wynot.Options(algorithm=algorithm))
    assert test(result.passing) is PASS
    assert test(result.failing) is FAIL
