"""Redirects from the addresses of a former site."""

from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

from django.db import models
from django.utils.encoding import iri_to_uri

LONGEST_PATH = 500


class Redirect(models.Model):
    """A permanent redirect from an address of a former site, independent of events.

    `path`: as `tournaments.models.redirect.address_key` returns it: decoded, in lower case, without trailing
    slash, with a sorted query.
    """

    path = models.CharField(max_length=LONGEST_PATH, unique=True)
    target = models.CharField(max_length=LONGEST_PATH)

    class Meta:
        ordering = ["path"]

    def __str__(self) -> str:
        return self.path


def address_key(path: str, query: str) -> str:
    """Return the normalised address of the former site: decoded path, and query.

    Case, a trailing slash and the order of parameters are ignored.
    """
    # Former sites ran on case-insensitive servers, and links to them were typed by hand.
    key = "/" + path.strip("/").lower()
    sorted_query = urlencode(sorted(parse_qsl(query, keep_blank_values=True))).lower()
    return f"{key}?{sorted_query}" if sorted_query else key


def split_address(address: str) -> tuple[str, str]:
    """Return decoded path and query of a complete address or a path."""
    parts = address_parts(address)
    return unquote(parts.path), parts.query


def address_parts(address: str) -> SplitResult:
    """Return the parts of an address. An invalid address is returned as a path."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", address, "", "")


def target_of(path: str, query: str) -> str | None:
    """Return the target of an unknown address, or None. A single query.

    The query string counts only if a redirect with the same query string exists.
    """
    key, whole = address_key(path, ""), address_key(path, query)
    if len(key) > LONGEST_PATH or not key.isprintable():
        return None  # no redirect has such a path, and some databases refuse it in a query
    found = dict(Redirect.objects.filter(path__in={key, whole}).values_list("path", "target"))
    # A single query for both, because it runs for every unknown address.
    target = found.get(whole) or found.get(key)
    return iri_to_uri(target) if target else None
