"""The arbiter's desk: Django's admin, by task. What a role may do is in `permissions` alone."""
