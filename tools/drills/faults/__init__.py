"""A module for each fault."""
