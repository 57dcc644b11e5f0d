"""Standings as tables: columns, cells, rows and sorting."""
