"""Benchmarks against other software; run with `python -m benchmarks` or `make bench`."""
