"""How static files are stored where their names carry a hash."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Hashed and compressed files, in which our scripts import each other under their hashed names."""

    # Django's own switch, `support_js_module_import_aggregation`, looks into the scripts of packages too, and
    # fails: an extension of htmx imports what its package does not bring along.
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", (("""(?P<matched>from "(?P<url>[./][^"]+)";)""", 'from "%(url)s";'),)),
    )
