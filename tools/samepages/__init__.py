"""Compare all pages and files of two revisions, for changes that must not affect them."""
