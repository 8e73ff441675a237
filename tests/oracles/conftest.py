"""The same stages as for the room `run`."""

from tests.run.conftest import benches, stage

__all__ = ["benches", "stage"]
