"""The record of a run: what was asked, what was tested, how it ended. It lies in the run's journal."""
