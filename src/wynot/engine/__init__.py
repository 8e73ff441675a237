"""What all commands share: driver, tester, session, baseline, journal, executors, records."""
