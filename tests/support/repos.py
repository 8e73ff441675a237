"""Small git repositories for tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

DAY = 86_400


class Repo:
    """A repository in which each commit is a day younger than the one before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.day = 0
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        date = f"{1_000_000_000 + self.day * DAY} +0000"
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.path.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "a@example.com",
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": date,
        }
        command = ["git", "-c", "protocol.file.allow=always", *arguments]
        return subprocess.run(
            command, cwd=self.path, env=env, check=True, capture_output=True, text=True
        ).stdout.strip()

    def write(self, files: dict[str, bytes | None]) -> None:
        for name, data in files.items():
            path = self.path / name
            if data is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)

    def commit(self, subject: str, files: dict[str, bytes | None] | None = None) -> str:
        """A commit of these files; None takes one away."""
        self.day += 1
        self.write(files or {})
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def state(self) -> tuple[object, ...]:
        """All that must stay as it is: branches, stashes, the index, the files."""
        index = (self.path / ".git" / "index").read_bytes()
        files = sorted((str(path), path.read_bytes()) for path in self.path.rglob("*") if path.is_file())
        return self.git("for-each-ref"), self.git("status", "--porcelain"), index, files
