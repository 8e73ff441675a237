"""THE HANDS: everything with a clock, a disk or a process. Asks what the mind wants to know and finds it out."""
