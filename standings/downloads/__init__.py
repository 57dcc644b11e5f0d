"""The downloads of an event."""
