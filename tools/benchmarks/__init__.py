"""Benchmarks against other software; run with `python -m tools.benchmarks` or `make bench`."""
