"""An artifact: what is tested. Here a file, with the name that programs may judge it by."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file's name (no folder) and content."""

    name: str
    data: bytes


def digest(data: bytes) -> bytes:
    """The key of an artifact's outcome: 32 bytes, whatever its size."""
    return blake2b(data, digest_size=32).digest()
