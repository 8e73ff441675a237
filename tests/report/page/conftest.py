"""The same stage as for the room `run`."""

from tests.run.conftest import stage

__all__ = ["stage"]
