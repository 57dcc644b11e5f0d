"""Rebuild stored data that is derived by code, after a change of that code.

These are the keys for finding namesakes, the search index and the sort keys of lists. Each has a description
of its algorithm; the site stores the last one used and compares it after each `migrate`.
"""

from django.db import connection

from tournaments.models import PersonRevision, Revision, SiteRevision, TeamRevision
from tournaments.operations.compatibility import is_current
from tournaments.operations.epoch import ONLY_SITE
from tournaments.people.matching.names import names_form
from tournaments.people.services.name_keys import renew_keys
from tournaments.search.index import refresh, search_form


def _fold_again() -> None:
    Revision.objects.update(searched=0)
    for revisions in (PersonRevision, TeamRevision):
        revisions.objects.update(searched=0, tallied=0)  # the next request of a list sorts it


def rebuild_stale_indexes(using: str, **_: object) -> None:
    """Rebuild outdated derived data after a `migrate`."""
    if connection.alias != using or not is_current(using):  # for example after a partial `migrate`
        return
    site = SiteRevision.objects.filter(pk=ONLY_SITE)
    derived = (("names_form", names_form(), renew_keys), ("search_form", search_form(), _fold_again))
    for column, form, renew in derived:
        if site.exclude(**{column: form}).exists():
            renew()
            site.update(**{column: form})
    # Not only after a change of the code: new triggers make every entry outdated, and searches would wait.
    refresh()
