"""Rounds and pairings: opened and closed, typed, pasted, generated, changed by hand."""
