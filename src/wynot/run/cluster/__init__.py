"""Tests on many machines: a bench (`bench`) that hands them to the workers of a Dask cluster (docs/decisions/0017)."""
