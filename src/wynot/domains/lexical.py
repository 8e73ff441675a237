"""What programs of many languages are made of, by its looks: identifiers, comments."""

from __future__ import annotations

import re

NAME = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
"""An identifier, to make a larger pattern of."""
IDENTIFIER = re.compile(NAME)
C_COMMENT = re.compile(rb"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)")
"""A comment of C, and of all languages that took theirs from it."""
