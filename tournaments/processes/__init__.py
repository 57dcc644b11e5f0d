"""Work in processes of its own, with limits."""
