"""A content described by another one that the other side has: bytes copied from there, and bytes that are new."""

from __future__ import annotations

from wynot.core.artifact import Content
from wynot.core.folder import Entry, Folder

Patch = tuple[tuple[int, int] | bytes, ...]
"""Pieces in order: from and to which byte of the other text, or what it is."""
FolderPatch = tuple[tuple[str, Entry | None], ...]
"""Entries in order; None: as in the other folder."""

_SAMPLE = 24
"""So many bytes in a row are looked for in the other text..."""
_MOST = 2000
"""...so often at the most: what is that different is sent whole."""


def patch(base: bytes, text: bytes) -> Patch | None:
    r"""What is to be copied and what is new; None where it is too much.

    >>> patch(b"0123456789" * 9, b"0123456789" * 3 + b"!" + b"0123456789" * 4)
    ((0, 30), b'!', (30, 70))
    """
    pieces: list[tuple[int, int] | bytes] = []
    here, there = 0, 0
    new = bytearray()
    for _ in range(_MOST):
        length = _common(base, there, text, here)
        if length:
            if new:
                pieces.append(bytes(new))
                new.clear()
            pieces.append((there, there + length))
            here, there = here + length, there + length
        if here >= len(text):
            return (*pieces, bytes(new)) if new else tuple(pieces)
        found = base.find(text[here : here + _SAMPLE], there)
        if found < 0:
            new += text[here : here + 1]
            here += 1
        else:
            there = found
    return None


def _common(base: bytes, there: int, text: bytes, here: int) -> int:
    """How many bytes are the same from here on."""
    same, step = 0, 64
    most = min(len(base) - there, len(text) - here)
    while same < most:
        step = min(step, most - same)
        if base[there + same : there + same + step] == text[here + same : here + same + step]:
            same += step
            step *= 2
        elif step == 1:
            break
        else:
            step = max(1, step // 4)
    return same


def patched(base: bytes, pieces: Patch) -> bytes:
    """The text again."""
    return b"".join(piece if isinstance(piece, bytes) else base[piece[0] : piece[1]] for piece in pieces)


def folder_patch(base: Folder, folder: Folder) -> FolderPatch:
    """The entries, those left out that the other folder has."""
    known = base.digests
    return tuple((p, None if known.get(p) == folder.digests[p] else entry) for p, entry in folder.entries.items())


def patched_folder(base: Folder, entries: FolderPatch) -> Folder:
    """The folder again."""
    full = {path: base.entries[path] if entry is None else entry for path, entry in entries}
    digests = {path: base.digests[path] if entry is None else entry.digest(path) for path, entry in entries}
    return Folder(full, digests)


def described(base: Content, content: Content) -> Patch | FolderPatch | None:
    """A content by another one; None where that cannot be, or is not worth it."""
    if isinstance(base, bytes) and isinstance(content, bytes):
        pieces = patch(base, content)
        new = sum(len(piece) if isinstance(piece, bytes) else 16 for piece in pieces or ())
        return pieces if pieces is not None and 2 * new < len(content) else None
    if isinstance(base, Folder) and isinstance(content, Folder):
        return folder_patch(base, content)
    return None


def restored(base: Content, pieces: Patch | FolderPatch) -> Content:
    """A content that was described."""
    if isinstance(base, bytes):
        return patched(base, pieces)  # type: ignore[arg-type]
    if isinstance(base, Folder):
        return patched_folder(base, pieces)  # type: ignore[arg-type]
    raise TypeError(f"nothing is described by a {type(base).__name__}")
