"""A document beside what is stored: what differs, and how it is applied."""
