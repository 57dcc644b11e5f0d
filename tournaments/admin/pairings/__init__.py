"""Rounds and pairings on the desk."""
