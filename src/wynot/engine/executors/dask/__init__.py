"""Run tests on the workers of a Dask cluster (docs/decisions/0017)."""
