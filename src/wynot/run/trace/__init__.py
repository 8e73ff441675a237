"""`trace`: record a run, replay parts of it."""
