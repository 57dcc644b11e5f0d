"""Rearranging tables by hand: all or none, concurrent arbiters, locks and numbers."""

from collections.abc import Callable, Mapping

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import at, typed
from tournaments.models import Competitor, Event, Override, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.pairings.by_hand import (
    Seats,
    Tables,
    add_pairings,
    renumber_tables,
    use_fixed_tables,
)
from tournaments.recording.pairings.rearranging import (
    Seating,
    arrange,
    lock,
    read_seen,
)
from tournaments.recording.pairings.unusual import find_doubts
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import open_round
from tournaments.recording.rounds.publishing import publish_pairings

Act = Callable[[Seating], Tables]


@pytest.fixture
def third(swiss: Event, arbiter: User) -> Round:
    """Round 3 of nine: 1-4, 2-3, 5-6; 7 has the bye, 8 is absent, and 9 is not paired."""
    Competitor.objects.bulk_create(
        Competitor(event=swiss, number=number, name=f"Player {number}") for number in range(5, 10)
    )
    enter(swiss, [typed(at(swiss, 2, 1), "1-1")], arbiter)
    opened = open_round(swiss, arbiter)
    seats = [(1, 4, ""), (2, 3, ""), (5, 6, ""), (7, None, "bye"), (8, None, "absent")]
    add_pairings(opened, [Seats(*each) for each in seats], arbiter)
    return opened


def seating_of(round_: Round) -> Seating:
    return Seating(round_.pairings.select_related("first", "second"))


def act_on(round_: Round, act: Act, by: User, reason: str = "", seen: str = "") -> dict[int, str]:
    """Apply a change with current versions, and return the tables after it."""
    seating = seating_of(round_)
    arrange(round_, act(seating), read_seen(seen or seating.seen), by, reason)
    return in_words(seating_of(round_).tables)


def in_words(tables: Mapping[int, Seats | None]) -> dict[int, str]:
    return {
        table: "-".join(map(str, seats.numbers)) + (f" {seats.kind}" if seats.kind else "")
        for table, seats in sorted(tables.items())
        if seats is not None
    }


AS_PAIRED = {1: "1-4", 2: "2-3", 3: "5-6", 4: "7 bye", 5: "8 absent"}

ACTS: tuple[tuple[str, Act, Mapping[int, str]], ...] = (
    ("two tables", lambda s: s.exchange(4, 2), {1: "1-2", 2: "4-3"}),
    ("opponents turn", lambda s: s.exchange(4, 1), {1: "4-1"}),
    ("who is not paired comes in", lambda s: s.exchange(9, 3), {2: "2-9"}),
    ("the bye changes hands", lambda s: s.exchange(4, 7), {1: "1-7", 4: "4 bye"}),
    ("an absence is one's own", lambda s: s.exchange(4, 8), {1: "1-8", 5: ""}),
    ("two without an opponent meet", lambda s: s.exchange(8, 9), {5: "8-9"}),
    ("two of two tables", lambda s: s.pair(1, 2), {1: "1-2", 2: "4-3"}),
    ("two of two tables, turned", lambda s: s.pair(3, 4), {1: "1-2", 2: "3-4"}),
    ("paired as they are", lambda s: s.pair(2, 3), {}),
    ("paired with other colours", lambda s: s.pair(3, 2), {2: "3-2"}),
    ("one who is not paired", lambda s: s.pair(9, 2), {2: "9-2"}),
    ("one who has the bye", lambda s: s.pair(7, 5), {3: "7-5", 4: "6 bye"}),
    ("one who was absent", lambda s: s.pair(1, 8), {1: "1-8", 5: ""}),
    ("two who had no opponent", lambda s: s.pair(8, 7), {4: "", 5: "8-7"}),
    ("at a table", lambda s: s.pair(9, 8, 7), {5: "", 7: "9-8"}),
    ("parted", lambda s: s.part([5]), {3: ""}),
    ("turned", lambda s: s.turn([5, 1]), {1: "4-1", 3: "6-5"}),
    ("out of the round", lambda s: s.give_round_off([5], "half-bye"), {3: "5 half-bye"}),
    ("both of a table out", lambda s: s.give_round_off([5, 6], "absent"), {3: "5 absent", 6: "6 absent"}),
)


@pytest.mark.parametrize(("act", "changed"), [each[1:] for each in ACTS], ids=[each[0] for each in ACTS])
def test_an_act_changes_these_tables_and_no_others(
    third: Round, arbiter: User, act: Act, changed: Mapping[int, str]
) -> None:
    after = {table: words for table, words in {**AS_PAIRED, **changed}.items() if words}
    assert act_on(third, act, arbiter) == after


def test_the_lowest_free_table_is_taken(third: Round, arbiter: User) -> None:
    act_on(third, lambda seating: seating.part([2]), arbiter)
    assert act_on(third, lambda seating: seating.pair(9, 3), arbiter)[2] == "9-3"


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (lambda s: s.pair(9, 8, 1), "Table 1 is taken"),
        (lambda s: s.part([9]), "9 is not paired"),
        (lambda s: s.turn([7]), "7 has no opponent"),
        (lambda _: {1: Seats(1, 2)}, "would sit at two tables"),
        (lambda _: {9: Seats(9, 44)}, "no competitor 44"),
    ],
)
def test_impossible_changes_are_refused(third: Round, arbiter: User, act: Act, why: str) -> None:
    with pytest.raises(Refused, match=why):
        act_on(third, act, arbiter)
    assert in_words(seating_of(third).tables) == AS_PAIRED


class TestBesideAnother:
    def test_a_moved_competitor_is_a_conflict(self, third: Round, arbiter: User, other: User) -> None:
        shown = seating_of(third).seen
        act_on(third, lambda seating: seating.exchange(4, 2), other)
        with pytest.raises(Conflict) as conflict:
            act_on(third, lambda seating: seating.exchange(3, 9), arbiter, seen=shown)
        assert conflict.value.by == "ben"

    def test_an_unpaired_competitor_is_a_conflict(self, third: Round, arbiter: User, other: User) -> None:
        shown = seating_of(third).seen
        act_on(third, lambda seating: seating.part([2]), other)
        with pytest.raises(Conflict) as conflict:
            act_on(third, lambda seating: seating.pair(2, 9), arbiter, seen=shown)
        assert conflict.value.by == "ben"

    def test_a_change_at_another_table_is_no_conflict(self, third: Round, arbiter: User, other: User) -> None:
        shown = seating_of(third).seen
        act_on(third, lambda seating: seating.exchange(5, 6), other)
        assert act_on(third, lambda seating: seating.exchange(4, 2), arbiter, seen=shown)[3] == "6-5"

    def test_a_form_without_versions_is_a_conflict(self, third: Round, arbiter: User) -> None:
        for forged in ("x", "1.2", "1.2.3.4.5", f"{'9' * 5000}.1.4"):
            with pytest.raises(Conflict):
                act_on(third, lambda seating: seating.exchange(4, 2), arbiter, seen=forged)


class TestPublished:
    @pytest.fixture(autouse=True)
    def published(self, third: Round, arbiter: User) -> None:
        publish_pairings(third, arbiter)

    def test_a_change_needs_a_reason_and_is_an_override_a_table(self, third: Round, arbiter: User) -> None:
        with pytest.raises(Refused, match="reason"):
            act_on(third, lambda seating: seating.exchange(4, 2), arbiter)
        act_on(third, lambda seating: seating.exchange(4, 2), arbiter, "They share a car.")
        found = Override.objects.values_list("kind", "round", "table", "was", "reason", "by")
        assert list(found) == [
            ("pairing", 3, 1, "1-4", "They share a car.", "Anna Maas"),
            ("pairing", 3, 2, "2-3", "They share a car.", "Anna Maas"),
        ]
        assert len({*Override.objects.values_list("at", flat=True)}) == 1

    def test_a_new_table_is_an_override_too(self, third: Round, arbiter: User) -> None:
        act_on(third, lambda _: {6: Seats(9, kind="bye")}, arbiter, "Came late.")
        assert list(Override.objects.values_list("table", "was")) == [(6, "")]

    def test_no_table_is_removed(self, third: Round, arbiter: User) -> None:
        with pytest.raises(Refused, match="are published"):
            act_on(third, lambda seating: seating.part([2]), arbiter, "Gone.")

    def test_a_result_stays(self, third: Round, arbiter: User) -> None:
        enter(third.event, [typed(at(third.event, 3, 1), "2-0")], arbiter)
        with pytest.raises(Refused, match="has a result"):
            act_on(third, lambda seating: seating.exchange(4, 2), arbiter, "Colours.")

    def test_tables_keep_their_numbers_and_cannot_be_locked(self, third: Round, arbiter: User) -> None:
        with pytest.raises(Refused, match="keep their numbers"):
            renumber_tables(third, {at(third.event, 3, 1).pk: 9}, arbiter)
        with pytest.raises(Refused, match="cannot be locked"):
            lock(third, [1], arbiter, locked=True)


def test_a_changed_pairing_keeps_its_key_and_past(third: Round, arbiter: User) -> None:
    before = at(third.event, 3, 1)
    act_on(third, lambda seating: seating.exchange(4, 2), arbiter)
    after = at(third.event, 3, 1)
    assert (after.pk, after.version) == (before.pk, before.version + 1)
    past = past_of(Pairing).objects.filter(id=before.pk).order_by("history_id")
    assert list(past.values_list("history_type", flat=True)) == ["+", "-", "+"]


def test_unchanged_tables_are_not_saved(third: Round, arbiter: User) -> None:
    before, after = arrange(third, {1: Seats(1, 4)}, {}, arbiter)
    assert before == after
    assert at(third.event, 3, 1).version == 1


def test_a_lock_is_set_and_taken_off(third: Round, arbiter: User) -> None:
    assert lock(third, [1, 2, 9], arbiter, locked=True) == 2
    assert lock(third, [1], arbiter, locked=False) == 1
    assert [row.table for row in third.pairings.filter(locked=True)] == [2]


class TestFixedTables:
    """1-4, 2-3 and 5-6 are at tables 1 to 3, the bye of 7 and the absence of 8 follow."""

    @pytest.fixture
    def fixed(self, third: Round) -> Callable[..., None]:
        def fix(**tables: int) -> None:
            for name, table in tables.items():
                Competitor.objects.filter(number=int(name.removeprefix("no"))).update(fixed_table=table)

        return fix

    def tables(self, round_: Round, by: User) -> dict[int, str]:
        use_fixed_tables(round_, by)
        return in_words(seating_of(round_).tables)

    def test_the_others_keep_their_order(
        self, third: Round, arbiter: User, fixed: Callable[..., None]
    ) -> None:
        fixed(no6=1)
        assert self.tables(third, arbiter) == {1: "5-6", 2: "1-4", 3: "2-3", 4: "7 bye", 5: "8 absent"}
        assert self.tables(third, arbiter)[1] == "5-6"

    def test_a_table_beyond_the_last_leaves_no_gap(
        self, third: Round, arbiter: User, fixed: Callable[..., None]
    ) -> None:
        fixed(no4=40)
        assert self.tables(third, arbiter) == {1: "2-3", 2: "5-6", 3: "7 bye", 4: "8 absent", 40: "1-4"}
        assert "empty-board" not in [each.code for each in find_doubts(third)]

    def test_rounds_off_follow_the_last_table_that_is_not_fixed(
        self, third: Round, arbiter: User, fixed: Callable[..., None]
    ) -> None:
        fixed(no4=6)
        assert self.tables(third, arbiter)[6] == "1-4"
        after = act_on(third, lambda seating: seating.give_round_off([9, 2, 3], "half-bye"), arbiter)
        assert after == {
            1: "2 half-bye", 2: "5-6", 3: "7 bye", 4: "8 absent", 5: "9 half-bye", 6: "1-4", 7: "3 half-bye"
        }  # fmt: skip

    def test_added_rounds_off_follow_the_last_table_that_is_not_fixed(
        self, third: Round, arbiter: User, fixed: Callable[..., None]
    ) -> None:
        fixed(no4=40)
        assert self.tables(third, arbiter)[40] == "1-4"
        add_pairings(third, [Seats(9, kind="half-bye")], arbiter)
        assert in_words(seating_of(third).tables) == {
            1: "2-3", 2: "5-6", 3: "7 bye", 4: "8 absent", 5: "9 half-bye", 40: "1-4"
        }  # fmt: skip

    def test_the_lower_of_two_is_used_with_a_note(
        self, third: Round, arbiter: User, fixed: Callable[..., None]
    ) -> None:
        fixed(no2=3, no3=2, no7=1)
        assert self.tables(third, arbiter) == {1: "1-4", 2: "2-3", 3: "5-6", 4: "7 bye", 5: "8 absent"}
        [doubt] = [each for each in find_doubts(third) if each.code == "fixed-tables"]
        assert doubt.text == "Both have a fixed table. The game is at the lower one, table 2."

    def test_two_games_never_get_the_same_table(
        self, third: Round, arbiter: User, fixed: Callable[..., None]
    ) -> None:
        fixed(no1=2, no5=2)
        assert len(self.tables(third, arbiter)) == 5

    def test_they_are_used_when_a_draft_changes_and_when_it_is_published(
        self, third: Round, arbiter: User, fixed: Callable[..., None]
    ) -> None:
        fixed(no6=1)
        add_pairings(third, [Seats(9, kind="bye")], arbiter)
        assert in_words(seating_of(third).tables)[1] == "5-6"
        fixed(no6=2)
        assert act_on(third, lambda seating: seating.turn([5]), arbiter)[2] == "6-5"
        fixed(no6=3)
        assert [each.text for each in find_doubts(third) if each.code == "moves"] == [
            "The game at table 2 moves to table 3 when the round is published.",
            "The game at table 3 moves to table 2 when the round is published.",
        ]
        publish_pairings(third, arbiter)
        assert in_words(seating_of(third).tables)[3] == "6-5"
        fixed(no6=1)
        third.refresh_from_db()
        assert "moves" not in [each.code for each in find_doubts(third)]
        assert act_on(third, lambda seating: seating.turn([1]), arbiter, "Colours.")[1] == "4-1"

    def test_tables_after_a_change_include_those_that_they_moved(
        self, third: Round, arbiter: User, fixed: Callable[..., None]
    ) -> None:
        fixed(no6=1)
        before, after = arrange(third, {2: Seats(3, 2)}, read_seen(seating_of(third).seen), arbiter)
        assert in_words(before) == AS_PAIRED
        assert in_words(after) == {1: "5-6", 2: "1-4", 3: "3-2", 4: "7 bye", 5: "8 absent"}


def test_tables_are_renumbered_and_put_back(third: Round, arbiter: User) -> None:
    keys = {table: at(third.event, 3, table).pk for table in range(1, 6)}
    before = renumber_tables(third, {keys[1]: 3, keys[3]: 2, keys[2]: 1}, arbiter)
    assert in_words(seating_of(third).tables) == {1: "2-3", 2: "5-6", 3: "1-4", 4: "7 bye", 5: "8 absent"}
    renumber_tables(third, before, arbiter)
    assert in_words(seating_of(third).tables) == AS_PAIRED
    with pytest.raises(Refused):
        renumber_tables(third, {keys[1]: 2}, arbiter)
