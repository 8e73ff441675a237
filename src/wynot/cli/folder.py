"""What the command line says about folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from wynot.core.pasted import pasted
from wynot.errors import UsageError
from wynot.oracles.words import HOLE
from wynot.run.real_path import real_path


def folder_target(name: str, output: str | None) -> Path:
    """Where the result goes."""
    if output == "-":
        raise UsageError(
            "a folder does not fit into standard output", f"name a folder: -o {pasted(f'{name[:40]}.reduced')}"
        )
    return Path(output) if output is not None else Path(f"{name}.reduced")


def beside_the_copy(command: tuple[str, ...], original: Path) -> Iterator[str]:
    """Warnings for the words of a command that name the original, where the copy was meant most likely."""
    whole = real_path(original)
    for word in command[1:]:
        if word.startswith("-") or HOLE in word or not word:
            continue
        try:
            inside = real_path(Path(word)).relative_to(whole)
            there = Path(word).exists()
        except (OSError, ValueError):
            continue
        if there:
            meant = HOLE if inside == Path() else f"{HOLE}/{inside}"
            yield f"{word} is of the original, and the same in all tests; what is tested is {meant}"
    if any(HOLE in word for word in command):
        return
    for word in command[1:]:
        if word.startswith("/") and whole.is_relative_to(real_path(Path(word))) and whole != real_path(Path(word)):
            yield f"{word} holds the original, which is the same in all tests; name that folder by a relative path"
