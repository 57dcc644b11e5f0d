"""Scheduled maintenance: housekeeping, and backups of the database (docs/deployment.md)."""
