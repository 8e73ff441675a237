"""Run tests: in this process, as local processes, in a fork server, on a Dask cluster."""
