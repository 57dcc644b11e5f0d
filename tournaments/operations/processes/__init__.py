"""Work in separate processes with limits."""
