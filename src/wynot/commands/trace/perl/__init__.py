"""Rewrite Perl programs to record and to replay them; Wynot.pm is their runtime."""
