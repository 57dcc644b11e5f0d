"""How much an upload may hold; what is beyond is refused before it is unpacked (docs/import.md)."""

from django.conf import settings


def most_bytes() -> int:
    """Return how many bytes the largest file may have."""
    return int(settings.IMPORT_MOST_BYTES)


def most_files() -> int:
    """Return how many files one archive may hold."""
    return int(settings.IMPORT_MOST_FILES)


def most_unpacked() -> int:
    """Return how many bytes the files of one archive may have together."""
    return int(settings.IMPORT_MOST_UNPACKED)


def most_ratio() -> int:
    """Return how many times larger than packed a file of an archive may be."""
    return int(settings.IMPORT_MOST_RATIO)


def in_megabytes(count: int) -> str:
    """Return a size in megabytes, as people read it."""
    return f"{count / 1024 / 1024:.0f} MB"
