"""The public pages, a module for each."""
