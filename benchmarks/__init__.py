"""The same work by us and by others, side by side; run with `python -m benchmarks` or `make bench`."""
