"""What is tested, and the order "simpler" on artifacts."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeVar

from wynot.core.call import Call
from wynot.core.folder import Entry, Folder

Laid = bytes | Folder
"""What can lie on a disk: what is in a file, or in a folder."""

Placed = Laid | Entry
"""What a test can find in its folder: the above, or a file with its mode."""

Content = Laid | Call
"""What can be tested: what can lie on a disk, or how a program is called."""

AnyContent = TypeVar("AnyContent", bound=Content)


@dataclass(frozen=True, slots=True)
class Artifact:
    """A name (without the folder it is in) and a content."""

    name: str
    data: Content

    @property
    def files(self) -> tuple[tuple[str, Placed], ...]:
        """What a test finds in its folder."""
        return self.data.laid if isinstance(self.data, Call) else ((self.name, self.data),)

    def has(self, name: str) -> bool:
        """Whether a file of this name is the artifact, or is in it."""
        if isinstance(self.data, Folder):
            return any(path.rpartition("/")[2] == name for path in self.data.entries)
        if isinstance(self.data, Call):
            return any(name == each for each, _ in self.data.files)
        return name == self.name


def digest(content: Content) -> bytes:
    """The key of an artifact's outcome: 32 bytes, whatever its size."""
    return blake2b(content, digest_size=32).digest() if isinstance(content, bytes) else content.digest()


def size(content: Content) -> int:
    """How large an artifact is, in bytes."""
    return len(content) if isinstance(content, bytes) else content.size


# What "simpler" means, once and for all.
#
# Of two artifacts the shorter one is simpler: a reader has less to read. Of two folders with as many bytes the one with
# fewer entries is, of two calls that with fewer words. Among equally long ones the one that sorts first is simpler;
# that has no meaning of its own but makes the order total, so that "the simplest" is one artifact and not several.


def simplicity(content: Content) -> tuple[int, int, Any]:
    """A sort key: the smaller, the simpler.

    >>> sorted([b"bb", b"a", b"ba"], key=simplicity)
    [b'a', b'ba', b'bb']
    """
    if isinstance(content, Folder):
        files = ((path, entry.data) for path, entry in content.entries.items())
        return content.size, len(content.entries), (*files, ("", content.digest()))
    if isinstance(content, Call):
        return content.size, len(content.argv), content.digest()
    return len(content), 0, content
