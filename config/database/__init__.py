"""Database backends with deadlines, their exceptions, and limits on the number of waiting threads."""
