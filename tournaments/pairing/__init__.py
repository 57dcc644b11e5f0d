"""Proposals of pairings."""
