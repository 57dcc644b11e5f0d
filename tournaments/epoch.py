"""The epoch of the site: a random token that everything kept under a revision carries beside it.

A restored database counts its revisions again from an older number, under which readers, proxies and caches
may hold something else. Under a new epoch nothing that was served before is taken for fresh (ADR 0034).
"""

from secrets import token_hex

from django.db import DEFAULT_DB_ALIAS, connections
from django.dispatch import Signal

from tournaments.models import SiteRevision
from tournaments.schema import columns_of
from tournaments.withdrawals import withdraw

ONLY_SITE = 1
"""The key of the one row that holds the epoch and the revision of the site."""

epoch_begun = Signal()
"""Sent when an epoch begins, as after a restore, before anything is served in it."""

# SQL, because Django would name all columns, and `migrate` renews the epoch of older schemas too.
RENEW = (
    f"INSERT INTO {SiteRevision._meta.db_table} (id, number, epoch) VALUES (%s, 0, %s)"  # noqa: S608 - our table
    " ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch"
)

BYTES = 6
"""Enough that no two epochs of a site are ever the same."""


def epoch_now(using: str = DEFAULT_DB_ALIAS) -> str:
    """Return the epoch that the database is in, empty before it has one; one query."""
    found = SiteRevision.objects.using(using).filter(pk=ONLY_SITE).values_list("epoch", flat=True).first()
    return found or ""


def replace_epoch(epoch: str) -> str:
    """Begin a new epoch, unless somebody else has done so meanwhile; return the one there is then.

    What was kept before is not shown either while the database is away.
    """
    replaced = SiteRevision.objects.filter(pk=ONLY_SITE, epoch=epoch).update(epoch=token_hex(BYTES))
    if replaced:
        withdraw()
        epoch_begun.send(None)
    return epoch_now() or renew_epoch()


def renew_epoch(using: str = DEFAULT_DB_ALIAS) -> str:
    """Begin a new epoch, and return it."""
    epoch = token_hex(BYTES)
    with connections[using].cursor() as cursor:
        cursor.execute(RENEW, [ONLY_SITE, epoch])
    withdraw()  # should this database go away too, nobody is shown what was read in the one before
    if using == DEFAULT_DB_ALIAS:
        epoch_begun.send(None)
    return epoch


def ensure_epoch(using: str, **_: object) -> None:
    """Begin the first epoch of a database that has none, after a `migrate`."""
    if has_epochs(using) and not epoch_now(using):
        renew_epoch(using)


def has_epochs(using: str) -> bool:
    """Say whether the database has come as far as that: a `migrate` to an early state has not."""
    return "epoch" in columns_of(SiteRevision, using)
