"""Texts in UTF-16 and UTF-32 as UTF-8, and back: parsers and lexers read bytes, and know of no others."""

from __future__ import annotations

from dataclasses import dataclass

from wynot.domains.text.atoms import wide_encoding_of


@dataclass(frozen=True, slots=True)
class WideEncoding:
    """An encoding all of whose characters have several bytes. Its mark is no part of the text, and always there."""

    encoding: str

    def narrowed(self, data: bytes) -> bytes:
        """The text of a file in this encoding, in UTF-8."""
        return data.decode(self.encoding).removeprefix("\ufeff").encode()

    def widened(self, text: bytes) -> bytes:
        r"""A file with this text.

        >>> WideEncoding("utf-16-le").widened(b"a"), WideEncoding("utf-16-le").widened(b"")
        (b'\xff\xfea\x00', b'\xff\xfe')
        """
        return ("\ufeff" + text.decode("utf-8", "replace")).encode(self.encoding)


def wide(data: bytes) -> WideEncoding | None:
    """The encoding of a file by its byte order mark; None where it has none."""
    encoding = wide_encoding_of(data)
    return None if encoding is None else WideEncoding(encoding)


def plain(data: bytes) -> bytes:
    """The text of a file in UTF-8, if it was in a wide encoding; else the file as it is."""
    found = wide(data)
    return data if found is None else found.narrowed(data)
