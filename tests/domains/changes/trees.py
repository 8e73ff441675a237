"""Folders to find changes between, as hypothesis makes them."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from wynot.core.folder import Entry, EntryKind, Folder, parents

NAMES = ["a", "b", "c.py", "d", "d/e", "d/f g", "d/h/i", "ä", "\udcff"]
LINES = [b"x\n", b"y\n", b"z\r\n", b"\n", b"--- q\n", b"+++ r\n", b"@@ -1 +1 @@\n", b"\\ s\n", b"diff --git a/x b/x\n"]


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Few different lines, so that there is much to confuse; the last one may have no end."""
    body = b"".join(draw(st.lists(st.sampled_from(LINES), max_size=12)))
    return body + draw(st.sampled_from([b"", b"", b"tail", b"x\r"]))


def entries() -> st.SearchStrategy[Entry]:
    return st.one_of(
        st.builds(Entry, st.just(EntryKind.FILE), texts(), st.sampled_from([0o644, 0o755])),
        st.builds(
            Entry, st.just(EntryKind.FILE), st.binary(max_size=60).map(lambda data: b"\0" + data), st.just(0o644)
        ),
        st.builds(Entry, st.just(EntryKind.LINK), st.sampled_from([b"a", b"../b"]), st.just(0o777)),
    )


def folders() -> st.SearchStrategy[Folder]:
    return st.dictionaries(st.sampled_from(NAMES), entries(), max_size=6).map(_possible)


def _possible(entries: Mapping[str, Entry]) -> Folder:
    """Without files where others have a folder."""
    above = {each for path, entry in entries.items() if entry.kind is not EntryKind.FOLDER for each in parents(path)}
    held = {path: entry for path, entry in entries.items() if entry.kind is not EntryKind.FOLDER and path not in above}
    return Folder.of(held)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Folder, Folder]:
    """Two folders that have much in common: some files edited, moved, gone or new; a folder may have moved."""
    old = draw(folders())
    new = dict(old.entries) | dict(draw(folders()).entries)
    for path in draw(st.lists(st.sampled_from(NAMES), max_size=2)):
        new.pop(path, None)
    files = [path for path, entry in new.items() if entry.kind is EntryKind.FILE]
    moving: bool = draw(st.booleans())
    if files and moving:
        new["moved"] = new.pop(draw(st.sampled_from(files)))
    if draw(st.booleans()):
        new = {f"m/{path}" if path.startswith("d/") else path: entry for path, entry in new.items()}
    return old, _possible(new)
