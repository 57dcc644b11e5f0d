"""Share and allocate prizes in exact numbers, without a database."""
