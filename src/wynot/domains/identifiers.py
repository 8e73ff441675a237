"""Identifiers of any language, by their looks."""

from __future__ import annotations

import re

NAME = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
"""One of them, to make a larger pattern of."""
IDENTIFIER = re.compile(NAME)
