"""Persons and teams over events: whose entry it is, what readers are told, what speaks for a link."""
