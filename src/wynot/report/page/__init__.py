"""The report of a run: one page that opens everywhere, offline; or the same as Markdown, JSON or a picture."""
