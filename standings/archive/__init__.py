"""The static archive of an event: its public pages and files, to be opened from a disk (docs/archive.md)."""
