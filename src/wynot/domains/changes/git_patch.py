"""Changes as a patch that `git apply` takes."""

from __future__ import annotations

import re
from base64 import b85encode
from collections.abc import Iterator, Sequence
from hashlib import sha1
from zlib import compressobj

from wynot.core.config import Config
from wynot.core.folder import Entry, Folder
from wynot.core.folder import EntryKind as What
from wynot.domains.changes.change import Change, FileFate, FileLines, LineEdit, changed, rows
from wynot.domains.changes.diff_folders import mode

_PLAIN = re.compile(rb"[^\x00-\x1f\x7f-\xff\"\\]*")
_LETTERS = {7: b"a", 8: b"b", 9: b"t", 10: b"n", 11: b"v", 12: b"f", 13: b"r", 34: b'"', 92: b"\\"}
_MEANT = {letter: bytes([byte]) for byte, letter in _LETTERS.items()}
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)


def quoted(path: str) -> bytes:
    r"""A name as git has it.

    >>> quoted("a/plain name"), quoted("a/\udce4\n")
    (b'a/plain name', b'"a/\\344\\n"')
    """
    data = path.encode("utf-8", "surrogateescape")
    if _PLAIN.fullmatch(data):
        return data
    return b'"' + b"".join(map(_escaped, data)) + b'"'


def _escaped(byte: int) -> bytes:
    if byte in _LETTERS:
        return b"\\" + _LETTERS[byte]
    return b"%c" % byte if 32 <= byte < 127 else b"\\%03o" % byte


def unquoted(name: bytes) -> str:
    r"""The name that git means.

    >>> unquoted(quoted("a/\udce4\n")), unquoted(b"a/b c\t")
    ('a/\udce4\n', 'a/b c')
    """
    name = name.rstrip(b"\t")
    if name.startswith(b'"'):
        name = _ESCAPED.sub(lambda found: _MEANT.get(found[1]) or bytes([int(found[1], 8)]), name[1:-1])
    return name.decode("utf-8", "surrogateescape")


CONTEXT = 3
"""How many unchanged lines are shown before and after a change."""
_ROW = 52
"""How many bytes of a binary file go into a line."""
_PART = 1 << 20
_NO_END = b"\n\\ No newline at end of file\n"


def patch(changes: Sequence[Change], config: Config, old: Folder) -> bytes:
    """Just these changes to the old folder, as a patch."""
    return b"".join(pieces(changes, config, old))


def pieces(changes: Sequence[Change], config: Config, old: Folder) -> Iterator[bytes]:
    """The patch in pieces: one with a large binary file need not be held at once."""
    for file in changed(old, changes):
        applied = [change for number, change in zip(file.numbers, file.changes, strict=True) if number in config]
        if applied:
            yield from _file(file.fate(applied))


def _file(fate: FileFate) -> Iterator[bytes]:
    """What became of one file. Something that is another kind of thing now is one that is gone and a new one."""
    was, now = _held(fate.was), _held(fate.now)
    if was is not None and now is not None and was.kind is not now.kind:
        yield from _file(FileFate(fate.old_path, was, fate.old_path, None))
        yield from _file(FileFate(fate.path, None, fate.path, now))
    elif was != now or (was is not None and fate.path != fate.old_path):
        yield from _head(fate, was, now)
        yield from _body(fate, was, now)


def _held(entry: Entry | None) -> Entry | None:
    """Git knows of no folders."""
    return None if entry is None or entry.kind is What.FOLDER else entry


def _head(fate: FileFate, was: Entry | None, now: Entry | None) -> Iterator[bytes]:
    old, new = fate.old_path, fate.path
    yield b"diff --git " + quoted(f"a/{old}") + b" " + quoted(f"b/{new}") + b"\n"
    if was is None:
        yield b"new file mode %o\n" % _git_mode(now)
    elif now is None:
        yield b"deleted file mode %o\n" % _git_mode(was)
    elif _git_mode(was) != _git_mode(now):
        yield b"old mode %o\nnew mode %o\n" % (_git_mode(was), _git_mode(now))
    if was is not None and now is not None and old != new:
        yield b"rename from " + quoted(old) + b"\nrename to " + quoted(new) + b"\n"


def _git_mode(entry: Entry | None) -> int:
    """Git knows two modes of a file."""
    full = mode(entry)
    return full if full & 0o170000 == 0o120000 else 0o100755 if full & 0o100 else 0o100644


def _body(fate: FileFate, was: Entry | None, now: Entry | None) -> Iterator[bytes]:
    before, after = was.data if was else b"", now.data if now else b""
    if before == after:
        return
    if any(b"\0" in data for data in (before, after)):
        yield from _binary(was, now)
        return
    text = FileLines(before)
    found = fate.edits if was is not None and fate.edits else [LineEdit(0, len(text), after)]
    old, new = quoted(f"a/{fate.old_path}"), quoted(f"b/{fate.path}")
    yield b"--- " + (_tabbed(old) if was else b"/dev/null") + b"\n"
    yield b"+++ " + (_tabbed(new) if now else b"/dev/null") + b"\n"
    yield from hunks(text, found)


def _tabbed(name: bytes) -> bytes:
    """A name with a space in it is followed by a tab, or a patch program takes the rest for a date."""
    return name + b"\t" if b" " in name else name


def hunks(old: FileLines, edits: Sequence[LineEdit]) -> Iterator[bytes]:
    """Edits with the lines around them; those whose surroundings meet are one hunk."""
    shift = at = 0
    while at < len(edits):
        last = at + 1
        while last < len(edits) and edits[last].start - edits[last - 1].stop <= 2 * CONTEXT:
            last += 1
        lines, counts = _rows(old, edits[at:last])
        start = max(edits[at].start - CONTEXT, 0)
        yield b"@@ -%d,%d +%d,%d @@\n" % (
            start + bool(counts[0]),
            counts[0],
            start + shift + bool(counts[1]),
            counts[1],
        )
        yield from lines
        shift += counts[1] - counts[0]
        at = last


def _rows(old: FileLines, edits: Sequence[LineEdit]) -> tuple[list[bytes], tuple[int, int]]:
    """The lines of a hunk, and how many the old and the new text have of them."""
    found: list[bytes] = []
    before = after = 0
    at = max(edits[0].start - CONTEXT, 0)
    stop = min(edits[-1].stop + CONTEXT, len(old))
    for edit in (*edits, LineEdit(stop, stop, b"")):
        for sign, part in ((b" ", old.cut(at, edit.start)), (b"-", old.cut(edit.start, edit.stop)), (b"+", edit.text)):
            lines = rows(part)
            found += [_row(sign, line) for line in lines]
            before += len(lines) if sign != b"+" else 0
            after += len(lines) if sign != b"-" else 0
        at = edit.stop
    return found, (before, after)


def _row(sign: bytes, line: bytes) -> bytes:
    return sign + line if line.endswith(b"\n") else sign + line + _NO_END


def _binary(was: Entry | None, now: Entry | None) -> Iterator[bytes]:
    """All of the new file, and all of the old one, so that the patch can be taken back."""
    yield b"index %s..%s\nGIT binary patch\n" % (_blob(was), _blob(now))
    for entry in (now, was):
        data = entry.data if entry else b""
        yield b"literal %d\n" % len(data)
        for part in _packed(data):
            yield b"".join(_binary_row(part[at : at + _ROW]) for at in range(0, len(part), _ROW))
        yield b"\n"


def _packed(data: bytes) -> Iterator[bytes]:
    """Compressed, in parts that are whole rows but for the last; a large file is not held twice."""
    packer = compressobj()
    waiting = b""
    view = memoryview(data)
    for at in range(0, len(data), _PART):
        waiting += packer.compress(view[at : at + _PART])
        whole = len(waiting) // _ROW * _ROW
        yield waiting[:whole]
        waiting = waiting[whole:]
    yield waiting + packer.flush()


def _binary_row(row: bytes) -> bytes:
    """Its length as a letter, and what it holds."""
    return bytes([len(row) + (64 if len(row) <= 26 else 70)]) + b85encode(row, pad=True) + b"\n"


def _blob(entry: Entry | None) -> bytes:
    """The name that git has for a content."""
    if entry is None:
        return b"0" * 40
    name = sha1(b"blob %d\0" % len(entry.data), usedforsecurity=False)
    name.update(entry.data)
    return name.hexdigest().encode()
