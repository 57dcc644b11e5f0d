"""Revisions of events and of the site, and the tables that affect them.

A revision counts every committed change that can alter a page. Only the triggers of
`tournaments.operations.triggers` write it, so that `bulk_create`, `update()`, `loaddata`, the admin and raw
SQL are all counted, and a cache entry with a revision is never stale (ADR 0034).
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from django.db import connection, models, transaction
from django.db.models import F, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from config.database.replica import read_connection
from tournaments.event.choices import PUBLIC
from tournaments.models import (
    Acknowledgement,
    Change,
    Competitor,
    EntryName,
    Event,
    FormerSlug,
    Game,
    LinkRefusal,
    ManualTiebreak,
    Override,
    Pairing,
    PairingsCheck,
    Person,
    PersonFederation,
    PersonIdentifier,
    PersonLink,
    PersonName,
    PersonRevision,
    PersonTitle,
    Player,
    Published,
    Revision,
    Round,
    SearchKind,
    Series,
    SiteRevision,
    Team,
    TeamCode,
    TeamLink,
    TeamName,
    TeamRevision,
)
from tournaments.operations.epoch import ONLY_SITE
from tournaments.operations.restore_guard import OF_PEOPLE, OF_SITE, checked_epoch

REVISION = Revision._meta.db_table
SITE_REVISION = SiteRevision._meta.db_table
PUBLIC_STATES = ", ".join(f"'{state}'" for state in sorted(PUBLIC))
"""States of events that readers see, as an SQL list."""
REVISION_OF = f"SELECT number FROM {REVISION} WHERE event_id = %s"  # noqa: S608 - our own name of a table

_SITE_STAMP = (
    "SELECT s.epoch, s.number, s.settled + COALESCE(r.more, 0), {last}"  # noqa: S608 - as above
    f" FROM {SITE_REVISION} s, (SELECT SUM(number - settled) AS more, COUNT(*) AS events FROM {REVISION}"
    " WHERE number > settled) r WHERE s.id = %s"
)
SITE_STAMP = _SITE_STAMP.format(last="COALESCE(r.events, 0)")
PEOPLE_STAMP = _SITE_STAMP.format(last="s.people")

OWN = "SELECT {row}.event_id AS event_id"
OF_COMPETITOR = "SELECT event_id FROM tournaments_competitor WHERE id = {row}.competitor_id"

EVENTS_OF: dict[type[models.Model], str] = {
    Event: "SELECT {row}.id AS event_id",
    Series: "SELECT id AS event_id FROM tournaments_event WHERE series_id = {row}.id",
    FormerSlug: OWN,
    Round: OWN,
    Competitor: OWN,
    Override: OWN,
    Change: OWN,
    Acknowledgement: OWN,
    Published: OWN,
    PairingsCheck: OWN,
    PersonLink: OWN,
    TeamLink: OWN,
    Player: OF_COMPETITOR,
    ManualTiebreak: OF_COMPETITOR,
    Pairing: "SELECT event_id FROM tournaments_round WHERE id = {row}.round_id",
    Game: (
        "SELECT r.event_id FROM tournaments_round r JOIN tournaments_pairing p ON p.round_id = r.id"
        " WHERE p.id = {row}.pairing_id"
    ),
}
"""For each table that belongs to events: SQL for the events of a row."""

LEADING: dict[type[models.Model], str] = {
    Person: "SELECT event_id FROM tournaments_personlink WHERE person_id = {row}.id",
    Team: "SELECT event_id FROM tournaments_teamlink WHERE team_id = {row}.id",
}
"""For each table that pages of events link to: SQL for the events whose pages do."""


class Counted(NamedTuple):
    """A model with its own revision over several events, such as a person: its tables and their columns.

    `searched` is the kind of its entries in the search index, which change together with it.
    """

    revisions: type[models.Model]
    owner: type[models.Model]
    column: str
    of: dict[type[models.Model], str]
    kind: SearchKind
    searched: tuple[type[models.Model], ...]


_PERSON_ROWS = (PersonName, PersonFederation, PersonTitle, PersonIdentifier, PersonLink)
COUNTED: tuple[Counted, ...] = (
    Counted(
        PersonRevision,
        Person,
        "person_id",
        {Person: "{row}.id"} | dict.fromkeys(_PERSON_ROWS, "{row}.person_id"),
        SearchKind.PERSONS,
        (Person, PersonName, PersonFederation, PersonIdentifier),
    ),
    Counted(
        TeamRevision,
        Team,
        "team_id",
        {Team: "{row}.id"} | dict.fromkeys((TeamName, TeamCode, TeamLink), "{row}.team_id"),
        SearchKind.TEAMS,
        (Team, TeamName, TeamCode),
    ),
)
"""Every change in these tables raises the revision of the person or team, and `people` of the site."""

SITE_WIDE: tuple[type[models.Model], ...] = (Event, Series)
"""Tables that the site's own pages (home, series, sitemap, feed) show directly."""

SEARCHED: tuple[type[models.Model], ...] = (Event, Series, Competitor, Player, PersonLink)
"""Tables in the search index."""


def present(event_id: int) -> Event:
    """Return the event with its series, `data_version` and `epoch`; one query.

    Raise `Event.DoesNotExist`.
    """
    event = _with_all_that_pages_show().get(pk=event_id)
    event.epoch = checked_epoch(event.epoch, {event.pk: (event.data_version or 0,)})
    return event


@cache
def _with_all_that_pages_show() -> QuerySet[Event]:
    # Built once, because every uncached page runs it. Built on the first call, because joins are known only
    # after all models are loaded.
    return with_versions(Event.objects.select_related("series"))


def with_versions(events: QuerySet[Event]) -> QuerySet[Event]:
    """Annotate events with their revision, epoch and times; no additional query."""
    return with_epoch(events).annotate(
        data_version=F("revision__number"),
        changed_at=F("revision__changed_at"),
        public_at=F("revision__public_at"),
    )  # type: ignore[no-redef]  # the same


def with_epoch(events: QuerySet[Event]) -> QuerySet[Event]:
    """Annotate events with the current epoch; no additional query."""
    site = SiteRevision.objects.filter(pk=ONLY_SITE).values("epoch")
    return events.annotate(epoch=Coalesce(Subquery(site), Value("")))  # type: ignore[no-redef]  # fills it


def revision_of(event_id: int) -> int:
    """Return the event's revision; one query. Raise `Revision.DoesNotExist` if there is no such event."""
    # Raw SQL, because every uncached page runs it and Django takes ten times longer to build it.
    with read_connection().cursor() as cursor:
        cursor.execute(REVISION_OF, [event_id])
        row = cursor.fetchone()
    if row is None:
        raise Revision.DoesNotExist
    return int(row[0])


class SiteStamp(NamedTuple):
    """The epoch and revision of the site.

    `number` rises when an event or a series itself changes. Between two such changes the set of events is the
    same, and `total`, the sum of their revisions, only rises. So a pair never occurs twice within an epoch.
    """

    epoch: str
    number: int
    total: int

    def __str__(self) -> str:
        return "-".join(map(str, self))


class PeopleStamp(NamedTuple):
    """The version of a page of persons and teams; a stamp never occurs twice within an epoch.

    `own` rises with the person or team and its links, `events` with the public data of linked events.
    `unlinked` is a digest of the events that may belong to a person; blank on pages that do not list these.
    """

    epoch: str
    own: int
    events: int
    unlinked: str = ""

    @property
    def version(self) -> str:
        return "-".join(map(str, self[1:])).rstrip("-")

    def __str__(self) -> str:
        return "-".join(map(str, self))


_STAMP = (
    "SELECT s.epoch, s.people, r.number, e.event_id, e.number FROM {revisions} r"
    " JOIN {site} s ON s.id = {only} LEFT JOIN {links} l ON l.{column} = r.{column}"
    " LEFT JOIN {events} e ON e.event_id = l.event_id WHERE r.{column} = %s"
)


def person_stamp(person_id: int) -> PeopleStamp | None:
    """Return the stamp of a person, or None if there is no such person; one query."""
    return _stamp_of(PersonRevision, PersonLink, "person_id", person_id)


MOST_UNLINKED = 30
"""Maximum number of competitors that are considered, because a name may occur thousands of times."""

_UNLINKED = (
    " UNION ALL SELECT '', 0, -n.id, n.event_id, e.number FROM ("
    "SELECT o.id, o.event_id FROM {names} o JOIN {event} v ON v.id = o.event_id AND v.state IN ({public})"
    " WHERE o.is_team = %s AND o.key <> '' AND o.key IN ("
    "SELECT p.key FROM {persons} p WHERE p.id = %s UNION SELECT p.key FROM {others} p WHERE p.person_id = %s)"
    " AND NOT EXISTS (SELECT 1 FROM {links} l WHERE l.competitor_id = o.competitor_id)"
    " AND NOT EXISTS (SELECT 1 FROM {links} l WHERE l.player_id = o.player_id)"
    " ORDER BY o.id DESC LIMIT {most}) n JOIN {events} e ON e.event_id = n.event_id"
    # A competitor comes before a person in the two sides of a refusal.
    " UNION ALL SELECT '', 0, -f.id, 0, 0 FROM {refusals} f WHERE f.other = %s"
    " AND (f.follows IS NULL OR EXISTS (SELECT 1 FROM {refusals} g WHERE g.id = f.follows))"
)


def person_page_stamp(person_id: int) -> PeopleStamp | None:
    """Return the stamp of a person's page, which also lists events that may be the person's; one query."""
    tables = {
        "event": Event._meta.db_table,
        "names": EntryName._meta.db_table,
        "persons": Person._meta.db_table,
        "others": PersonName._meta.db_table,
        "refusals": LinkRefusal._meta.db_table,
    }
    public = ", ".join(["%s"] * len(PUBLIC))
    more = _UNLINKED.format(
        **tables, links=PersonLink._meta.db_table, events=REVISION, public=public, most=MOST_UNLINKED
    )
    values: list[str | int] = [*PUBLIC, False, person_id, person_id, f"person:{person_id}"]
    return _stamp_of(PersonRevision, PersonLink, "person_id", person_id, more, values)


def team_stamp(team_id: int) -> PeopleStamp | None:
    """Return the stamp of a team, or None if there is no such team; one query."""
    return _stamp_of(TeamRevision, TeamLink, "team_id", team_id)


def _stamp_of(
    revisions: type[models.Model],
    links: type[models.Model],
    column: str,
    key: int,
    more: str = "",
    values: Sequence[str | int] = (),
) -> PeopleStamp | None:
    tables = {"revisions": revisions._meta.db_table, "links": links._meta.db_table}
    query = _STAMP.format(**tables, events=REVISION, site=SITE_REVISION, only=ONLY_SITE, column=column)
    with read_connection().cursor() as cursor:
        cursor.execute(query + more, [key, *values])
        found = cursor.fetchall()
    # Rows of unlinked competitors and of refusals have their negated key instead of a revision.
    rows = [each for each in found if each[2] >= 0]
    if not rows:
        return None
    unlinked = sorted(tuple(each[2:]) for each in found if each[2] < 0)
    epoch, people, own = rows[0][:3]
    heights = {event: (number,) for *_site, event, number in rows if event is not None}
    total = sum(number for (number,) in heights.values())
    digest = hashlib.blake2b(repr(unlinked).encode(), digest_size=8).hexdigest() if unlinked else ""
    return PeopleStamp(checked_epoch(epoch, {OF_PEOPLE: (people,), **heights}), own, total, digest)


class ListStamp(NamedTuple):
    """The version of lists of persons and teams; a stamp never occurs twice within an epoch.

    `own` rises with all persons, teams and links. `number` and `total` are those of `SiteStamp`.
    """

    epoch: str
    own: int
    number: int
    total: int

    @property
    def version(self) -> str:
        return f"{self.own}-{self.number}-{self.total}"


def people_stamp() -> ListStamp:
    """Return the stamp of lists of persons and teams; one query."""
    with read_connection().cursor() as cursor:
        cursor.execute(PEOPLE_STAMP, [ONLY_SITE])
        row = cursor.fetchone()
    if row is None:
        return ListStamp("", 0, 0, 0)
    epoch, number, total, people = row
    known = {OF_PEOPLE: (people,), OF_SITE: (number, int(total))}
    return ListStamp(checked_epoch(epoch, known), people, number, int(total))


MOST_UNSETTLED = 64
"""Maximum number of events whose revisions may be missing in the settled total; each slows pages down."""


def site_revision() -> SiteStamp:
    """Return the stamp of home, series, sitemap and feed; one query."""
    # The total is not stored in a row, because writers of all events would wait for each other there. It is
    # the settled total plus the few events that have changed since.
    with read_connection().cursor() as cursor:
        cursor.execute(SITE_STAMP, [ONLY_SITE])
        row = cursor.fetchone()
    if row is None:
        return SiteStamp(checked_epoch("", {OF_SITE: (0, 0)}), 0, 0)
    epoch, number, total, unsettled = row
    if unsettled > MOST_UNSETTLED and not connection.in_atomic_block:
        settle()
    return SiteStamp(checked_epoch(epoch, {OF_SITE: (number, int(total))}), number, int(total))


def settle() -> None:
    """Add revisions of events to the settled total; the stamp of the site does not change. Five queries.

    Skip events with an open write transaction, and all if another process settles.
    """
    skips = connection.features.has_select_for_update_skip_locked
    with transaction.atomic():
        site = SiteRevision.objects.select_for_update(skip_locked=skips).filter(pk=ONLY_SITE)
        if not site.exists():
            return
        unsettled = Revision.objects.filter(number__gt=F("settled")).order_by("pk")
        rows = unsettled.select_for_update(skip_locked=skips).values_list("pk", "number", "settled")[
            :MOST_SETTLED
        ]
        found = list(rows)
        Revision.objects.filter(pk__in=[pk for pk, _number, _settled in found]).update(settled=F("number"))
        site.update(settled=F("settled") + sum(number - settled for _pk, number, settled in found))


MOST_SETTLED = 500
"""Events settled at a time."""
