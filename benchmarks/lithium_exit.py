"""An interestingness test for lithium: the program ends with exit code 0. Run by lithium's own means."""

from __future__ import annotations

from lithium.interestingness.timed_run import timed_run


def interesting(arguments: list[str], prefix: str) -> bool:
    return bool(timed_run(arguments, 60, prefix).return_code == 0)
