"""Descriptions of criteria, ranking systems and values."""
