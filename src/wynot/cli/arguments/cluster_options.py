"""`--cluster` and what goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from wynot.errors import UsageError

if TYPE_CHECKING:  # loaded by those who have one
    from wynot.engine.executors.dask.cluster_address import Cluster

CLUSTERING = (
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Run the tests on a Dask cluster: tcp://HOST:8786, tls://HOST:8786, or local:N. The result is the same.",
    ),
    click.option("--cluster-tls-ca", metavar="FILE", help="The certificate that signs those of a tls:// cluster..."),
    click.option("--cluster-tls-cert", metavar="FILE", help="... our own certificate ..."),
    click.option("--cluster-tls-key", metavar="FILE", help="... and its key [Dask's own configuration]."),
)


def given_cluster(given: dict[str, Any]) -> Cluster | None:
    """The cluster that was asked for; None: tests run here."""
    names = {name: given.get(f"cluster_tls_{name}") for name in ("ca", "cert", "key")}
    if given.get("cluster") is None:
        if any(names.values()):
            raise UsageError("--cluster-tls-... says how to talk to a cluster; which one?", "add --cluster ADDRESS")
        return None
    context = click.get_current_context(silent=True)
    if context is not None and context.get_parameter_source("jobs") is ParameterSource.COMMANDLINE:
        raise UsageError(
            "a cluster decides itself how many tests run at once", "leave out -j (or --cluster; local:N is N at once)"
        )
    from wynot.engine.executors.dask.cluster_address import Cluster  # noqa: PLC0415 - for those who ask for it

    return Cluster(given["cluster"], **names)


def only_here(given: dict[str, Any], why: str) -> None:
    """Say so where a command cannot use a cluster."""
    if given.get("cluster") is not None:
        raise UsageError(f"--cluster cannot be used here: {why}", "leave it out; -j N runs several tests at once here")
