"""Files as rows of bytes, characters, tokens or lines."""
