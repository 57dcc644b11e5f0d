"""The list of events, what is found in it, and what editions of a series come to."""
