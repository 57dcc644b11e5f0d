"""Competitors and players of teams: forms, the register, pasted lists and attendance."""
