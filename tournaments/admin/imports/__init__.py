"""Imports at the desk: an upload, a preview of what it would change, and the change itself (ADR 0027)."""
