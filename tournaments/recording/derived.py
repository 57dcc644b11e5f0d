"""What is stored although it follows from the record, by rules of the code: made anew when these change.

The keys by which namesakes are found, and what a search looks up. Each has a text for how it is made; the
site keeps the one by which it was made last, and after a `migrate` both are compared.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.db import connection

from tournaments.epoch import ONLY_SITE
from tournaments.models import SiteRevision
from tournaments.people.names import names_form
from tournaments.recording.people.keys import renew_keys
from tournaments.schema import is_current
from tournaments.search.index import index_all, search_form


class Derived(NamedTuple):
    """Something that follows from the record: the column of its form, the form of now, and what makes it."""

    column: str
    form: Callable[[], str]
    renew: Callable[[], None]


DERIVED = (Derived("names_form", names_form, renew_keys), Derived("search_form", search_form, index_all))


def ensure_derived(using: str, **_: object) -> None:
    """Make everything anew that another version of this code made, after a `migrate`."""
    if connection.alias != using or not is_current(using):  # as after a partial `migrate`
        return
    site = SiteRevision.objects.filter(pk=ONLY_SITE)
    for each in DERIVED:
        form = each.form()
        if site.exclude(**{each.column: form}).exists():
            each.renew()
            site.update(**{each.column: form})
