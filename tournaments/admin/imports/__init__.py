"""Imports at the desk: the upload, a preview of its changes, and the import itself (ADR 0027)."""
