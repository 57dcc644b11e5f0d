"""The write path: one module for each act of an arbiter or organiser (docs/desk.md)."""
