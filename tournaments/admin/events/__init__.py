"""An event as a whole: its desk, its settings, new events and editions, publication, backups."""
