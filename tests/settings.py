"""The settings that tests run under: a laptop's, made quick and silent."""

import os

os.environ["DEBUG"] = "1"  # before the settings: they refuse to start without it or SECRET_KEY

from config.settings import *  # noqa: F403 - the environment comes first; every setting is wanted

if "sqlite" in DATABASES["default"]["ENGINE"]:  # noqa: F405 - of the settings
    # Said, because pytest-django knows Django's own backend only: each worker has a database in memory.
    DATABASES["default"]["TEST"] = {"NAME": ":memory:"}  # noqa: F405 - the same

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # Argon2 is slow on purpose

# The static files as they lie in the tree: no manifest, no collectstatic.
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

SITE_TEXTS = str(BASE_DIR / "tests" / "texts")  # noqa: F405 - the same

HIDDEN_FILE = ""
EPOCH_FILE = ""  # a test that is rolled back makes the database older than what was served
