"""Rating lists of the federations: imported from their files, searched by name and id (ADR 0064).

Each list is a read-only SQLite file of its own, on whatever database the site runs.
"""
