"""Database backend for Django: SQLite with deadlines."""
