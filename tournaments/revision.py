"""The tables that hang on an event, and the revision the event and the site are at.

A revision counts every committed change that can alter a page. Only the database writes it, by the triggers
of `tournaments.triggers`, so `bulk_create`, `update()`, `loaddata`, the admin and raw SQL are all seen, and
whatever is kept under a revision can never be stale (ADR 0034).
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from django.db import connection, models, transaction
from django.db.models import F, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from tournaments.epoch import ONLY_SITE
from tournaments.event.choices import PUBLIC
from tournaments.models import (
    Acknowledgement,
    Attendance,
    Backup,
    BundleFile,
    CaptainLink,
    Change,
    Competitor,
    EntryName,
    ErrorReport,
    Event,
    FormerSlug,
    Game,
    Job,
    LineupCall,
    LineupSent,
    LinkProposal,
    LinkRefusal,
    ManualTiebreak,
    Medal,
    MedalCount,
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
    Proposal,
    Published,
    Receipt,
    ResultSent,
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
    Upload,
    WithheldRow,
)
from tournaments.models.versioned import Versioned, past_of
from tournaments.served import OF_PEOPLE, OF_SITE, vouched

REVISION = Revision._meta.db_table
SITE_REVISION = SiteRevision._meta.db_table
PUBLIC_STATES = ", ".join(f"'{state}'" for state in sorted(PUBLIC))
"""The states in which readers see an event, as SQL lists them."""
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
"""For each table that hangs on an event: the events that a row of it belongs to, in SQL."""

LEADING: dict[type[models.Model], str] = {
    Person: "SELECT event_id FROM tournaments_personlink WHERE person_id = {row}.id",
    Team: "SELECT event_id FROM tournaments_teamlink WHERE team_id = {row}.id",
}
"""For each table that pages of events lead to: the events whose pages do, in SQL."""


class Counted(NamedTuple):
    """What has a revision over events: the table that counts, and whose it is of each row it hangs on.

    `searched` is the kind of the entries in which a search looks it up, and what changes there.
    """

    revisions: type[models.Model]
    owner: type[models.Model]
    column: str
    of: dict[type[models.Model], str]
    kind: SearchKind
    searched: tuple[type[models.Model], ...]


_OF_PERSON, _OF_TEAM = "{row}.person_id", "{row}.team_id"
COUNTED: tuple[Counted, ...] = (
    Counted(
        PersonRevision,
        Person,
        "person_id",
        {
            Person: "{row}.id",
            PersonName: _OF_PERSON,
            PersonFederation: _OF_PERSON,
            PersonTitle: _OF_PERSON,
            PersonIdentifier: _OF_PERSON,
            PersonLink: _OF_PERSON,
        },
        SearchKind.PERSONS,
        (Person, PersonName, PersonFederation, PersonIdentifier),
    ),
    Counted(
        TeamRevision,
        Team,
        "team_id",
        {Team: "{row}.id", TeamName: _OF_TEAM, TeamCode: _OF_TEAM, TeamLink: _OF_TEAM},
        SearchKind.TEAMS,
        (Team, TeamName, TeamCode),
    ),
)
"""Every change of a row here raises the revision of whose it is, and the number `people` of the site."""

SITE_WIDE: tuple[type[models.Model], ...] = (Event, Series)
"""Tables that the site's own pages (home, series, sitemap, feed) show directly."""

SEARCHED: tuple[type[models.Model], ...] = (Event, Series, Competitor, Player, PersonLink)
"""Tables with what a search looks up; a change of any other is none for it."""

VERSIONED: tuple[type[Versioned], ...] = (
    *(Event, Round, Competitor, Player, Pairing, Game, ManualTiebreak, Published),
)
"""Tables of an event whose rows carry a version and keep their past."""

UNSEEN: tuple[type[models.Model], ...] = (
    Event.arbiters.through,
    Revision,
    Attendance,
    Receipt,
    Backup,
    Upload,
    BundleFile,
    Job,
    Proposal,
    LineupCall,
    CaptainLink,
    LineupSent,
    ResultSent,
    ErrorReport,
    EntryName,
    LinkProposal,
    WithheldRow,
    Medal,
    MedalCount,
    *(past_of(model) for model in VERSIONED),
    past_of(Event).arbiters.model,
)
"""Tables that hang on an event and show on no page."""


def present(event_id: int) -> Event:
    """Return the event with its series, and as its `data_version` and `epoch` what it is at; one query.

    Raise `Event.DoesNotExist`.
    """
    event = _with_all_that_pages_show().get(pk=event_id)
    event.epoch = vouched(event.epoch, {event.pk: (event.data_version or 0,)})
    return event


@cache
def _with_all_that_pages_show() -> QuerySet[Event]:
    # Put together once, as every page that is made anew asks it; and at the first of them, because joins are
    # known only when all models are loaded.
    return with_versions(Event.objects.select_related("series"))


def with_versions(events: QuerySet[Event]) -> QuerySet[Event]:
    """These events, each with the revision and the epoch it is at, and its times; no query of its own."""
    return with_epoch(events).annotate(
        data_version=F("revision__number"),
        changed_at=F("revision__changed_at"),
        public_at=F("revision__public_at"),
    )  # type: ignore[no-redef]  # the same


def with_epoch(events: QuerySet[Event]) -> QuerySet[Event]:
    """These events, each with the epoch it is read in as its attribute; no query of its own."""
    site = SiteRevision.objects.filter(pk=ONLY_SITE).values("epoch")
    return events.annotate(epoch=Coalesce(Subquery(site), Value("")))  # type: ignore[no-redef]  # fills it


def revision_of(event_id: int) -> int:
    """Return the event's revision; one query. Raise `Revision.DoesNotExist` where there is no such event."""
    # In SQL, because every page that is made anew asks it, and Django takes ten times as long to put it
    # together.
    with connection.cursor() as cursor:
        cursor.execute(REVISION_OF, [event_id])
        row = cursor.fetchone()
    if row is None:
        raise Revision.DoesNotExist
    return int(row[0])


class SiteStamp(NamedTuple):
    """The epoch and revision of the site.

    `number` rises when an event or a series itself changes. Between two such changes the set of events is the
    same, and `total`, the sum of their revisions, only rises. So within an epoch no pair ever comes back.
    """

    epoch: str
    number: int
    total: int

    def __str__(self) -> str:
        return "-".join(map(str, self))


class PeopleStamp(NamedTuple):
    """What a page of persons and teams depends on; within an epoch no stamp ever comes back.

    `own` rises with the person or team and its links, `events` with what any linked event shows. `unlinked`
    is a digest of the events that may belong to a person; blank on pages that do not list these.
    """

    epoch: str
    own: int
    events: int
    unlinked: str = ""

    @property
    def version(self) -> str:
        """Return the part of it that changes within an epoch."""
        return "-".join(map(str, self[1:])).rstrip("-")

    def __str__(self) -> str:
        return "-".join(map(str, self))


_STAMP = (
    "SELECT s.epoch, s.people, r.number, e.event_id, e.number FROM {revisions} r"
    " JOIN {site} s ON s.id = {only} LEFT JOIN {links} l ON l.{column} = r.{column}"
    " LEFT JOIN {events} e ON e.event_id = l.event_id WHERE r.{column} = %s"
)


def person_stamp(person_id: int) -> PeopleStamp | None:
    """Return what the page of a person depends on, None where there is no such person; one query."""
    return _stamp_of(PersonRevision, PersonLink, "person_id", person_id)


MOST_UNLINKED = 30
"""Entries that may be a person and are looked at: a name that thousands bear costs no more."""

_UNLINKED = (
    " UNION ALL SELECT '', 0, -n.id, n.event_id, e.number FROM ("
    "SELECT o.id, o.event_id FROM {names} o JOIN {event} v ON v.id = o.event_id AND v.state IN ({public})"
    " WHERE o.is_team = %s AND o.key <> '' AND o.key IN ("
    "SELECT p.key FROM {persons} p WHERE p.id = %s UNION SELECT p.key FROM {others} p WHERE p.person_id = %s)"
    " AND NOT EXISTS (SELECT 1 FROM {links} l WHERE l.competitor_id = o.competitor_id)"
    " AND NOT EXISTS (SELECT 1 FROM {links} l WHERE l.player_id = o.player_id)"
    " ORDER BY o.id DESC LIMIT {most}) n JOIN {events} e ON e.event_id = n.event_id"
    # An entry comes before a person in the two sides of a refusal.
    " UNION ALL SELECT '', 0, -f.id, 0, 0 FROM {refusals} f WHERE f.other = %s"
    " AND (f.follows IS NULL OR EXISTS (SELECT 1 FROM {refusals} g WHERE g.id = f.follows))"
)


def person_page_stamp(person_id: int) -> PeopleStamp | None:
    """Return the stamp of a person's own page, which also lists events that may belong to it; one query."""
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
    """Return what the page of a team depends on, None where there is no such team; one query."""
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
    with connection.cursor() as cursor:
        cursor.execute(query + more, [key, *values])
        found = cursor.fetchall()
    # Rows of entries that are not linked, and of refusals, have their negative key instead of a revision.
    rows = [each for each in found if each[2] >= 0]
    if not rows:
        return None
    unlinked = sorted(tuple(each[2:]) for each in found if each[2] < 0)
    epoch, people, own = rows[0][:3]
    heights = {event: (number,) for *_site, event, number in rows if event is not None}
    total = sum(number for (number,) in heights.values())
    digest = hashlib.blake2b(repr(unlinked).encode(), digest_size=8).hexdigest() if unlinked else ""
    return PeopleStamp(vouched(epoch, {OF_PEOPLE: (people,), **heights}), own, total, digest)


class ListStamp(NamedTuple):
    """What lists of persons and teams depend on; within an epoch no stamp ever comes back.

    `own` rises with all persons, teams and links, `number` and `total` are those of `SiteStamp`.
    """

    epoch: str
    own: int
    number: int
    total: int

    @property
    def version(self) -> str:
        """Return the part of it that rises."""
        return f"{self.own}-{self.number}-{self.total}"


def people_stamp() -> ListStamp:
    """Return what lists of persons and teams depend on; one query."""
    with connection.cursor() as cursor:
        cursor.execute(PEOPLE_STAMP, [ONLY_SITE])
        row = cursor.fetchone()
    if row is None:
        return ListStamp("", 0, 0, 0)
    epoch, number, total, people = row
    known = {OF_PEOPLE: (people,), OF_SITE: (number, int(total))}
    return ListStamp(vouched(epoch, known), people, number, int(total))


MOST_UNSETTLED = 64
"""So many events may have numbers that are not in the total yet; each costs every page a little."""


def site_revision() -> SiteStamp:
    """Return what home, series, sitemap and feed depend on; one query."""
    # No trigger keeps the whole total: it would be one row, at which the writers of all events would wait for
    # each other. It is added up of what is settled and of the few events that changed since.
    with connection.cursor() as cursor:
        cursor.execute(SITE_STAMP, [ONLY_SITE])
        row = cursor.fetchone()
    if row is None:
        return SiteStamp(vouched("", {OF_SITE: (0, 0)}), 0, 0)
    epoch, number, total, unsettled = row
    if unsettled > MOST_UNSETTLED and not connection.in_atomic_block:
        settle()
    return SiteStamp(vouched(epoch, {OF_SITE: (number, int(total))}), number, int(total))


def settle() -> None:
    """Put the numbers of events into the settled total of the site, which stays the same; five queries.

    Events that somebody is writing to are left for the next time, and so are all where somebody else settles.
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
"""Events that are settled at a time."""
