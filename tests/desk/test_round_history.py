"""The history of a round on the desk, and rewinding."""

from typing import Any

import pytest

from tests.cast import Hall, open_hall
from tests.desk.acts import act_in
from tests.tournaments.recording.desk import at, round_of, typed
from tournaments.models import Override, Proposal
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import close_round, open_round, reopen_round
from tournaments.recording.rounds.publishing import publish_pairings, take_back_pairings

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    """Return an event with round 3 published and a single result."""
    hall = open_hall()
    anna, ben = hall.people["anna"], hall.people["ben"]
    enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], anna)
    third = open_round(hall.event, anna)
    add_pairings(third, [Seats(1, 4), Seats(2, 3)], anna)
    publish_pairings(third, anna)
    take_back_pairings(third, ben, "A late entry.")
    publish_pairings(third, ben)
    enter(hall.event, [typed(at(hall.event, 3, 1), "2-0")], anna)
    return hall


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_every_action_is_listed(hall: Hall) -> None:
    anna, third = hall.people["anna"], round_of(hall.event, 3)
    values = {"engine": "gacrux", "version": "gacrux 1.11", "input": "", "sha256": "", "draft": ""}
    Proposal.objects.create(round=third, by="anna", **values)
    enter(hall.event, [typed(at(hall.event, 3, 2), "2-0")], anna)
    close_round(third, anna)
    reopen_round(third, anna, "A slip was found.")
    acts = hall.get("round-history", 3).context["acts"]

    assert [(act.by, act.what, act.why) for act in reversed(acts) if "gacrux" not in act.what] == [
        ("anna", "opened", ""),
        ("anna", "pairings published", ""),
        ("ben", "pairings taken back", "A late entry."),
        ("ben", "pairings published", ""),
        ("anna", "closed", ""),
        ("anna", "opened again", "A slip was found."),
    ]
    assert "pairings requested from gacrux 1.11" in [act.what for act in acts]


def test_pairings_by_hand_are_listed(hall: Hall) -> None:
    third = round_of(hall.event, 3)
    enter(hall.event, [typed(at(hall.event, 3, 1), "")], hall.people["anna"])
    take_back_pairings(third, hall.people["anna"], "Another pairing.")
    act_in(hall, 3, "pair", text="1 3", freed="each-other", anyway="1")
    page = hall.get("round-history", 3)
    assert [act.what for act in page.context["acts"]][:2] == ["by hand: 1-3", "pairings taken back"]
    assert hall.address("event-overrides") in text_of(page)


def test_imported_round_has_no_history(hall: Hall) -> None:
    assert "the round was imported from a file" in text_of(hall.get("round-history", 1))


def test_rewind_shows_what_is_removed_then_removes_it(hall: Hall) -> None:
    page = hall.get("round-rewind", 3)

    assert "Round 3, with 2 pairings" in text_of(page)
    assert "1 result of these rounds" in text_of(page)
    assert "Part of this is public" in text_of(page)
    seen = page.context["rewind"].seen
    assert "This needs a reason" in text_of(hall.post("round-rewind", 3, seen=seen))
    answer = hall.post("round-rewind", 3, seen=seen, reason="Paired by wrong results.")
    assert answer["Location"] == hall.address("event-desk")
    assert not hall.seats(3)


def test_public_log_shows_rewind(hall: Hall) -> None:
    seen = hall.get("round-rewind", 3).context["rewind"].seen
    hall.post("round-rewind", 3, seen=seen, reason="Paired by wrong results.")

    page = " ".join(hall.page("changes/").split())
    assert "back to before round 3 (void: round 3)" in page
    assert "Paired by wrong results." in page
    assert "Undo …" not in text_of(hall.get("event-overrides"))
    assert "back to before round 3" in text_of(hall.get("event-overrides"))
    # Rewinding does not change the table, so the standings do not mention it.
    assert "manually changed" not in hall.page("")


def test_second_rewind_is_refused(hall: Hall) -> None:
    seen = hall.get("round-rewind", 3).context["rewind"].seen
    hall.post("round-rewind", 3, seen=seen, reason="Paired by wrong results.")

    refused = hall.post("round-rewind", 3, by="ben", seen=seen, reason="The same.")
    assert "There is no backup from before round 3" in text_of(refused)
    assert Override.objects.filter(kind="rewind").count() == 1


def test_rewind_needs_backup(hall: Hall) -> None:
    assert "There is no backup from before round 2" in text_of(hall.get("round-rewind", 2))
