"""Values of Python programs as deltas: strings, lists, dicts, nested data, the arguments of a call."""
