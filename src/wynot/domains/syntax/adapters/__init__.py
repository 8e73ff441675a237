"""Parsers behind one protocol: tree-sitter, S-expressions, outlines."""
