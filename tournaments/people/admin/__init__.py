"""Persons and teams over events: who is meant by which entry, for organisers alone."""
