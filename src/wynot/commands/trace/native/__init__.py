"""Modules that run inside gdb."""
