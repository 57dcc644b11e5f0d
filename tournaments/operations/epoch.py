"""The epoch of the site: a random token that is part of every version and cache key.

After a restore, revisions are counted again from a lower number, and readers, proxies and caches may hold
another content for the same revision. In a new epoch, no response from before is considered fresh (ADR 0034).
"""

from secrets import token_hex

from django.db import DEFAULT_DB_ALIAS, connections
from django.dispatch import Signal

from tournaments.models import SiteRevision
from tournaments.operations.compatibility import columns_of
from tournaments.operations.takedowns import withdraw

ONLY_SITE = 1
"""Primary key of the only row with the epoch and the revision of the site."""

epoch_begun = Signal()
"""Sent when an epoch starts, as after a restore, before any response is served in it."""

# Raw SQL, because Django would name all columns, and `migrate` renews the epoch of older schemas too.
RENEW = (
    f"INSERT INTO {SiteRevision._meta.db_table} (id, number, epoch) VALUES (%s, 0, %s)"  # noqa: S608 - our table
    " ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch"
)

BYTES = 6
"""Enough to make collisions between the epochs of a site impossible in practice."""


def epoch_now(using: str = DEFAULT_DB_ALIAS) -> str:
    """Return the epoch of the database, empty if it has none; one query."""
    found = SiteRevision.objects.using(using).filter(pk=ONLY_SITE).values_list("epoch", flat=True).first()
    return found or ""


def replace_epoch(epoch: str) -> str:
    """Start a new epoch unless another process has just started one, and return the current epoch.

    Content from before is not shown during outages either.
    """
    replaced = SiteRevision.objects.filter(pk=ONLY_SITE, epoch=epoch).update(epoch=token_hex(BYTES))
    if replaced:
        withdraw()
        epoch_begun.send(None)
    return epoch_now() or renew_epoch()


def renew_epoch(using: str = DEFAULT_DB_ALIAS) -> str:
    epoch = token_hex(BYTES)
    with connections[using].cursor() as cursor:
        cursor.execute(RENEW, [ONLY_SITE, epoch])
    withdraw()  # if this database fails too, content of the previous epoch must not be shown
    if using == DEFAULT_DB_ALIAS:
        epoch_begun.send(None)
    return epoch


def ensure_epoch(using: str, **_: object) -> None:
    """Start the first epoch of a database after a `migrate`."""
    # The table does not exist after a `migrate` to an early state.
    if "epoch" in columns_of(SiteRevision, using) and not epoch_now(using):
        renew_epoch(using)
