"""Compare an imported document with the database, and apply the differences."""
