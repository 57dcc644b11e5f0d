"""The event file (docs/event-file.md)."""
