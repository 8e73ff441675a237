"""Which cuts and replacements the nodes of a syntax tree allow."""
