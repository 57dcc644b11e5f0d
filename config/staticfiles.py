"""Storage of static files with hashed names."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Hashed and compressed files. Imports between our scripts are replaced with the hashed names."""

    # Django's option `support_js_module_import_aggregation` would also process scripts of packages and
    # fail, because an extension of htmx imports a file that its package does not contain.
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", (("""(?P<matched>from "(?P<url>[./][^"]+)";)""", 'from "%(url)s";'),)),
    )
