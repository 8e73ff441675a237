"""What a run has executed: read from what tools say about it, in the formats that they share."""
