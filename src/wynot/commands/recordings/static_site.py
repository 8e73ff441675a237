"""The pages of a recording from a folder."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
        """Say nothing."""


class StaticSite:
    """A web server of a folder."""

    def __init__(self, folder: str) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=folder))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()


def origin(url: str) -> str:
    """Where a page comes from.

    >>> origin("http://localhost:8000/a/b?c")
    'http://localhost:8000'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
