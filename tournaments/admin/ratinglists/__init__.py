"""Rating lists at the desk: imported, looked up, and taken over into an event."""
