"""An artifact: what is tested. A file or a folder, with the name that programs may judge it by."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

from wynot.core.folder import Folder

Content = bytes | Folder
"""What is in a file, or in a folder."""

AnyContent = TypeVar("AnyContent", bound=Content)


@dataclass(frozen=True, slots=True)
class Artifact:
    """A name (without the folder it is in) and a content."""

    name: str
    data: Content

    def has(self, name: str) -> bool:
        """Whether a file of this name is the artifact, or is in it."""
        if isinstance(self.data, Folder):
            return any(path.rpartition("/")[2] == name for path in self.data.entries)
        return name == self.name


def digest(content: Content) -> bytes:
    """The key of an artifact's outcome: 32 bytes, whatever its size."""
    return content.digest() if isinstance(content, Folder) else blake2b(content, digest_size=32).digest()


def size(content: Content) -> int:
    """How large an artifact is, in bytes."""
    return content.size if isinstance(content, Folder) else len(content)
