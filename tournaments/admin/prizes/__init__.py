"""Categories and prizes of an event at the desk."""
