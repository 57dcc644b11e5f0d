"""What readers search: texts of events, persons and teams, in the full text of the database (ADR 0039)."""
