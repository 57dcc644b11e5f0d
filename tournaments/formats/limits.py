"""How much an upload may hold; what is beyond is refused before it is unpacked (docs/import.md)."""

from django.conf import settings


def most_bytes() -> int:
    """The largest file."""
    return int(settings.IMPORT_MOST_BYTES)


def most_files() -> int:
    """The most files in one archive."""
    return int(settings.IMPORT_MOST_FILES)


def most_unpacked() -> int:
    """The most bytes that the files of one archive have together."""
    return int(settings.IMPORT_MOST_UNPACKED)


def most_ratio() -> int:
    """How many times larger than packed a file of an archive may be."""
    return int(settings.IMPORT_MOST_RATIO)


def in_megabytes(count: int) -> str:
    """A size as people read it."""
    return f"{count / 1024 / 1024:.0f} MB"
