"""Overrides have a reason and the replaced value, and are undone by another record."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import at, file_of, round_of, seat, typed
from tournaments.crosstable import judge
from tournaments.event.judging import system_of
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Event, Override, Round
from tournaments.recording.events.systems import order_criteria
from tournaments.recording.overrides import override_criteria, override_place, override_value, undo_override
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.submissions import enter

OTHER = ["total-score", "wins", "manual"]


def shown(event: Event) -> list[tuple[object, ...]]:
    """Return places, marks and all values, in order."""
    standings = judge(event)
    columns = [column.texts for column in standings.columns]
    return [(*row, *(texts[row.competitor] for texts in columns)) for row in standings.rows()]


def test_a_value_override_has_the_replaced_value(swiss: Event, arbiter: User) -> None:
    made = override_value(swiss, 1, "solkoff-truncated-short", ["5½"], arbiter, "As ruled.")
    computed = judge(swiss).as_computed.column("solkoff-truncated-short").text(0)
    assert (made.levels, made.was, made.after) == (["5.5"], computed, 2)
    assert judge(swiss).column("solkoff-truncated-short").text(0) == "5½*"


def test_a_place_override_has_the_replaced_place(swiss: Event, arbiter: User) -> None:
    was = int(judge(swiss).place[3])
    made = override_place(swiss, 4, 3, arbiter, "As ruled.")
    assert (made.was, made.after) == (str(was), 2)
    assert judge(swiss).place[3] == 3


def test_before_the_first_result_it_begins_at_once(swiss: Event, arbiter: User) -> None:
    Round.objects.all().delete()
    assert override_place(swiss, 4, 1, arbiter, "By lot.").after == 0
    assert override_value(swiss, 4, "total-score", ["1"], arbiter, "By lot.").was == "0"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda event, by: override_value(event, 1, "dsb", ["1"], by, "Why."),
        lambda event, by: override_value(event, 1, "total-score", ["a lot"], by, "Why."),
        lambda event, by: override_value(event, 1, "total-score", ["1/0"], by, "Why."),
        lambda event, by: override_value(event, 1, "total-score", ["1e999999999"], by, "Why."),
        lambda event, by: override_value(event, 1, "solkoff-plus", ["-5"], by, "Why."),
        lambda event, by: override_value(event, 1, "solkoff-plus", ["1/7"], by, "Why."),
        lambda event, by: override_value(event, 1, "solkoff-truncated-full", ["5", "-1"], by, "Why."),
        lambda event, by: override_value(event, 1, "solkoff-plus", ["9223372036854775808"], by, "Why."),
        lambda event, by: override_value(event, 1, "total-score", [], by, "Why."),
        lambda event, by: override_value(event, 9, "total-score", ["1"], by, "Why."),
        lambda event, by: override_value(event, 1, "total-score", ["1"], by, "Why.", after=5),
        lambda event, by: override_value(event, 1, "total-score", ["1"], by, "  "),
        lambda event, by: override_place(event, 1, 5, by, "Why."),
        lambda event, by: override_place(event, 1, 0, by, "Why."),
        lambda event, by: override_criteria(event, ["total-score", "luck"], by, "Why."),
        lambda event, by: override_criteria(event, ["total-score", "total-score"], by, "Why."),
        lambda event, by: override_criteria(event, [], by, "Why."),
        lambda event, by: override_criteria(event, system_of(event).criteria, by, "Why."),
        lambda event, by: order_criteria(event, OTHER, event.version, by),
    ],
)
def test_invalid_overrides_are_refused(
    swiss: Event, arbiter: User, wrong: Callable[[Event, User], object]
) -> None:
    with pytest.raises(Refused):
        wrong(swiss, arbiter)
    assert not Override.objects.exists()


def test_an_open_system_is_ordered_freely(swiss: Event, arbiter: User) -> None:
    Event.objects.update(system="manual-swiss")
    swiss.refresh_from_db()
    with pytest.raises(Refused, match="setting"):
        override_criteria(swiss, OTHER, arbiter, "Why.")
    ordered = order_criteria(swiss, OTHER, swiss.version, arbiter, "So ruled.")
    assert judge(ordered).criteria == tuple(OTHER)
    with pytest.raises(Conflict):
        order_criteria(swiss, ["total-score"], swiss.version, arbiter, "So ruled.")


def test_four_kinds_made_and_undone_leave_eight_records_and_the_table_as_before(
    swiss: Event, arbiter: User
) -> None:
    before = shown(swiss)
    pairing = at(swiss, 2, 1)
    seat(round_of(swiss, 2), {pairing.table: (3, 1)}, arbiter, "Colours.")
    override_criteria(swiss, OTHER, arbiter, "The regulations say so.")
    override_value(swiss, 2, "wins", ["2"], arbiter, "As ruled.")
    override_place(swiss, 2, 1, arbiter, "As ruled.")
    ruled = judge(swiss)
    assert ruled.criteria == tuple(OTHER)
    assert {mark for row in ruled.rows() for mark in row.marks} >= {"pairing", "value", "place"}
    assert ruled.as_computed.overrides == ()
    made = list(Override.objects.all())
    assert [each.kind for each in made] == ["pairing", "rules", "value", "place"]
    for each in made:
        undo_override(each, arbiter, "It was wrong.")
    assert shown(swiss) == before
    assert Override.objects.count() == 8
    assert read(file_of(swiss)).errors == ()


def test_a_later_override_does_not_change_earlier_standings(swiss: Event, arbiter: User) -> None:
    enter(swiss, [typed(at(swiss, 2, 1), "1-1")], arbiter)
    override_place(swiss, 4, 4, arbiter, "As ruled.")
    assert judge(swiss).after(1).overrides == ()
