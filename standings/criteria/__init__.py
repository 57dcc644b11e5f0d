"""Criteria, ranking systems and values in words."""
