"""What "simpler" means, once and for all.

Of two artifacts the shorter one is simpler: a reader has less to read. Among equally long ones the one that sorts
first is simpler; that has no meaning of its own but makes the order total, so that "the simplest" is one artifact
and not several.
"""

from __future__ import annotations


def simplicity(data: bytes) -> tuple[int, bytes]:
    """A sort key: the smaller, the simpler.

    >>> sorted([b"bb", b"a", b"ba"], key=simplicity)
    [b'a', b'ba', b'bb']
    """
    return len(data), data
