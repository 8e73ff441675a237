"""One package or module per question that users ask; they do not import each other."""
