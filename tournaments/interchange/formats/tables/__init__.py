"""Documents from tables of competitors and results: CSV, XLSX or pasted text (docs/import.md)."""
