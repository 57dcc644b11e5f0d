"""Settings. Development needs no environment variables; production does (docs/deployment.md)."""

from importlib.util import find_spec
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.mailing import admins, mail_settings
from config.trace import sentry
from config.trace.logs import logging_settings

BASE_DIR = Path(__file__).resolve().parent.parent
# The wheel has the folders that are not packages in config/share (pyproject.toml).
SHARE = BASE_DIR if (BASE_DIR / "manage.py").is_file() else BASE_DIR / "config" / "share"
env = environ.Env()
# The folder of the database and all other files of the site.
HOME = Path(env.str("CROSSTABLE_HOME", default=str(BASE_DIR)))

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="only-for-a-laptop" if DEBUG else "")
if not SECRET_KEY:
    raise ImproperlyConfigured("Set SECRET_KEY; or DEBUG=1, on a laptop only.")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"] if DEBUG else [])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "tournaments",
    "standings",
    "config.apps.DeskConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "simple_history",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
]

MIDDLEWARE = [
    "config.trace.middleware.middleware",  # outermost, to log and time everything
    "config.database.deadlines.middleware",
    "config.security.cors_middleware",
    "config.outage.OutageMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.security.security_middleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "standings.serving.language.middleware",
    # before a missing slash is added, because redirects match exact URLs
    "standings.serving.redirects.middleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.desk.middleware",
]
SILENCED_SYSTEM_CHECKS = [
    # HSTS preloading concerns all hosts of the domain, which is the operator's decision.
    "security.W005",
    "security.W021",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [SHARE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["tournaments.templatetags.times"],
        },
    },
]

# --- database and cache -----------------------------------------------------------------------------------

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{HOME / 'db.sqlite3'}")}
DATABASES["default"]["CONN_MAX_AGE"] = 600
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "config.database.sqlite3"
    DATABASES["default"]["OPTIONS"] = {
        # Writers wait for the lock at the start instead of failing later with "database is locked".
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
            "PRAGMA mmap_size=134217728; PRAGMA cache_size=2000;"
        ),
    }
elif DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["default"]["ENGINE"] = "config.database.postgresql"

if env.str("REPLICA_URL", default=""):
    DATABASES["replica"] = env.db_url("REPLICA_URL") | {"CONN_MAX_AGE": 600}
    DATABASES["replica"]["ENGINE"] = "config.database.postgresql"
    DATABASE_ROUTERS = ["config.database.replica.Router"]

# Deadlines in seconds, 0 for none (docs/deployment.md). Those of requests are short, because a waiting
# thread serves no readers. The client's deadline `query` is longer: it applies if the server is frozen.
SERVED_DEADLINES = {
    "connect": env.float("DATABASE_CONNECT_SECONDS", default=2),
    "statement": env.float("DATABASE_STATEMENT_SECONDS", default=6),
    "lock": env.float("DATABASE_LOCK_SECONDS", default=3),
    "idle": env.float("DATABASE_IDLE_SECONDS", default=60),
    "answer": env.float("DATABASE_ANSWER_SECONDS", default=2),
    "query": env.float("DATABASE_QUERY_SECONDS", default=8),
}
COMMAND_DEADLINES = {
    "connect": env.float("COMMAND_CONNECT_SECONDS", default=10),
    "statement": env.float("COMMAND_STATEMENT_SECONDS", default=0),
    "lock": env.float("COMMAND_LOCK_SECONDS", default=60),
    "idle": env.float("COMMAND_IDLE_SECONDS", default=0),
    "answer": env.float("COMMAND_QUERY_SECONDS", default=0),
    "query": env.float("COMMAND_QUERY_SECONDS", default=0),
}
# Shorter than the proxy's timeout. Not limited in development, because of breakpoints.
READER_SECONDS = env.float("READER_SECONDS", default=0 if DEBUG else 15)
DESK_SECONDS = env.float("DESK_SECONDS", default=0 if DEBUG else 50)
THREADS = env.int("GRANIAN_BLOCKING_THREADS", default=16)  # of each worker; a part of them may wait
WORKERS = env.int("GRANIAN_WORKERS", default=1)  # they share the connections that PostgreSQL allows
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {"default": env.cache_url("CACHE_URL", default="locmemcache://")}
for _name in ("filebased.FileBasedCache", "redis.RedisCache"):
    # A failure of the cache only makes pages slower.
    if CACHES["default"]["BACKEND"] == f"django.core.cache.backends.{_name}":
        CACHES["default"]["BACKEND"] = f"config.backends.{_name.partition('.')[2]}"
_options = CACHES["default"].setdefault("OPTIONS", {})
if CACHES["default"]["BACKEND"].endswith("RedisCache"):  # Redis has its own limit
    if find_spec("redis") is None:
        raise ImproperlyConfigured("CACHE_URL needs the client of Redis: pip install 'crosstable[redis]'.")
    _options |= {"socket_timeout": 1, "socket_connect_timeout": 1, **_options}
else:
    # Django's default of 300 entries is about a hundred pages.
    _options.setdefault("MAX_ENTRIES", 5_000)

# File with the last served state (tournaments/operations/restore_guard.py); blank to disable.
EPOCH_FILE = env.str("EPOCH_FILE", default=str(HOME / "served.sqlite3"))
HIDDEN_FILE = env.str("HIDDEN_FILE", default=str(HOME / "hidden.json"))

# Archives that readers requested. They can be generated again and take up to a gigabyte.
ARCHIVES = Path(env.str("ARCHIVES", default=str(HOME / "archives")))

# Rating lists of the federations, one file each. They can be imported again.
RATING_LISTS = Path(env.str("RATING_LISTS", default=str(HOME / "ratinglists")))
RATING_LIST_MOST_BYTES = env.int("RATING_LIST_MOST_BYTES", default=120 * 1024 * 1024)  # per upload
KEEP_RATING_LISTS = env.int("KEEP_RATING_LISTS", default=3)  # per source and kind

# Longer jobs are stopped and reported as failed.
JOB_SECONDS = env.int("JOB_SECONDS", default=1_800)

# Seconds and memory for a pairing engine, which runs in a separate process, and the command of an external
# engine, in which {report} is replaced with the path of the tournament report.
PAIRING_SECONDS = env.int("PAIRING_SECONDS", default=300)
PAIRING_MEGABYTES = env.int("PAIRING_MEGABYTES", default=3_000)
PAIRING_COMMAND = env.str("PAIRING_COMMAND", default="")

# /readyz fails if less is free for the database, the cache or the archives.
LEAST_FREE_BYTES = env.int("LEAST_FREE_BYTES", default=64 * 1024 * 1024)

# Folder with imprint.txt and privacy.txt, and translations such as imprint.nl.txt. If blank, these pages do
# not exist.
SITE_TEXTS = env.str("SITE_TEXTS", default="")

# Licence of the data of events without their own licence: an SPDX id or free text.
SITE_LICENCE = env.str("SITE_LICENCE", default="")

# Time of the last takedown, for all processes while the database is down.
MARKS = Path(env.str("MARKS", default=str(HOME / "marks")))

# Lock files that limit how many files the processes of this machine read at a time.
LOCKS = Path(env.str("LOCKS", default=str(HOME / "locks")))

# --- accounts ---------------------------------------------------------------------------------------------

PASSWORD_HASHERS = [
    "tournaments.accounts.services.login_delays.LeanArgon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]

LOGIN_URL, LOGIN_REDIRECT_URL = "admin:login", "admin:index"
# Number of our proxies that write X-Forwarded-For. Required in production (config/checks.py).
PROXIES = env.int("PROXIES", default=None)

# Wrong codes are delayed like wrong passwords (tournaments/accounts/services/login_delays.py). With a delay
# for the device, an attacker who knows the password could lock the owner out.
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0
# Validity of invitation links. Links to reset a password are valid for two hours.
PASSWORD_RESET_TIMEOUT = env.int("INVITATION_DAYS", default=14) * 24 * 60 * 60

OTP_REQUIRED = env.bool("OTP_REQUIRED", default=False)  # close the desk to users without a second factor
# Roles that need a passkey at the desk: arbiters, organisers, superusers.
PASSKEY_REQUIRED_FOR = env.list("PASSKEY_REQUIRED_FOR", default=[])
OTP_TOTP_ISSUER = "Crosstable"

# --- mail: errors to admins, account mails to users -------------------------------------------------------

MAIL_TIMEOUT = env.int("EMAIL_TIMEOUT", default=10)  # timeout of the mail server in seconds
_email = env.email_url("EMAIL_URL", default="consolemail://" if DEBUG else "dummymail://")
vars().update(mail_settings({**_email, "EMAIL_TIMEOUT": MAIL_TIMEOUT}))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="webmaster@localhost")
SERVER_EMAIL = env.str("SERVER_EMAIL", default=DEFAULT_FROM_EMAIL)
EMAIL_SUBJECT_PREFIX = "[Crosstable] "
ADMINS = admins(env.list("ADMINS", default=[]))

# --- observability: docs/deployment.md, "Logs and metrics" ------------------------------------------------

LOG_FORMAT = env.str("LOG_FORMAT", default="line")
LOGGING = logging_settings(LOG_FORMAT, env.str("LOG_LEVEL", default="INFO"))
ACCESS_LOG = env.bool("ACCESS_LOG", default=not DEBUG)  # runserver has its own
SLOW_REQUEST_SECONDS = env.float("SLOW_REQUEST_SECONDS", default=1.0)
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
if METRICS_TOKEN and not DEBUG and not env.str("PROMETHEUS_MULTIPROC_DIR", default=""):
    raise ImproperlyConfigured(
        "METRICS_TOKEN needs PROMETHEUS_MULTIPROC_DIR, where the workers are added up."
    )
SENTRY_DSN = env.str("SENTRY_DSN", default="")
if SENTRY_DSN:
    sentry.start(SENTRY_DSN)

# --- language and files -----------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("nl", "Nederlands")]  # complete translations (docs/translation.md)
LOCALE_PATHS = [SHARE / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
TIME_ZONE = "UTC"
USE_I18N = True
URLIZE_ASSUME_HTTPS = True  # as in later versions of Django; 5.2 assumes HTTP
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(HOME / "staticfiles")))
STATICFILES_DIRS = [SHARE / "static", ("pictures", SHARE / "docs" / "pictures")]  # those of the guide
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.backends.HashedStaticFilesStorage",
    },
}

# Permanent address of the site, such as https://results.example, used for permanent names (the schema of
# event files), archives and commands. If blank, the host of the request is used, and the first allowed host
# in commands.
SITE_ADDRESS = env.str("SITE_ADDRESS", default="").rstrip("/")

# --- import limits, checked before unpacking (docs/import.md) ---------------------------------------------

IMPORT_MOST_BYTES = env.int("IMPORT_MOST_BYTES", default=32 * 1024 * 1024)  # per upload
IMPORT_MOST_UNPACKED = env.int("IMPORT_MOST_UNPACKED", default=512 * 1024 * 1024)  # all files of an archive
IMPORT_MOST_FILES = env.int("IMPORT_MOST_FILES", default=5_000)  # in an archive
IMPORT_MOST_RATIO = env.int("IMPORT_MOST_RATIO", default=200)  # unpacked size divided by packed size
# Enough for a million pasted characters and a results form with thousands of games. Larger forms are
# refused with a message.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

# --- housekeeping: what is deleted, and when (docs/deployment.md) -----------------------------------------

KEEP_LOGINS_DAYS = env.int("KEEP_LOGINS_DAYS", default=90)
KEEP_PROPOSALS_DAYS = env.int("KEEP_PROPOSALS_DAYS", default=2)
# files of archives of several events that were not imported
KEEP_BUNDLES_DAYS = env.int("KEEP_BUNDLES_DAYS", default=30)
KEEP_UPLOADS_DAYS = env.int("KEEP_UPLOADS_DAYS", default=0)  # 0 for no limit of time
KEEP_UPLOADS_BYTES = env.int("KEEP_UPLOADS_BYTES", default=2_000_000_000)
KEEP_BACKUPS = env.int("KEEP_BACKUPS", default=20)

# An empty PostgreSQL database for the checks of `manage.py backup`, if it may not create one. Not a command
# line option, because all users of the machine can read those.
SCRATCH_DATABASE_URL = env.str("SCRATCH_DATABASE_URL", default="")

# --- security ---------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
SECURE_REFERRER_POLICY = "same-origin"
SECURITY_CONTACT = env.list("SECURITY_CONTACT", default=[])  # mailto:… or https://…, for security.txt
SESSION_ENGINE = "tournaments.accounts.services.sessions"
CSRF_FAILURE_VIEW = "config.views.csrf_failure"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
# A playing day including its evening round. Accidentally closing the browser must not end the session
# during a round.
SESSION_COOKIE_AGE = 16 * 60 * 60
# False for a site that is reached without TLS, in a hall or on a laptop: `crosstable serve`.
HTTPS = env.bool("HTTPS", default=not DEBUG)
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=False)
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    # Browsers accept cookies with this prefix only from this host, not from another subdomain.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
