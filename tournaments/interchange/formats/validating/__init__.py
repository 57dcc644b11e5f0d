"""Validation of files without storing anything: findings with lines, and a summary of the contents."""
