"""A document → the text of an event file, in canonical form: what has its default is left out."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from tournaments.event.document import (
    SCORELESS,
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
    RoundEntry,
)
from tournaments.event.listedresults import results_of_text
from tournaments.event.scores import exact_text
from tournaments.formats.json import keys
from tournaments.formats.json.layout import Exact, Lines, Rows, printed

_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")
_USUAL_MATCH = (4, 2, 0)
_IN_HALF_POINTS = ("_win", "_draw", "_loss", "bye_game", "bye_match")
_OF_KNOWN: tuple[Literal["what"], Literal["competitors"], Literal["why"]] = ("what", "competitors", "why")


def write(document: Document) -> str:
    """The event file of a document; read and written again it is the same, byte for byte."""
    seen = players_of_games(document)
    whole = Lines(
        format="crosstable-event",
        version=1,
        event=event_entry(document.event),
        competitors=Rows(
            competitor_entry(each, seen.get(each.number, set())) for each in document.competitors
        ),
        rounds=Rows(_round(each) for each in document.rounds),
        **_kept(
            overrides=Rows(override_entry(each) for each in document.overrides),
            changes=Rows(change_entry(each) for each in document.changes),
            acknowledged=Rows(acknowledgement_entry(each) for each in document.acknowledged),
            published=published_entry(document.published),
        ),
    )
    return printed(whole) + "\n"


def _kept(**values: Any) -> dict[str, Any]:
    """What is worth writing: not None, not False, not empty. Zero is."""
    return {
        key: value for key, value in values.items() if value not in (None, "", [], {}) and value is not False
    }


def _unless(default: str, value: str) -> str:
    return "" if value == default else value


def _half(half_points: int | None) -> Exact | None:
    return None if half_points is None else Exact(exact_text(half_points))


# --- the event and who takes part -------------------------------------------------------------------------


def event_entry(event: EventEntry) -> Lines:
    """The event's object in the file."""
    match = (event.match_win, event.match_draw, event.match_loss)
    bye = _kept(game=_half(event.bye_game), match=_half(event.bye_match))
    return Lines(
        _kept(
            slug=event.slug,
            former_slugs=list(event.former_slugs),
            name=event.name,
            series=event.series,
            place=event.place,
            country=event.country,
            start=event.start,
            end=event.end,
            state=_unless("final", event.state),
            discipline=event.discipline,
            entrants=event.entrants,
            teams_are=_unless("nations", event.teams_are),
            schedule=event.schedule,
            rounds=event.planned_rounds,
            boards=event.boards,
            scoring=_kept(
                **_of_games(event.game_results, (event.game_win, event.game_draw, event.game_loss)),
                match=[_half(each) for each in match] if event.is_team or match != _USUAL_MATCH else None,
            ),
            system=event.system,
            criteria=list(event.criteria),
            rules=_kept(
                primary=event.primary,
                bye=bye,
                wins_count_byes=event.wins_count_byes,
                withdrawal_at_half=_unless("forfeit", event.withdrawal_at_half),
                unplayed=event.unplayed,
            ),
            display=_kept(
                places=_unless("blank", event.places),
                cell_number=_unless("place", event.cell_number),
                columns=_unless("deciding", event.columns),
            ),
            sources=Rows(event.sources),
            licence=event.licence,
            notes=event.notes,
            trf=Rows(event.trf),
        )
    )


def _of_games(listed: str, three: tuple[int, ...]) -> dict[str, Any]:
    """What a game scores: the results it can have where they are listed, or win, draw and loss."""
    if listed:
        return {"results": [[_half(side) for side in each] for each in results_of_text(listed)]}
    return {"game": [_half(each) for each in three]}


def changed_rules_entry(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a change of the rules names; what is blank or False is told, too."""
    points = {name: _half(value) for name, value in settings.items() if name.endswith(_IN_HALF_POINTS)}
    scoring: dict[str, Any] = {}
    if "game_win" in settings:
        three = tuple(settings[f"game_{result}"] for result in ("win", "draw", "loss"))
        scoring |= _of_games(settings.get("game_results", ""), three)
    if "match_win" in settings:
        scoring["match"] = [points[f"match_{result}"] for result in ("win", "draw", "loss")]
    bye = {of: points[f"bye_{of}"] for of in ("game", "match") if points.get(f"bye_{of}") is not None}
    written = {
        **{name: settings[name] for name in keys.CHANGED_RULES if settings.get(name) is not None},
        **({"scoring": scoring} if scoring else {}),
        **({"bye": bye} if "bye_game" in settings else {}),
    }
    return {key: written[key] for key in keys.CHANGED_RULES if key in written}


def competitor_entry(competitor: CompetitorEntry, seen: set[int | str]) -> dict[str, Any]:
    """A competitor's object; of the players only those whom the games (`seen`) would not bring back."""
    return _kept(
        number=competitor.number,
        name=competitor.name,
        code=competitor.code,
        flag=competitor.flag,
        title=competitor.title,
        rating=competitor.rating,
        rating_class=competitor.rating_class,
        **_particulars(competitor),
        outside=competitor.outside,
        withdrawn_after=competitor.withdrawn_after,
        requested_byes=_by_number(competitor.requested_byes),
        manual=competitor.manual,
        manual_after=competitor.manual_after,
        players=Rows(_player(each) for each in _listed(competitor.players, seen)),
    )


def _listed(players: Sequence[PlayerEntry], seen: set[int | str]) -> list[PlayerEntry]:
    """The players whom the games alone would not bring back."""
    times = Counter(each.name for each in players)
    return [
        each
        for each in players
        if each != PlayerEntry(each.name, each.fide_id)
        or each.identity not in seen
        or (each.fide_id is None and times[each.name] > 1)
    ]


def players_of_games(document: Document) -> dict[int, set[int | str]]:
    """Who played for each team, by identity."""
    seen: dict[int, set[int | str]] = {}
    for _, pairing in document.pairings():
        for game in pairing.games:
            for number, player in ((pairing.first, game.first_player), (pairing.second, game.second_player)):
                if player and number is not None:
                    seen.setdefault(number, set()).add(player.identity)
    return seen


def _player(player: PlayerEntry) -> dict[str, Any]:
    return _kept(
        board=player.board,
        name=player.name,
        title=player.title,
        rating=player.rating,
        **_particulars(player),
    )


def _particulars(of: CompetitorEntry | PlayerEntry) -> dict[str, Any]:
    return {
        "club": of.club,
        "city": of.city,
        "sex": of.sex,
        "born": of.born,
        "categories": list(of.categories),
        "fide_id": of.fide_id,
        "fmjd_id": of.fmjd_id,
    }


def _by_number(keyed: dict[str, Any]) -> dict[str, Any]:
    """The entries by the size of the number that is their key: a database need not keep an order."""
    return {number: keyed[number] for number in sorted(keyed, key=int)}


# --- rounds -----------------------------------------------------------------------------------------------


def _round(round_: RoundEntry) -> dict[str, Any]:
    return {
        **_kept(number=round_.number, date=round_.date, state=_unless("closed", round_.state)),
        "pairings": Rows(pairing_entry(each) for each in round_.pairings),
    }


def pairing_entry(pairing: PairingEntry) -> dict[str, Any]:
    """A pairing's object."""
    points = (pairing.first_match_points, pairing.second_match_points)
    return _kept(
        table=pairing.table,
        first=pairing.first,
        second=pairing.second,
        kind=_unless("played", pairing.kind),
        score=_score(pairing),
        match_points=None if points == (None, None) else [_half(each) for each in points],
        advantage=pairing.advantage,
        games_played=pairing.games_played,
        games=Rows(_game(each) for each in pairing.games),
        note=pairing.note,
    )


def _score(result: PairingEntry | GameEntry) -> list[Exact | None] | None:
    if result.kind in SCORELESS or (result.kind in {"zero-bye", "absent"} and not result.first_score):
        return None
    return [_half(result.first_score), _half(result.second_score)]


def _game(game: GameEntry) -> dict[str, Any]:
    first, second = game.first_player, game.second_player
    return _kept(
        board=game.board,
        first=first and first.name,
        second=second and second.name,
        first_fide_id=first and first.fide_id,
        second_fide_id=second and second.fide_id,
        white=game.white,
        score=_score(game),
        kind=_unless("played", game.kind),
        advantage=game.advantage,
        games_played=game.games_played,
    )


# --- rulings and published tables -------------------------------------------------------------------------


def override_entry(override: OverrideEntry) -> dict[str, Any]:
    """An override's object."""
    return _kept(
        id=override.number,
        kind=override.kind,
        round=override.round,
        table=override.table,
        competitor=override.competitor,
        criterion=override.criterion,
        levels=list(override.levels),
        place=override.place,
        criteria=list(override.criteria),
        **{"from": changed_rules_entry(override.rules_from), "to": changed_rules_entry(override.rules_to)},
        undoes=override.undoes,
        was=override.was,
        after=override.after,
        reason=override.reason,
        by=override.by,
        at=_moment(override.at),
        moved=[list(each) for each in override.moved],
    )


def change_entry(change: ChangeEntry) -> dict[str, Any]:
    """An entry of the change log as an object."""
    return _kept(
        round=change.round,
        table=change.table,
        was=change.was,
        now=change.now,
        reason=change.reason,
        by=change.by,
        at=_moment(change.at),
        moved=[list(each) for each in change.moved],
    )


def acknowledgement_entry(acknowledgement: AcknowledgementEntry) -> dict[str, Any]:
    """An accepted warning as an object."""
    return _kept(
        finding=acknowledgement.finding,
        round=acknowledgement.round,
        table=acknowledgement.table,
        reason=acknowledgement.reason,
        by=acknowledgement.by,
        at=_moment(acknowledgement.at),
    )


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def published_entry(published: PublishedEntry | None) -> Lines | None:
    """The published tables as an object, None where there are none."""
    if published is None:
        return None
    after = sorted(published.after_round.items(), key=lambda each: int(each[0]))
    return Lines(
        _kept(
            order=published.order,
            columns=Lines(_columns(published.columns)),
            after_round=Lines(
                {
                    number: _kept(
                        order=table["order"], columns=_columns(table["columns"]), source=table["source"]
                    )
                    for number, table in after
                }
            ),
            publisher=published.publisher,
            source=published.source,
            taken=published.taken,
            known=Rows({key: each[key] for key in _OF_KNOWN} for each in published.known),
        )
    )


def _columns(columns: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Labels by alphabet and numbers by size: a database need not keep the order of the source."""
    return {
        label: {number: _figure(figure) for number, figure in _by_number(column).items()}
        for label, column in sorted(columns.items())
    }


def _figure(figure: str) -> str:
    return Exact(figure) if _DECIMAL.fullmatch(figure) else figure
