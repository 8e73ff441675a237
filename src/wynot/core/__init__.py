"""The vocabulary of all other packages: frozen values; no clock, disk or process."""
