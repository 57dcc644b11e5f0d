"""Comparison of computed standings with published ones (rules § 6)."""
