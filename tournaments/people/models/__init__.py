"""Persons, teams, their links to entries, and the tallies of their lists.

Foreign keys name the models of events, so that this package imports none of them.
"""
