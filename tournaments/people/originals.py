"""The files that an event was imported from, as readers are told of them."""

from typing import NamedTuple

from tournaments import models
from tournaments.people.hiddenentries import without_hidden_names


class Original(NamedTuple):
    """A file that an event was imported from: what is told of it; its bytes are the desk's alone.

    `size` is in bytes, None where it is not known any more.
    """

    name: str
    size: int | None
    sha256: str


def originals_of(event: models.Event) -> list[Original]:
    """Return the files that an event was imported from, in their order and each once; one query.

    An event file is none of them: it is the record itself, on its way from another site. The name of a file
    names nobody who is hidden in the event; one query more.
    """
    rows = event.uploads.exclude(applied=None).exclude(name__iendswith=".json").order_by("applied", "pk")
    told = rows.values_list("name", "size", "sha256")
    tell = without_hidden_names(event)
    files = dict.fromkeys(told)
    return [Original(tell(name.rpartition("/")[2]), size, digest) for name, size, digest in files]
