"""The write API: files and results from other programs (ADR 0047)."""
