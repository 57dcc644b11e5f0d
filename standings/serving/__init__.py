"""Caching, conditional requests and languages of public pages."""
