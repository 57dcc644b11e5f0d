"""Bytes to a document and back: event files, tournament reports and tables; no database, no desk."""
