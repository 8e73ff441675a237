"""Whether a text is nested too deeply for a grammar.

Some scanners keep what is open in one kilobyte. YAML's writes beyond that and takes the process with it (from 254
levels on in tree-sitter-yaml 0.7.2). Those of XML and HTML forget, report errors that are none, and take time in
proportion to the square of what is open.
"""

from __future__ import annotations

import re
from itertools import accumulate

BLOCKS = 250
TAGS = 500

_LINE = re.compile(rb"([ \t]*)([^\r\n]+)")
_SIGN = re.compile(rb"(?<!\S)[-?:](?!\S)")
_FEW = 40
_FOUR_SIGNS = re.compile(rb"(?:[-?:][ \t](?<!\S..)[^\r\n]*?){4}")

_OPTIONAL = rb"(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|t[dhr]|option|tbody)\b"
_TAG = re.compile(rb"(?i)<[a-z_:][^<>]*/>|<(?!%s)[a-z_:]|</(?!%s)" % (_OPTIONAL, _OPTIONAL))


def few_blocks(data: bytes) -> bool:
    r"""Whether few blocks of YAML are open at once. Errs on the safe side.

    >>> few_blocks(b"a:\n  - - b\n  - c\n"), few_blocks(b"- " * 250)
    (True, False)
    """
    if not (b" " * _FEW in data or b"\t" in data or _FOUR_SIGNS.search(data)):
        return True  # at most 40 lines own each other, each opens two blocks and one more for each of up to four signs
    open_ = [(-1, 0)]  # indentations, and how many blocks are open at most
    for line in _LINE.finditer(data):
        indent = len(line[1])
        while open_[-1][0] >= indent:
            open_.pop()
        open_.append((indent, open_[-1][1] + 2 + len(_SIGN.findall(line[2]))))
        if open_[-1][1] > BLOCKS:
            return False
    return True


def few_tags(data: bytes) -> bool:
    """Whether few elements of XML or HTML are open at once, as far as a glance can say.

    >>> few_tags(b"<a><b/><c><br></c></a>"), few_tags(b"<a>" * 501)
    (True, False)
    """
    steps = (0 if tag.endswith(b">") else -1 if tag == b"</" else 1 for tag in _TAG.findall(data))
    return max(accumulate(steps), default=0) <= TAGS
