"""Read the user's git repository: revisions, diffs, patches."""
