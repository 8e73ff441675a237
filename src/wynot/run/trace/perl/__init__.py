"""Rewrites Perl programs; Wynot.pm is what they call."""
