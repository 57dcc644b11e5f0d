"""Tables of competitors and of results, from CSV, XLSX or pasted text, into a document (docs/import.md)."""
