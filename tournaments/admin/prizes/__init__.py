"""Categories and prizes of an event."""
