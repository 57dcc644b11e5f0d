"""Comparison of our values with published values and with FIDE's own engine."""
