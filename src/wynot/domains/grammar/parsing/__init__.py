"""Parse texts by a context-free grammar."""
