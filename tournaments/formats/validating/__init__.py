"""Files looked at without storing anything: what is wrong with them, in which line, and what they hold."""
