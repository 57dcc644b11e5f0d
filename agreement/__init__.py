"""Whether our values are those that others publish, or that FIDE's own engine finds."""
