"""The write path: a module for each task of an arbiter or organiser (docs/recording.md)."""
