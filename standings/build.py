"""A hash of the code, part of the cache keys of standings, pages and archives (ADR 0034)."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings

MADE_OF = (
    ("standings", "*.py"),
    ("standings", "world.json"),
    ("tournaments", "*.py"),
    ("tournaments", "federations.json"),
    ("templates", "*.html"),
    ("templates", "*.txt"),
    ("static", "*.css"),
    ("static", "*.js"),
    ("locale", "*.mo"),
)
"""Folders and files that affect standings and pages, among them the file of federations."""


@cache
def build() -> str:
    """Return a hash of the code, templates and static files of this process.

    It is part of every cache key, so that two releases can share a cache.
    """
    digest = hashlib.blake2b(digest_size=6)
    roots = {settings.BASE_DIR, settings.SHARE}
    sources = (path for root in roots for name, pattern in MADE_OF for path in (root / name).rglob(pattern))
    texts = Path(settings.SITE_TEXTS).glob("*.txt") if settings.SITE_TEXTS else ()
    for path in (*sorted(sources), *sorted(texts)):
        digest.update(path.read_bytes())
    digest.update(settings.SITE_LICENCE.encode())  # printed on pages of events
    return digest.hexdigest()
