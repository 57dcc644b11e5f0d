"""Reads an event from the database as a document, with the primary keys; a fixed number of queries."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tournaments import models
from tournaments.event.categories import EventCategory
from tournaments.event.completing import in_order
from tournaments.event.document import (
    AcknowledgementEntry,
    ChangeEntry,
    CompetitorEntry,
    Document,
    EventEntry,
    GameEntry,
    OverrideEntry,
    PairingEntry,
    PlayerEntry,
    PublishedEntry,
    PublishedTable,
    RoundEntry,
    own_flag,
)
from tournaments.event.prizes import EventPrize
from tournaments.event.schema import field_names, with_blanks
from tournaments.event.scores import own_match_points

Versioned = tuple[int, int]
"""A primary key and a version."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An event as a document, and the primary keys by the identifiers of the document."""

    event: models.Event
    document: Document
    competitors: dict[int, int] = field(default_factory=dict)  # by number
    players: dict[tuple[int, int | str], int] = field(default_factory=dict)  # by team and identity
    rounds: dict[int, int] = field(default_factory=dict)  # by number
    pairings: dict[tuple[int, int], Versioned] = field(default_factory=dict)  # by round and table
    games: dict[tuple[int, int, int], Versioned] = field(default_factory=dict)  # by round, table and board
    overrides: dict[int, int] = field(default_factory=dict)  # by number


def load(slug: str) -> Document:
    """Return the event as a document. Raise `Event.DoesNotExist`."""
    return stored(models.Event.objects.select_related("series").get(slug=slug)).document


def stored(event: models.Event) -> Stored:
    """Return the event with all its rows; ten queries, one more for a series."""
    found = Stored(event, Document(_event(event)))
    members = _players(event, found)
    document = Document(
        event=found.document.event,
        competitors=_competitors(event, members, found),
        rounds=_rounds(event, members, found),
        overrides=_overrides(event, found),
        changes=_records(models.Change, ChangeEntry, event),
        acknowledged=_records(models.Acknowledgement, AcknowledgementEntry, event),
        published=_published(event),
    )
    return replace(found, document=in_order(document))


Members = dict[int, dict[int, PlayerEntry]]
"""The players of each team by primary key; the teams by number."""


def _event(event: models.Event) -> EventEntry:
    names = field_names(EventEntry, "former_slugs", "series")
    values = {name: _as_tuple(getattr(event, name)) for name in names}
    # Stored JSON may lack newer keys, and a document has all of them.
    for name, cls in (("categories", EventCategory), ("prizes", EventPrize)):
        values[name] = tuple(with_blanks(cls, each) for each in values[name])
    return EventEntry(
        **values,
        series=event.series.name if event.series else "",
        former_slugs=tuple(event.former_slugs.order_by("slug").values_list("slug", flat=True)),
    )


def _players(event: models.Event, found: Stored) -> Members:
    members: Members = defaultdict(dict)
    rows = models.Player.objects.filter(competitor__event=event).order_by("pk")
    names = field_names(PlayerEntry)
    for row in rows.values("pk", "competitor__number", *names):
        number = row["competitor__number"]
        player = members[number][row["pk"]] = PlayerEntry(**_row_values(names, row))
        found.players[number, player.identity] = row["pk"]
    return members


def _competitors(event: models.Event, members: Members, found: Stored) -> tuple[CompetitorEntry, ...]:
    names = field_names(CompetitorEntry, "manual", "manual_after", "players", "manual_pinned")
    rows = models.Competitor.objects.filter(event=event).order_by("number")
    competitors = []
    for row in rows.values("pk", "manual_tiebreak__number", "manual_tiebreak__after", *names):
        values = _row_values(names, row)
        # The document has no flag if the code implies it.
        if event.has_nations:
            values["flag"] = own_flag(row["code"], row["flag"])
        found.competitors[row["number"]] = row["pk"]
        competitors.append(
            CompetitorEntry(
                **values,
                manual=row["manual_tiebreak__number"],
                manual_after=row["manual_tiebreak__after"],
                players=tuple(members[row["number"]].values()),
            )
        )
    return tuple(competitors)


def _row_values(names: tuple[str, ...], row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _as_tuple(row[name]) for name in names}


def _as_tuple(value: Any) -> Any:
    # JSON fields of models contain lists, and entries contain tuples.
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def _rounds(event: models.Event, members: Members, found: Stored) -> tuple[RoundEntry, ...]:
    pairings = _pairings(event, members, found)
    names = field_names(RoundEntry, "pairings")
    rounds = []
    for row in models.Round.objects.filter(event=event).order_by("number").values("pk", *names):
        found.rounds[row["number"]] = row["pk"]
        rounds.append(RoundEntry(**_row_values(names, row), pairings=tuple(pairings[row["number"]])))
    return tuple(rounds)


def _pairings(event: models.Event, members: Members, found: Stored) -> dict[int, list[PairingEntry]]:
    by_key = {pk: player for team in members.values() for pk, player in team.items()}
    games = _games(event, by_key, found)
    names = field_names(PairingEntry, "first", "second", "games", "first_match_points", "second_match_points")
    rows = models.Pairing.objects.filter(round__event=event).order_by("round__number", "table")
    pairings: dict[int, list[PairingEntry]] = defaultdict(list)
    for row in rows.values(
        *("pk", "version", "round__number", "first__number", "second__number"),
        *("first_match_points", "second_match_points"),
        *names,
    ):
        number, table = row["round__number"], row["table"]
        found.pairings[number, table] = row["pk"], row["version"]
        scores = row["first_score"], row["second_score"]
        given = row["first_match_points"], row["second_match_points"]
        # Match points that follow from the score are left out, as in a file.
        if event.is_team:
            given = own_match_points(event, row["kind"], scores, given)
        pairing = PairingEntry(
            **{name: row[name] for name in names},
            first=row["first__number"],
            second=row["second__number"],
            first_match_points=given[0],
            second_match_points=given[1],
            games=tuple(games[number, table]),
        )
        pairings[number].append(pairing)
    return pairings


def _games(
    event: models.Event, players: dict[int, PlayerEntry], found: Stored
) -> dict[tuple[int, int], list[GameEntry]]:
    names = field_names(GameEntry, "first_player", "second_player")
    # The order of the matches is irrelevant, and the unique index of pairing and board provides this one.
    rows = models.Game.objects.filter(pairing__round__event=event).order_by("pairing_id", "board")
    games: dict[tuple[int, int], list[GameEntry]] = defaultdict(list)
    for row in rows.values(
        *("pk", "version", "pairing__round__number", "pairing__table", "first_player", "second_player"),
        *names,
    ):
        number, table = row["pairing__round__number"], row["pairing__table"]
        game = GameEntry(
            **{name: row[name] for name in names},
            first_player=players.get(row["first_player"]),
            second_player=players.get(row["second_player"]),
        )
        games[number, table].append(game)
        found.games[number, table, game.board] = row["pk"], row["version"]
    return games


def _overrides(event: models.Event, found: Stored) -> tuple[OverrideEntry, ...]:
    names = field_names(OverrideEntry, "competitor", "undoes", "pinned")
    overrides = []
    rows = models.Override.objects.filter(event=event)
    for row in rows.values("pk", "competitor__number", "undoes__number", *names):
        found.overrides[row["number"]] = row["pk"]
        overrides.append(
            OverrideEntry(
                **_row_values(names, row), competitor=row["competitor__number"], undoes=row["undoes__number"]
            )
        )
    return tuple(overrides)


def _records(model: Any, cls: Any, event: models.Event) -> tuple[Any, ...]:
    names = field_names(cls)
    return tuple(cls(**_row_values(names, row)) for row in model.objects.filter(event=event).values(*names))


def _published(event: models.Event) -> PublishedEntry | None:
    row = models.Published.objects.filter(event=event).values(*field_names(PublishedEntry)).first()
    if row is None:
        return None
    empty: PublishedTable = {"order": [], "columns": {}, "source": ""}
    # Stored JSON may lack newer keys, and a document has all of them.
    after: dict[str, PublishedTable] = {
        number: {**empty, **table} for number, table in row["after_round"].items()
    }
    return PublishedEntry(**{**row, "after_round": after})
