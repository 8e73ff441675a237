"""Read, write, copy, watch and remove files and folders."""
