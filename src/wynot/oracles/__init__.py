"""THE TOUCH: artifact -> Report. An oracle says what to run and judges how it ended; others do the running.

An oracle's `examine` is a generator: it yields an Invocation, is sent how it Ended, and may yield another one; it
returns a Report. So one test may be one run of a program, or several (a validity check first, two programs
compared, a repetition), and whoever drives it need not know.
"""
