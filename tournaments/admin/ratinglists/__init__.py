"""Rating lists at the desk: import, lookup, and updates of an event's ratings."""
