"""The search for events, persons and teams, by the full-text search of the database (ADR 0039)."""
