"""Persons and teams across events: links to entries, merges and hidden names. For organisers only."""
