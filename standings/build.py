"""The build that everything kept belongs to: standings, pages and archives (ADR 0034)."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings

MADE_OF = (
    ("standings", "*.py"),
    ("standings", "world.json"),
    ("tournaments", "*.py"),
    ("tournaments", "federations.json"),
    ("tournaments", "event.schema.json"),
    ("templates", "*.html"),
    ("templates", "*.txt"),
    ("static", "*.css"),
    ("static", "*.js"),
    ("locale", "*.mo"),
)
"""The folders and files that standings and pages are made of; the federations are read from their file."""


@cache
def build() -> str:
    """Return a hash of the code, templates and static files that this process runs.

    It is part of every key of the cache: two deploys may share one, and neither reads what the other kept.
    """
    digest = hashlib.blake2b(digest_size=6)
    for path in (*sorted(_sources()), *_site_texts()):
        digest.update(path.read_bytes())
    digest.update(settings.SITE_LICENCE.encode())  # pages of events print it
    return digest.hexdigest()


def _site_texts() -> list[Path]:
    """Return the operator's own texts, which every page links where there are any."""
    return sorted(Path(settings.SITE_TEXTS).glob("*.txt")) if settings.SITE_TEXTS else []


def _sources() -> Iterator[Path]:
    for folder, pattern in MADE_OF:
        yield from (settings.BASE_DIR / folder).rglob(pattern)
