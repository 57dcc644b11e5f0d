"""The static archive of an event: its public pages and files for reading from a disk (docs/archive.md)."""
