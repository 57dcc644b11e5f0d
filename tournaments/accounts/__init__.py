"""User accounts: login, sessions, passkeys, the second factor, and their management by organisers."""
