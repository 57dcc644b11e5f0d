"""Production settings with a temporary database and temporary static files."""

import atexit
import os
import secrets
import shutil
import tempfile
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp(prefix="crosstable-benchmarks-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

os.environ |= {  # before the import of the settings, which read it
    "DEBUG": "0",
    "SECRET_KEY": secrets.token_urlsafe(64),
    "ALLOWED_HOSTS": "crosstable.example,localhost",
    # Not DATABASE_URL, which may be that of a real site.
    "DATABASE_URL": os.environ.get("BENCHMARKS_DATABASE_URL") or f"sqlite:///{FOLDER / 'db.sqlite3'}",
    "CACHE_URL": "locmemcache://",
    "ACCESS_LOG": "0",
    "SECURE_SSL_REDIRECT": "0",  # a browser in the same machine needs no certificate
}

from config.settings import *  # noqa: F403 - the environment comes first; every setting is wanted

ROOT_URLCONF = "tools.benchmarks.urls"
STATIC_ROOT = FOLDER / "static"
RATING_LISTS = FOLDER / "ratinglists"
STORAGES = {
    **STORAGES,  # noqa: F405
    # The hashed names of production, without the compression of all flags, which takes ten seconds.
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
}
