"""What runs by the clock beside the site: housekeeping, and backups of the database (docs/deployment.md)."""
