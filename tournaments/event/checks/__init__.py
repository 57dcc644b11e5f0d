"""The checks of an event, a module per part of the file."""
