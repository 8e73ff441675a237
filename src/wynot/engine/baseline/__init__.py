"""The runs of the unchanged artifact before the search, and the runs that confirm a result."""
