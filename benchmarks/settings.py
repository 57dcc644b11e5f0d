"""The settings of production, with a database and static files that are gone when the process ends."""

import atexit
import os
import secrets
import shutil
import tempfile
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp(prefix="crosstable-benchmarks-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

os.environ |= {  # before the settings: they read it
    "DEBUG": "0",
    "SECRET_KEY": secrets.token_urlsafe(64),
    "ALLOWED_HOSTS": "crosstable.example",
    # Not DATABASE_URL itself: that may be somebody's site.
    "DATABASE_URL": os.environ.get("BENCHMARKS_DATABASE_URL") or f"sqlite:///{FOLDER / 'db.sqlite3'}",
    "CACHE_URL": "locmemcache://",
}

from config.settings import *  # noqa: F403 - the environment comes first; every setting is wanted

ROOT_URLCONF = "benchmarks.urls"
STATIC_ROOT = FOLDER / "static"
RATING_LISTS = FOLDER / "ratinglists"
STORAGES = {
    **STORAGES,  # noqa: F405
    # The same hashed names as in production, without the ten seconds that compressing takes.
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
}
