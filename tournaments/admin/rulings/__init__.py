"""Rulings of arbiters: tie-breaks, ranking system, overrides, and accepted warnings."""
