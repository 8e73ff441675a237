"""How the program fails on the original and on the result: values in a message may differ, which is shown."""

from __future__ import annotations

from wynot.core.artifact import Content, digest
from wynot.engine.session import Session


def both_failures(session: Session, original: Content, result: Content) -> tuple[str, str] | None:
    """What the program says of the original and of the result; None where that is one input, or it says nothing."""
    from wynot.oracles.message_values import failure_of  # noqa: PLC0415 - where a command is run

    if session.rate < 1 or result == original:
        return None
    said = failure_of(getattr(session.tester.executor, "oracle", None)), session.tester.failure(digest(result))
    return said if all(said) else None
