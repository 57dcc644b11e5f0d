"""The medal table and the all-time table of a series."""
