"""An event as a whole: its desk, settings, new events and editions, publication and backups."""
