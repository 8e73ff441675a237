"""`reduce`: the smallest failing part of a file or a folder."""
