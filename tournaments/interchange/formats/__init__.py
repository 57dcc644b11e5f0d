"""Documents from bytes and back: event files, tournament reports, tables. Without the database."""
