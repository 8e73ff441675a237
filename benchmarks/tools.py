"""What is compared: wynot in its variants, and the peers."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import common
import peers

VARIANTS = {"wynot prefer": ("--validity", "prefer"), "wynot strict": ("--validity", "strict")}


@dataclass(frozen=True, slots=True)
class Tool:
    """wynot with some options, or a peer."""

    name: str
    options: tuple[str, ...] = ()
    peer: peers.Peer | None = None

    def argv(self, job: peers.Job) -> list[str]:
        if self.peer:
            return list(map(str, self.peer.argv(self.peer.path() or "", job)))
        argv = ["reduce", job.input, "--test", job.test, "-o", job.output, "-j", job.jobs, "--json", "-q", "--fresh"]
        return [sys.executable, "-m", "wynot", *map(str, argv), *self.options]

    def result(self, job: peers.Job) -> Path:
        return job.input if self.peer and self.peer.in_place else job.output


def wynots(more: str) -> list[Tool]:
    """The variants of wynot that this wynot has."""
    options = tuple(shlex.split(more))
    told = common.run([sys.executable, "-m", "wynot", "reduce", "--help"]).stdout
    if "--validity" not in told or "--validity" in options:
        return [Tool("wynot", options)]
    return [Tool(name, (*chosen, *options)) for name, chosen in VARIANTS.items()]


def found_peers(names: Sequence[str]) -> Iterator[Tool]:
    unknown = set(names) - {peer.name for peer in peers.PEERS} - {"none"}
    if unknown:
        raise SystemExit(f"no such peer: {', '.join(sorted(unknown))}; there are {all_peers()}")
    for peer in peers.PEERS:
        if peer.name in names:
            yield Tool(peer.name, peer=peer)


def all_peers() -> str:
    return ",".join(peer.name for peer in peers.PEERS)
