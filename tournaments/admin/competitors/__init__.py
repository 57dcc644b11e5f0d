"""Competitors and the players of teams, one by one and as a pasted list."""
