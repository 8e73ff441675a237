"""The same stages as for the room `run`."""

from tests.run.conftest import commoner, stage

__all__ = ["commoner", "stage"]
