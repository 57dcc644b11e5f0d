"""Rebuild stored data that is derived by code, after a change of that code.

These are the keys for finding namesakes and the search index. Each has a description of its algorithm; the
site stores the last one used and compares it after each `migrate`.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.db import connection

from tournaments.models import SiteRevision
from tournaments.operations.compatibility import is_current
from tournaments.operations.epoch import ONLY_SITE
from tournaments.people.matching.names import names_form
from tournaments.people.services.name_keys import renew_keys
from tournaments.search.index import index_all, search_form


class Derived(NamedTuple):
    """Derived data: column with the stored description, function for the current one, and rebuilding."""

    column: str
    form: Callable[[], str]
    renew: Callable[[], None]


DERIVED = (Derived("names_form", names_form, renew_keys), Derived("search_form", search_form, index_all))


def rebuild_stale_indexes(using: str, **_: object) -> None:
    """Rebuild outdated derived data after a `migrate`."""
    if connection.alias != using or not is_current(using):  # for example after a partial `migrate`
        return
    site = SiteRevision.objects.filter(pk=ONLY_SITE)
    for each in DERIVED:
        form = each.form()
        if site.exclude(**{each.column: form}).exists():
            each.renew()
            site.update(**{each.column: form})
