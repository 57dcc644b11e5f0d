"""Redirect: where an address of the site that was here before leads now."""

from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

from django.db import models
from django.utils.encoding import iri_to_uri

LONGEST_PATH = 500


class Redirect(models.Model):
    """An address of an old site and ours that it leads to, for ever; it hangs on no event.

    `path` is as `tournaments.models.redirect.key_of` writes it: decoded, in small letters, without a slash
    at its end, what it asks for in order.
    """

    path = models.CharField(max_length=LONGEST_PATH, unique=True)
    target = models.CharField(max_length=LONGEST_PATH)

    class Meta:
        ordering = ["path"]

    def __str__(self) -> str:
        return self.path


def key_of(path: str, query: str) -> str:
    """Return an address of the old site in one spelling: its decoded path, and what stands behind the `?`.

    Capital letters, a slash at the end and the order of what is asked for make no difference.
    """
    # Old sites ran on servers that knew no capitals, and links to them were typed by hand.
    key = "/" + path.strip("/").lower()
    asked = urlencode(sorted(parse_qsl(query, keep_blank_values=True))).lower()
    return f"{key}?{asked}" if asked else key


def split_address(address: str) -> tuple[str, str]:
    """Return decoded path and query of an address as it is written: whole, or from its path on."""
    parts = parts_of(address)
    return unquote(parts.path), parts.query


def parts_of(address: str) -> SplitResult:
    """Return the parts of an address; what is none is a path."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", address, "", "")


def target_of(path: str, query: str) -> str | None:
    """Return where an address leads that is none of ours, None for nowhere; one query.

    What it asks for counts where that very question is recorded, and is dropped otherwise.
    """
    key, whole = key_of(path, ""), key_of(path, query)
    if len(key) > LONGEST_PATH or not key.isprintable():
        return None  # no list has such a line, and not every database takes the question
    found = dict(Redirect.objects.filter(path__in={key, whole}).values_list("path", "target"))
    # One query for both: this runs for every address that is not there.
    target = found.get(whole) or found.get(key)
    return iri_to_uri(target) if target else None
