"""The arbiter's desk: Django's admin, organised by task. Permissions are in `permissions`."""
