"""Accounts, logins and the second factor."""
