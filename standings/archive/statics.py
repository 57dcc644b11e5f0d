"""The style, the icon and the flags that pages of an archive show."""

from functools import cache as once
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

FOLDER = "static/"


class Statics:
    """The static files that pages asked for so far, by the name they have in an archive."""

    def __init__(self) -> None:
        self.used: set[str] = set()

    def find(self, address: str) -> str | None:
        """The file of the archive that has the static file of that address; None for any other address."""
        if not address.startswith(settings.STATIC_URL):
            return None
        name = address.removeprefix(settings.STATIC_URL)
        file = f"{FOLDER}{_plain_names().get(name, name)}"
        self.used.add(file)
        return file


def content_of(file: str) -> bytes:
    """The bytes of a static file of an archive; LookupError where there is none."""
    found = finders.find(file.removeprefix(FOLDER))
    if found is None:
        raise LookupError(f"There is no {file}.")
    return Path(found).read_bytes()


@once
def _plain_names() -> dict[str, str]:
    """The names in the tree by those with a hash: an archive is the same wherever it is made."""
    # Only the storage of production has hashed names.
    hashed: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    return {served: plain for plain, served in hashed.items()}
