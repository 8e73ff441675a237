"""One test of `wynot events`: asks a keeper to replay a recording, says what it saw, and ends as it says.

Run as a script of its own, by `python -I -S`, so that it costs next to nothing.
"""

from __future__ import annotations

import json
import os
import socket
import sys

SOCKET = "WYNOT_KEEPER"
"""The variable that says where the keepers are."""


def main() -> int:
    """Ask, and print the answer."""
    place = os.environ.get(SOCKET)
    if place is None:
        print("no keeper is there: to replay by hand, use wynot events replay", file=sys.stderr)
        return 125
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(place)
        asking.sendall(sys.argv[-1].encode() + b"\n")
        answer = b"".join(iter(lambda: asking.recv(65536), b""))
    if not answer:
        print("the keeper is gone", file=sys.stderr)
        return 125
    code, text = json.loads(answer)
    print(text, file=sys.stderr)
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
