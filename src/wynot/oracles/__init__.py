"""Oracles decide what to run for a candidate and judge how it ended; they do not run anything themselves.

An oracle's `examine` is a generator: it yields an Invocation, is sent its ProcessExit, may yield another one, and
returns a Report. So a test may be one run of a program or several (a validity check first, two programs compared, a
repetition), and whoever drives it need not know.
"""
