"""Why does this call raise? Its arguments, made small; and what differs from arguments that work."""

import wynot


def total(order: dict, limit: int = 1000) -> int:
    price = sum(item["count"] * item["price"] for item in order["items"])
    if price > limit and not order.get("approved"):
        raise ValueError(f"too expensive: {price}")
    return price


ORDER = {
    "customer": {"name": "Ada", "address": ["12 Main St", "London"]},
    "items": [{"name": "pen", "count": 2, "price": 3}, {"name": "desk", "count": 1, "price": 9500}],
}
YESTERDAY = {**ORDER, "items": [ORDER["items"][0], {"name": "desk", "count": 1, "price": 950}]}

if __name__ == "__main__":
    print(wynot.explain(total, (ORDER,)))
    print(wynot.explain(total, (ORDER,), (YESTERDAY,)))
