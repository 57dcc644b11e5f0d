"""Persons and teams across events: owners of entries, public data, and evidence for links."""
