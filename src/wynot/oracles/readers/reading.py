"""All that reads what programs print: loaded together, and only where there is something to read."""

from wynot.oracles.readers.all import diagnose
from wynot.oracles.readers.details import details, shortened, silent
from wynot.oracles.readers.gdb import read as gdb
from wynot.oracles.readers.words import read as words

__all__ = ["details", "diagnose", "gdb", "shortened", "silent", "words"]
