"""A database backend for Django, named by this package: PostgreSQL within deadlines."""
