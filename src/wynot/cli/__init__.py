"""The command line: arguments -> frozen options -> a run -> files."""
