"""What "simpler" means, once and for all.

Of two artifacts the shorter one is simpler: a reader has less to read. Of two folders with as many bytes the one with
fewer entries is, of two calls that with fewer words. Among equally long ones the one that sorts first is simpler; that
has no meaning of its own but makes the order total, so that "the simplest" is one artifact and not several.
"""

from __future__ import annotations

from typing import Any

from wynot.core.artifact import Content
from wynot.core.call import Call
from wynot.core.folder import Folder


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
