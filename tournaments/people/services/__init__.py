"""Changes of persons and teams: links by imports, decisions by users, and their undo (ADR 0040)."""
