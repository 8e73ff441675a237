"""One small file for each kind of program whose failures are understood by their output."""
