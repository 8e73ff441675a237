"""Contents as the record keeps them: files and folders as bytes, compressed; of calls only what may be told."""

from __future__ import annotations

import base64
import json
import zlib

from wynot.core.artifact import Content, Laid
from wynot.core.call import Call
from wynot.core.folder import Entry, EntryKind, Folder

MOST = 2 << 20
"""Larger contents (in bytes) are not kept: the record says where they lie and what their digest is."""
_FILE, _FOLDER, _CALL = b"f", b"d", b"c"


def packed(content: Content) -> bytes:
    r"""A content as bytes.

    >>> unpacked(packed(b"as it is")), unpacked(packed(Folder.of({"a/b": b"\0"}))) == Folder.of({"a/b": b"\0"})
    (b'as it is', True)
    """
    if isinstance(content, bytes):
        return _FILE + zlib.compress(content, 1)
    if isinstance(content, Call):
        return _CALL + json.dumps({"words": content.words("."), "names": [name for name, _ in content.env]}).encode()
    entries = {
        path: [entry.kind.value, entry.mode, base64.b64encode(entry.data).decode()]
        for path, entry in content.entries.items()
    }
    return _FOLDER + zlib.compress(json.dumps(entries).encode(), 1)


def unpacked(data: bytes) -> Laid:
    """The content; of a call, its words, one in a line."""
    kind, rest = data[:1], data[1:]
    if kind == _CALL:
        words = json.loads(rest)["words"]
        return b"\n".join(word.encode("utf-8", "surrogateescape") for word in words)
    if kind == _FILE:
        return zlib.decompress(rest)
    return Folder.of(
        {
            path: Entry(EntryKind(kind), base64.b64decode(text), mode)
            for path, (kind, mode, text) in json.loads(zlib.decompress(rest)).items()
        }
    )
