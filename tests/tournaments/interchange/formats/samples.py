"""Small valid event files, as data that tests change."""

import json
from typing import Any

from tournaments.event.document import Document
from tournaments.interchange.formats import file_formats
from tournaments.interchange.formats.json.reader import Reading, read
from tournaments.interchange.formats.options import AS_FOUND, ReadingOptions

RULING = {"reason": "As ruled.", "by": "An Arbiter", "at": "2022-05-17T13:41:00Z"}


def text(data: Any) -> str:
    return json.dumps(data)


def document(data: Any) -> Document:
    found = read(text(data)).accepted
    assert found is not None, read(text(data)).findings
    return found


def read_into(base: Document, name: str, content: bytes, options: ReadingOptions = AS_FOUND) -> Reading:
    """Read a file into an event."""
    return file_formats.read(
        name, content, {base.event.slug: base}.get, into=base.event.slug, options=options
    )


def players() -> dict[str, Any]:
    """Return four players in a draughts Swiss: two rounds played, the third in progress."""
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": {
            "slug": "four-players",
            "name": "Four Players",
            "discipline": "draughts-100",
            "entrants": "players",
            "schedule": "swiss",
            "rounds": 3,
            "scoring": {"game": [2, 1, 0]},
            "system": "fmjd-swiss",
        },
        "competitors": [
            {"number": 1, "name": "Ann"},
            {"number": 2, "name": "Bea"},
            {"number": 3, "name": "Cas"},
            {"number": 4, "name": "Dov"},
        ],
        "rounds": [
            {
                "number": 1,
                "pairings": [
                    {"table": 1, "first": 1, "second": 2, "score": [2, 0]},
                    {"table": 2, "first": 3, "second": 4, "score": [1, 1], "advantage": "first"},
                ],
            },
            {
                "number": 2,
                "pairings": [
                    {"table": 1, "first": 1, "second": 3, "kind": "forfeit", "score": [2, 0]},
                    {"table": 2, "first": 4, "kind": "bye", "score": [2, None]},
                    {"table": 3, "first": 2, "kind": "absent"},
                ],
            },
            {
                "number": 3,
                "state": "published",
                "pairings": [
                    {"table": 1, "first": 4, "second": 1, "kind": "pending"},
                    {"table": 2, "first": 2, "second": 3, "kind": "unknown"},
                ],
            },
        ],
    }


def teams() -> dict[str, Any]:
    """Return three teams on two boards, with all keys of an event file."""
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": {
            "slug": "three-teams",
            "former_slugs": ["teams-of-three"],
            "name": "Three Teams",
            "series": "Team Cup",
            "congress": "Festival of Teams",
            "section": "Open",
            "place": "Gent",
            "country": "BEL",
            "start": "2022-05-14",
            "end": "2022-05-16",
            "time_zone": "Europe/Brussels",
            "state": "live",
            "discipline": "chess",
            "entrants": "teams",
            "teams_are": "cities",
            "schedule": "swiss",
            "rounds": 3,
            "boards": 2,
            "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]},
            "system": "league",
            "criteria": ["match-points", "buchholz@game"],
            "rules": {
                "primary": "game",
                "bye": {"game": 1, "match": 1},
                "wins_count_byes": True,
                "withdrawal_at_half": "annul",
                "unplayed": "olimpbase",
                "unrated": 1400,
            },
            "officials": [
                {"role": "chief", "title": "IA", "name": "An Arbiter", "fide_id": 17},
                {"role": "organiser", "name": "The Club"},
            ],
            "time_control": "90 minutes, 30 seconds a move",
            "time_code": "5400+30",
            "rated_as": "standard",
            "ratings_from": "rapid",
            "pairing": {
                "start_order": "lots",
                "start_seed": "2022-05-14 7",
                "initial_colour": "black",
                "acceleration": "baku",
                "accelerated_to": 2,
                "forbidden": [{"competitors": [1, 3], "first_round": 2, "last_round": 3}],
                "team_colours": "type-b",
                "delayed_points": "nothing",
            },
            "display": {"places": "range", "cell_number": "start", "columns": "olimpbase", "language": "nl"},
            "sources": ["A book, page 7"],
            "licence": "CC0",
            "doi": "10.5281/zenodo.1234567",
            "notes": "Two lines\nof notes.",
            "trf": ["182 A program"],
        },
        "competitors": [
            {
                "number": 1,
                "name": "Reds",
                "code": "BEL2",
                "flag": "NED",
                "title": "T",
                "rating": 2100,
                "rating_class": "a",
                "outside": True,
                "club": "Red Rooks",
                "city": "Gent",
                "sex": "w",
                "born": "1950",
                "categories": ["U20", "W"],
                "fide_id": 12,
                "fmjd_id": 13,
                "withdrawn_after": 2,
                "requested_byes": {"2": "half-bye", "3": "zero-bye"},
                "adjustments": [
                    {"round": 2, "game": -0.5, "match": 1, "reason": "Late."},
                    {"game": 1, "final": True},
                ],
                "manual": 1,
                "manual_after": 1,
                "players": [
                    {
                        "board": 1,
                        "name": "Rik",
                        "title": "GM",
                        "rating": 2500,
                        "club": "Red Rooks",
                        "city": "Brugge",
                        "sex": "m",
                        "born": "1990-05-04",
                        "categories": ["S50"],
                        "fide_id": 11,
                        "fmjd_id": 14,
                    }
                ],
            },
            {"number": 2, "name": "Blues"},
            {"number": 3, "name": "Greens"},
        ],
        "rounds": [
            {
                "number": 1,
                "date": "2022-05-14",
                "time": "14:00",
                "state": "closed",
                "pairings": [
                    {
                        "table": 1,
                        "first": 1,
                        "second": 2,
                        "kind": "played",
                        "score": [1, 0.5],
                        "match_points": [2, 0],
                        "games": [
                            {
                                "board": 1,
                                "first": "Rik",
                                "second": "Bo",
                                "first_fide_id": 11,
                                "second_fide_id": 21,
                                "white": "first",
                                "score": [0.5, 0.5],
                                "advantage": "second",
                                "games_played": 2,
                                "moves": '[ECO "C20"]\n\n1. e4 e5 {Played at once.}\n2. Qh5 1/2-1/2',
                            },
                            {
                                "board": 2,
                                "first": "Ron",
                                "second": "Bas",
                                "score": [0.5, 0],
                                "kind": "played",
                            },
                        ],
                        "note": "Decided by the referee.",
                    },
                    {"table": 2, "first": 3, "kind": "bye"},
                ],
            },
            {
                "number": 2,
                "provisional_results": [{"round": 1, "table": 1, "points": 0.5}],
                "pairings": [
                    {
                        "table": 1,
                        "first": 2,
                        "second": 3,
                        "kind": "forfeit",
                        "score": [2, 0],
                        "games": [
                            {"board": 1, "first": "Bo", "score": [1, 0], "kind": "forfeit"},
                            {"board": 2, "score": [1, 0], "kind": "forfeit"},
                        ],
                    },
                    {"table": 2, "first": 1, "kind": "half-bye"},
                ],
            },
        ],
        "overrides": [
            {"id": 1, "kind": "pairing", "round": 1, "table": 1, "was": "1-3", **RULING},
            {"id": 2, "kind": "value", "competitor": 2, "criterion": "wins", "levels": ["1.5"], **RULING},
            {"id": 3, "kind": "place", "competitor": 2, "place": 1, "after": 1, **RULING},
            {"id": 5, "kind": "undo", "undoes": 3, **RULING},
        ],
        "changes": [
            {"round": 1, "table": 1, "was": "1-0", "now": "1-½", "moved": [[2, 3, 2], [3, 2, None]], **RULING}
        ],
        "acknowledged": [{"finding": "met-before", "round": 1, "table": 1, **RULING}],
        "published": {
            "order": [[1], [2, 3]],
            "columns": {"dSB": {"1": 372.5}, "W/L": {"2": "6/4"}},
            "after_round": {"1": {"order": [[2], [1]], "columns": {"X": {"1": -1}}, "source": "A paper"}},
            "publisher": "A federation",
            "source": "A book",
            "taken": "2022-05-17",
            "known": [{"what": "order", "competitors": [1, 2], "why": "A slip."}],
        },
    }


def olympiad() -> dict[str, Any]:
    """Return the three teams under a frozen system, with an override of its criteria."""
    data = teams()
    data["event"]["system"] = "olympiad-2010"
    del data["event"]["criteria"]
    data["overrides"].append({"id": 6, "kind": "criteria", "criteria": ["match-points", "wins"], **RULING})
    return data


def changed_rules() -> dict[str, Any]:
    """Return the three teams, with all rules changed after the first result."""
    data = teams()
    event = data["event"]
    event["boards"] = 2
    before = {
        "entrants": "teams", "schedule": "round-robin", "boards": 3,
        "scoring": {"game": [2, 1, 0], "match": [3, 1, 0]}, "system": "olympiad-2010", "criteria": [],
        "primary": "", "bye": {}, "wins_count_byes": False, "withdrawal_at_half": "forfeit", "unplayed": "",
        "unrated": "drop",
    }  # fmt: skip
    after = {
        **{key: event[key] for key in ("entrants", "schedule", "boards", "scoring", "system", "criteria")},
        **event["rules"],
    }
    values = {"after": 2, "moved": [[2, 2, 1], [3, None, 2]], **RULING}
    data["overrides"].append({"id": 6, "kind": "rules", "from": before, "to": after, **values})
    return data
