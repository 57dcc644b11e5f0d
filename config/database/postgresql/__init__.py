"""Database backend for Django: PostgreSQL with deadlines."""
