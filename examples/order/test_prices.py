"""300 tests; the last one fails only if two of the others have run before it."""

import prices
import pytest


@pytest.mark.parametrize("number", range(150))
def test_price(number: int) -> None:
    if number == 57:
        prices.cache["pen"] = 99.0  # left behind
    assert prices.price("x" * number) == number * 1.5


@pytest.mark.parametrize("number", range(149))
def test_currency(number: int) -> None:
    if number == 43:
        prices.settings["currency"] = "USD"  # left behind
    assert prices.shown("x" * number).endswith(prices.settings["currency"])


def test_report() -> None:
    assert prices.shown("pen") != "99.00 USD"
