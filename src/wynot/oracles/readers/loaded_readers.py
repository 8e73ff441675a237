"""All that reads what programs print: loaded together, and only where there is something to read."""

from wynot.oracles.readers.fallback import read as words
from wynot.oracles.readers.gdb import read as gdb
from wynot.oracles.readers.message_details import details, shortened, silent
from wynot.oracles.readers.registry import diagnose

__all__ = ["details", "diagnose", "gdb", "shortened", "silent", "words"]
