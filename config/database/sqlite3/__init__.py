"""A database backend for Django, named by this package: SQLite within deadlines."""
