"""Missing data in a report for rating."""

from dataclasses import replace

import pytest

from tests.tournaments.interchange.formats.trf.reports import PLAYERS, TEAMS, document_of
from tournaments.event.document import Document, Official
from tournaments.interchange.formats.trf.readiness import report_gaps

CHIEF = Official(role="chief", title="IA", name="An Arbiter", fide_id=17)


def texts(document: Document, *, is_needed: bool = True) -> list[str]:
    """Return the gaps in words, with their competitors."""
    return [
        " ".join([gap.text, *(name for _number, name in gap.who)])
        for gap in report_gaps(document)
        if gap.is_needed is is_needed
    ]


def complete(document: Document) -> Document:
    """Return the event with all missing data added."""
    of_event = {"place": "Gent", "country": "BEL", "officials": (CHIEF,), "time_control": "90 + 30"}
    event = replace(document.event, **of_event, rated_as="standard", state="final")  # type: ignore[arg-type]  # by name
    people = tuple(
        replace(
            each,
            born=each.born or "2000",
            sex=each.sex or "m",
            code=each.code or "BEL",
            fide_id=each.fide_id or 900,
        )
        for each in document.competitors
    )
    return replace(document, event=event, competitors=people)


def test_missing_data_is_reported_with_competitors() -> None:
    document = document_of(PLAYERS)

    assert texts(document) == [
        "The time control is missing.",
        "Without a FIDE id: Dot, Dov",
        "Without a year of birth: Cox, Cas Dot, Dov",
        "Without a sex: Dot, Dov",
        "Without a federation: Dot, Dov",
    ]
    assert texts(document, is_needed=False) == [
        "Without a FIDE id: An Arbiter.",
        "The rating list for these games is missing: standard, rapid or blitz.",
    ]


def test_complete_event_has_no_gaps() -> None:
    assert report_gaps(complete(document_of(PLAYERS))) == []


def test_rounds_need_dates_within_the_event_and_results() -> None:
    document = complete(document_of(PLAYERS))
    first, second, third = document.rounds
    pending = replace(first, pairings=(replace(first.pairings[0], kind="pending"), *first.pairings[1:]))
    changed = replace(
        document,
        event=replace(document.event, planned_rounds=4),
        rounds=(pending, replace(second, date=""), replace(third, date="2027-01-01")),
    )

    assert texts(changed) == [
        "3 of 4 rounds are there.",
        "Results are missing in round 1.",
        "The day is missing of round 2.",
        "Not between the first and the last day of the event: round 3.",
    ]


@pytest.mark.parametrize(
    ("schedule", "after", "kind", "missing"),
    [
        ("round-robin", 0, "pending", False),
        ("round-robin", 1, "pending", True),
        ("round-robin", 0, "unknown", True),
        ("swiss", 0, "pending", True),
    ],
)
def test_games_after_a_withdrawal_from_a_round_robin_need_no_results(
    schedule: str, after: int, kind: str, missing: bool
) -> None:
    document = complete(document_of(PLAYERS))
    first, *others = document.rounds
    game = replace(first.pairings[0], kind=kind)
    changed = replace(
        document,
        event=replace(document.event, schedule=schedule),
        rounds=(replace(first, pairings=(game, *first.pairings[1:])), *others),
        competitors=tuple(
            replace(each, withdrawn_after=after) if each.number == game.second else each
            for each in document.competitors
        ),
    )

    assert ("Results are missing in round 1." in texts(changed)) is missing


def test_repeated_id_and_single_name_are_reported() -> None:
    document = complete(document_of(PLAYERS))
    one, two, *others = document.competitors
    changed = replace(
        document, competitors=(replace(one, name="Ann Ash"), replace(two, fide_id=one.fide_id), *others)
    )

    assert texts(changed) == ["The same FIDE id twice: Ann Ash Bay, Ben"]
    assert texts(changed, is_needed=False) == ["Surname and given name are not parted by a comma: Ann Ash"]


def test_players_of_teams_are_checked() -> None:
    found = texts(document_of(TEAMS))

    assert "Without a sex: Bay, Ben Cox, Cas Dot, Dov Elm, Eva Fir, Fay" in found
    assert not any("federation:" in text for text in found)
