"""`trace`: record a run, replay parts of it, and search among its statements."""
