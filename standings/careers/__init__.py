"""Careers of persons and teams over all events, from cached standings and from boards."""
