"""The imported files of an event, as the public sees them."""

from typing import NamedTuple

from tournaments import models
from tournaments.people.hiding.hidden_entries import without_hidden_names


class Original(NamedTuple):
    """The public facts of an imported file. Only the desk can download the file.

    `size`: in bytes, or None if unknown.
    """

    name: str
    size: int | None
    sha256: str


def originals_of(event: models.Event) -> list[Original]:
    """Return the imported files of an event in order, without duplicates. Two queries.

    Event files are left out, because they contain the event itself from another site. File names are
    redacted.
    """
    rows = event.uploads.exclude(applied=None).exclude(name__iendswith=".json").order_by("applied", "pk")
    told = rows.values_list("name", "size", "sha256")
    tell = without_hidden_names(event)
    files = dict.fromkeys(told)
    return [Original(tell(name.rpartition("/")[2]), size, digest) for name, size, digest in files]
