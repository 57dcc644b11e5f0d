"""Rating lists of the federations, imported from their files and searched by name or id (ADR 0016).

Each list is a separate read-only SQLite file, for any database of the site.
"""
