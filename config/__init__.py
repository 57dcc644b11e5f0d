"""The Django project: settings, URLs, the server and the command `crosstable`."""

__version__ = "1.0.0"
