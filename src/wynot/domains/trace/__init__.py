"""Execution traces as deltas: present = the statement is executed, absent = it is skipped (2000, section 6)."""
