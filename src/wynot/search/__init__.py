"""Strategies: pure searches over configurations (see wynot.core.trial).

No clock, no disk, no thread, no process, no log in here; randomness comes in as a seeded Random. What a strategy can
predict it does not ask.
"""
