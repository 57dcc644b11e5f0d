"""Rating lists of the federations: imported from their files, searched by name and id (ADR 0016).

Each list is a read-only SQLite file of its own, on whatever database the site runs.
"""
