"""Changes of rules after the first result need a reason, are recorded and can be undone."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from standings.engine import SYSTEMS, Standings
from tests.cast import create_team_event, stored_event, swiss_file
from tests.tournaments.recording.desk import at, file_of, typed
from tournaments.crosstable import judge
from tournaments.event.rules import Rules
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.imports.differences import differences
from tournaments.models import Event, Override, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.events.backups import back_up, restore
from tournaments.recording.events.creation import clone_event
from tournaments.recording.events.rules import change_rules, contradicted, is_frozen
from tournaments.recording.events.systems import choose_system, order_criteria
from tournaments.recording.imports.importing import ImportRequest, import_event
from tournaments.recording.locking import lock_event
from tournaments.recording.overrides import override_criteria, undo_override
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter
from tournaments.stored import load

RATING, MEDIAN = "fmjd-swiss-rating", "fmjd-swiss-median"
WHY = "So say the regulations."


@pytest.fixture
def rated(db: None) -> Event:
    """The four players after two rounds: Cas is ahead of Dov, whose opponents have better ratings."""
    return stored_event(rated_file())


def rated_file() -> dict[str, Any]:
    data = swiss_file()
    for competitor, rating in zip(data["competitors"], (2000, 2300, 2250, 1900), strict=True):
        competitor["rating"] = rating
    data["rounds"][1]["state"] = "closed"
    data["rounds"][1]["pairings"] = [
        {"table": 1, "first": 1, "second": 3, "score": [1, 1]},
        {"table": 2, "first": 4, "second": 2, "score": [1, 1]},
    ]
    return data


def change(event: Event, by: User, reason: str = WHY, after: int | None = None, **settings: Any) -> Any:
    with lock_event(event) as now:
        return change_rules(now, settings, by, reason, after)


def shown(standings: Standings) -> list[tuple[object, ...]]:
    """Return places and all values, in order."""
    columns = [column.texts for column in standings.columns]
    return [(row.place, *(texts[row.competitor] for texts in columns)) for row in standings.rows()]


class TestTheRecord:
    def test_has_old_and_new_rules_author_time_reason_and_moved_places(
        self, rated: Event, arbiter: User
    ) -> None:
        before = places(rated)
        choose_system(rated, RATING, rated.version, arbiter, f"  {WHY} ")
        record = Override.objects.get()
        moved = [
            [number, was, now]
            for (number, was), (_, now) in zip(before, places(rated), strict=True)
            if was != now
        ]

        assert (record.kind, record.number, record.after) == ("rules", 1, 2)
        assert (record.rules_from, record.rules_to) == ({"system": "fmjd-swiss"}, {"system": RATING})
        assert (record.by, record.reason) == ("Anna Maas", WHY)
        assert record.moved == moved != []

    def test_before_the_first_result_all_is_free(self, swiss: Event, arbiter: User) -> None:
        Pairing.objects.update(kind="pending", first_score=None, second_score=None)
        assert not is_frozen(swiss)
        choose_system(swiss, "manual-swiss", swiss.version, arbiter)
        change(swiss, arbiter, "", unplayed="olimpbase", game_win=6)
        assert not Override.objects.exists()

    @pytest.mark.parametrize("kind", ["bye", "half-bye", "zero-bye", "absent"])
    def test_a_round_without_an_opponent_is_no_first_result(self, swiss: Event, kind: str) -> None:
        Pairing.objects.exclude(pk=Pairing.objects.first().pk).delete()  # type: ignore[union-attr]  # one of four
        past_of(Pairing).objects.all().delete()
        Pairing.objects.update(kind=kind, second=None, second_score=None)
        assert not is_frozen(swiss)

    @pytest.mark.parametrize("kind", ["played", "forfeit", "unknown"])
    def test_a_single_settled_pairing_is_a_first_result(self, swiss: Event, kind: str) -> None:
        Pairing.objects.update(kind="pending", first_score=None, second_score=None)
        assert not is_frozen(swiss)
        scores = (
            {"first_score": None, "second_score": None}
            if kind == "unknown"
            else {"first_score": 4, "second_score": 0}
        )
        Pairing.objects.filter(table=1, round__number=2).update(kind=kind, **scores)
        assert is_frozen(swiss)

    def test_a_result_that_was_cleared_is_one(self, swiss: Event, arbiter: User) -> None:
        Pairing.objects.update(kind="pending", first_score=None, second_score=None)
        Round.objects.update(state="published")
        awaited = at(swiss, 2, 1)
        for text in ("2-0", ""):
            [answer] = enter(swiss, [typed(awaited, text)], arbiter)
            assert answer.state == "saved"
            awaited = at(swiss, 2, 1)
        assert awaited.kind == "pending"
        with pytest.raises(Refused, match="its rules are frozen"):
            choose_system(swiss, RATING, swiss.version, arbiter)

    def test_a_result_in_the_public_log_is_a_first_result(self, swiss: Event, arbiter: User) -> None:
        Pairing.objects.update(kind="pending", first_score=None, second_score=None)
        assert not is_frozen(swiss)
        swiss.changes.create(round=1, table=1, was="2-0", now="…", reason=WHY, by="Anna Maas")
        assert is_frozen(swiss)

    def test_a_frozen_system_has_no_list_of_its_own_silently(self, swiss: Event, arbiter: User) -> None:
        Pairing.objects.all().delete()
        override_criteria(swiss, ["total-score", "wins"], arbiter, WHY)
        record = Override.objects.get()
        assert (record.rules_from, record.rules_to) == (
            {"criteria": []},
            {"criteria": ["total-score", "wins"]},
        )

    @pytest.mark.parametrize(
        "changed",
        [
            {"system": MEDIAN},
            {"unplayed": "olimpbase"},
            {"bye_game": 2},
            {"wins_count_byes": True},
            {"withdrawal_at_half": "annul"},
            {"match_win": 6},
            {"schedule": "round-robin"},
        ],
    )
    def test_every_switch_needs_a_reason(self, swiss: Event, arbiter: User, changed: dict[str, Any]) -> None:
        before = file_of(swiss)
        with pytest.raises(Refused, match="The event has or had results, so its rules are frozen"):
            change(swiss, arbiter, "  ", **changed)
        assert file_of(swiss) == before

        change(swiss, arbiter, **changed)
        [record] = Override.objects.all()
        assert record.rules_to.items() >= changed.items()
        assert record.rules_from.keys() == record.rules_to.keys()

    def test_unchanged_rules_are_refused(self, swiss: Event, arbiter: User) -> None:
        for unchanged in ({"unplayed": ""}, {"criteria": SYSTEMS["fmjd-swiss"].criteria}):
            with pytest.raises(Refused, match="the rules that the event has"):
                change(swiss, arbiter, **unchanged)

    def test_scoring_that_a_stored_score_does_not_fit_is_refused(self, swiss: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="The recorded data do not fit these settings"):
            change(swiss, arbiter, game_win=2, game_draw=1)
        assert not Override.objects.exists()

    def test_every_field_of_an_event_is_a_rule_or_something_else(self) -> None:
        """A new field of the event needs a decision here, whether it affects the ranking."""
        others = {
            "id", "version", "slug", "name", "series_id", "congress", "section",
            "place", "country", "start", "end", "time_zone", "state",
            "discipline", "planned_rounds", "places", "cell_number", "columns", "language", "sources",
            "licence", "doi", "notes", "teams_are", "trf", "half_byes", "half_byes_until",
            "start_order", "start_seed", "initial_colour", "acceleration", "accelerated_to",
            "forbidden_pairs", "team_colours", "delayed_points",
            "board_order", "players_entry", "players_entry_after",
            "officials", "time_control", "time_code", "rated_as", "ratings_from",
            "categories", "prizes", "prize_currency", "prize_sharing", "prizes_cumulative", "prize_step",
            "prizes_public", "unknown", "home", "shown_at",
        }  # fmt: skip
        own = {field.attname for field in Event._meta.concrete_fields}
        assert own == others | set(Rules.__dataclass_fields__)


class TestTheTable:
    def test_as_computed_is_the_table_without_it(self, rated: Event, arbiter: User) -> None:
        before = shown(judge(rated))
        choose_system(rated, RATING, rated.version, arbiter, WHY)
        standings = judge(fresh(rated))

        assert standings.criteria == ("total-score", "average-rating-opponents", "manual")
        assert standings.system.code == RATING
        assert shown(standings) != before
        assert shown(standings.as_computed) == before

    def test_it_touches_no_standings_before_its_round(self, rated: Event, arbiter: User) -> None:
        first, second = (shown(judge(rated).after(number)) for number in (1, 2))
        choose_system(rated, RATING, rated.version, arbiter, WHY)
        judged = judge(fresh(rated))

        assert shown(judged.after(1)) == first
        assert judged.after(1).overrides == ()
        assert shown(judged.after(2)) != second

        undo_override(Override.objects.get(), arbiter, "Wrong.")
        again = fresh(rated)
        choose_system(again, RATING, again.version, arbiter, WHY, after=1)
        assert shown(judge(fresh(rated)).after(1)) != first

    def test_every_affected_column_has_a_star(self, rated: Event, arbiter: User) -> None:
        choose_system(rated, RATING, rated.version, arbiter, WHY)
        standings = judge(fresh(rated))

        assert standings.has_other_rules
        assert standings.changed_columns == {"average-rating-opponents", "manual"}
        assert standings.after(1).changed_columns == set()
        assert standings.as_computed.changed_columns == set()

    def test_a_switch_stars_only_the_changed_columns(self, swiss: Event, arbiter: User) -> None:
        data = rated_file()
        data["event"]["slug"] = "with-a-bye"
        data["rounds"][1]["pairings"] = [
            {"table": 1, "first": 1, "kind": "bye", "score": [2, None]},
            {"table": 2, "first": 4, "second": 2, "score": [2, 0]},
        ]
        event = stored_event(data)
        change(event, arbiter, unplayed="olimpbase")
        starred = judge(fresh(event)).changed_columns

        assert "total-score" not in starred
        assert starred >= {"solkoff-truncated-short", "solkoff-plus", "solkoff-baliakin"}

    def test_an_open_system_has_the_record_without_the_star(self, rated: Event, arbiter: User) -> None:
        Event.objects.update(system="manual-swiss")
        event = fresh(rated)
        before = shown(judge(event))
        order_criteria(event, ["total-score", "average-rating-opponents"], event.version, arbiter, WHY)
        standings = judge(fresh(rated))

        assert Override.objects.get().rules_to == {"criteria": ["total-score", "average-rating-opponents"]}
        assert len(standings.overrides) == 1
        assert not standings.has_other_rules
        assert standings.changed_columns == set()
        assert shown(standings.as_computed) == before

    def test_several_changes_form_a_chain(self, rated: Event, arbiter: User) -> None:
        before = shown(judge(rated))
        choose_system(rated, RATING, rated.version, arbiter, WHY)
        change(rated, arbiter, unplayed="olimpbase")
        choose_system(rated, MEDIAN, fresh(rated).version, arbiter, WHY)

        assert judge(fresh(rated)).system.code == MEDIAN
        assert shown(judge(fresh(rated)).as_computed) == before
        assert read(file_of(rated)).errors == ()


class TestUndoing:
    def test_it_gives_the_rules_and_the_table_back(self, rated: Event, arbiter: User) -> None:
        before, rules = shown(judge(rated)), Rules.of(rated)
        choose_system(rated, RATING, rated.version, arbiter, WHY)
        moved = Override.objects.get().moved
        [undoing] = undo_override(Override.objects.get(), arbiter, "It was wrong.")

        assert Rules.of(fresh(rated)) == rules
        assert shown(judge(fresh(rated))) == before
        assert not judge(fresh(rated)).has_other_rules
        assert undoing.moved == [[number, now, was] for number, was, now in moved]

    def test_the_last_change_is_undone_first(self, rated: Event, arbiter: User) -> None:
        choose_system(rated, RATING, rated.version, arbiter, WHY)
        change(rated, arbiter, unplayed="olimpbase")
        first, second = Override.objects.order_by("number")
        with pytest.raises(Refused, match="Override 2 changed the rules later"):
            undo_override(first, arbiter, "Wrong.")
        undo_override(second, arbiter, "Wrong.")
        undo_override(first, arbiter, "Wrong.")
        assert (fresh(rated).system, fresh(rated).unplayed) == ("fmjd-swiss", "")

    def test_undoing_must_fit_newer_scores(self, swiss: Event, arbiter: User) -> None:
        Pairing.objects.exclude(round__number=1, table=2).update(
            kind="pending", first_score=None, second_score=None
        )
        change(swiss, arbiter, game_win=6)
        Pairing.objects.filter(round__number=2, table=1).update(kind="played", first_score=6, second_score=0)
        with pytest.raises(Refused, match="do not fit"):
            undo_override(Override.objects.get(), arbiter, "Wrong.")

    def test_the_next_change_needs_a_reason_without_results(self, swiss: Event, arbiter: User) -> None:
        choose_system(swiss, RATING, swiss.version, arbiter, WHY)
        undo_override(Override.objects.get(), arbiter, "Wrong.")
        Pairing.objects.all().delete()
        with pytest.raises(Refused, match="frozen"):
            choose_system(swiss, MEDIAN, fresh(swiss).version, arbiter)


class TestFiles:
    def test_a_round_trip_is_the_same_byte_for_byte(self, rated: Event, arbiter: User) -> None:
        choose_system(rated, "manual-swiss", rated.version, arbiter, WHY)
        order_criteria(rated, ["total-score", "wins"], fresh(rated).version, arbiter, WHY)
        change(rated, arbiter, bye_game=2, match_win=6, primary="game", unplayed="fmjd")
        undo_override(Override.objects.last(), arbiter, "Wrong.")  # type: ignore[arg-type]  # one of three
        override = json.loads(file_of(rated))["overrides"][2]
        text = file_of(rated)
        Event.objects.all().delete()

        assert import_event(text, announce=lambda _: None) == ()
        assert file_of(Event.objects.get()) == text
        assert override["from"] == {"scoring": {"match": [2, 1, 0]}, "primary": "", "bye": {}, "unplayed": ""}
        assert override["to"] == {
            "scoring": {"match": [3, 1, 0]}, "primary": "game", "bye": {"game": 1}, "unplayed": "fmjd",
        }  # fmt: skip

    def test_an_import_needs_a_reason_and_makes_the_record(self, rated: Event) -> None:
        data = rated_file()
        data["event"]["system"] = RATING
        before = file_of(rated)
        [refused] = import_event(json.dumps(data), announce=lambda _: None)
        assert (refused.code, file_of(rated)) == ("reason-needed", before)
        assert "changes its rules: system" in refused.message

        assert import_event(json.dumps(data), announce=lambda _: None, wishes=ImportRequest(reason=WHY)) == ()
        record = Override.objects.get()
        assert (record.kind, record.reason, record.by) == ("rules", WHY, "manage.py import_event")
        assert (record.rules_from, record.rules_to) == ({"system": "fmjd-swiss"}, {"system": RATING})
        assert record.moved

    def test_a_file_that_takes_the_results_out_too_makes_the_record(self, rated: Event) -> None:
        data = rated_file()
        data["event"]["system"] = RATING
        for pairing in (each for round_ in data["rounds"] for each in round_["pairings"]):
            del pairing["score"]
            pairing["kind"] = "pending"
        for round_ in data["rounds"]:
            round_["state"] = "published"

        assert import_event(json.dumps(data), announce=lambda _: None, wishes=ImportRequest(reason=WHY)) == ()
        assert Override.objects.get().rules_from == {"system": "fmjd-swiss"}
        assert import_event(file_of(rated), announce=lambda _: None) == ()

    def test_a_repeated_file_changes_no_row(self, rated: Event) -> None:
        data = rated_file()
        data["event"]["system"] = RATING
        import_event(json.dumps(data), announce=lambda _: None, wishes=ImportRequest(reason=WHY))
        told: list[Any] = []

        assert import_event(json.dumps(data), announce=told.append) == ()
        assert told[0].differences.is_empty
        assert Override.objects.count() == 1

    def test_the_file_of_before_is_a_change_back(self, rated: Event) -> None:
        before, data = file_of(rated), rated_file()
        data["event"]["system"] = RATING
        import_event(json.dumps(data), announce=lambda _: None, wishes=ImportRequest(reason=WHY))
        [refused] = import_event(before, announce=lambda _: None)
        assert refused.code == "reason-needed"
        import_event(before, announce=lambda _: None, wishes=ImportRequest(reason="Back."))
        assert [each.rules_to for each in Override.objects.all()] == [
            {"system": RATING},
            {"system": "fmjd-swiss"},
        ]
        assert shown(judge(fresh(rated))) == shown(judge(fresh(rated)).as_computed)

    def test_a_file_with_the_override_needs_no_further_override(self, rated: Event, arbiter: User) -> None:
        before = file_of(rated)
        choose_system(rated, RATING, rated.version, arbiter, WHY)
        after = file_of(rated)
        Event.objects.all().delete()
        import_event(before, announce=lambda _: None)

        assert import_event(after, announce=lambda _: None) == ()
        assert file_of(Event.objects.get()) == after

    def test_an_import_of_results_and_rules_logs_the_places_moved_by_rules(
        self, rated: Event, arbiter: User
    ) -> None:
        data = rated_file()
        data["rounds"][1]["pairings"][1]["score"] = [0, 2]
        import_event(json.dumps(data), announce=lambda _: None, wishes=ImportRequest(reason="A slip."))
        between = dict(places(rated))
        Event.objects.all().delete()
        event = stored_event(rated_file())
        data["event"]["system"] = RATING
        import_event(json.dumps(data), announce=lambda _: None, wishes=ImportRequest(reason=WHY))

        expected = [
            [number, between[number], place] for number, place in places(event) if between[number] != place
        ]
        assert Override.objects.get().moved == expected

    def test_those_it_moved_keep_their_names_under_new_numbers(self, rated: Event, arbiter: User) -> None:
        choose_system(rated, RATING, rated.version, arbiter, WHY)
        names = dict(rated.competitors.values_list("number", "name"))
        told = sorted((names[number], *rest) for number, *rest in Override.objects.get().moved)
        data = json.loads(file_of(rated))
        del data["overrides"]
        for each in data["competitors"]:
            each["number"] += 10
        for each in data["rounds"]:
            for pairing in each["pairings"]:
                pairing["first"] += 10
                pairing["second"] += 10
        assert import_event(json.dumps(data), announce=lambda _: None) == ()

        names = dict(rated.competitors.values_list("number", "name"))
        assert sorted((names[number], *rest) for number, *rest in Override.objects.get().moved) == told
        assert import_event(file_of(rated), announce=lambda _: None) == ()

    @pytest.mark.parametrize(
        ("change_of", "code"),
        [
            (lambda data: data["event"].update(system=MEDIAN), "rules-not-in-force"),
            (lambda data: data["overrides"][0].pop("to"), "override-incomplete"),
            (lambda data: data["overrides"][0].pop("from"), "override-incomplete"),
            (lambda data: data["overrides"][0].update(to={"unplayed": "fmjd"}), "override-of-other-settings"),
            (lambda data: data["overrides"][0]["from"].update(system="luck"), "unknown-system"),
            (lambda data: data["overrides"][0]["to"].update(luck=1), "unknown-key"),
            (lambda data: data["overrides"][0].update(kind="place"), "override-says-too-much"),
        ],
    )
    def test_a_file_with_inconsistent_overrides_is_refused(
        self, rated: Event, arbiter: User, change_of: Any, code: str
    ) -> None:
        choose_system(rated, RATING, rated.version, arbiter, WHY)
        data = json.loads(file_of(rated))
        change_of(data)
        assert code in {each.code for each in read(json.dumps(data)).errors}

    def test_a_list_in_a_frozen_system_needs_its_record(self, rated: Event, arbiter: User) -> None:
        override_criteria(rated, ["total-score", "wins"], arbiter, WHY)
        data = json.loads(file_of(rated))
        assert read(json.dumps(data)).errors == ()
        assert data["event"]["criteria"] == ["total-score", "wins"]
        del data["overrides"]
        assert {each.code for each in read(json.dumps(data)).errors} == {"criteria-of-frozen-system"}

    def test_a_backup_comes_back_with_its_records_and_stays_frozen(self, rated: Event, arbiter: User) -> None:
        choose_system(rated, RATING, rated.version, arbiter, WHY)
        copy = restore(back_up(fresh(rated), arbiter, "To be sure."), "copy", arbiter)

        assert copy.overrides.get().rules_to == {"system": RATING}
        assert shown(judge(copy)) == shown(judge(fresh(rated)))
        with pytest.raises(Refused, match="frozen"):
            choose_system(copy, MEDIAN, copy.version, arbiter)

    def test_a_clone_is_free_until_its_own_first_result(self, rated: Event, arbiter: User) -> None:
        override_criteria(rated, ["total-score", "wins"], arbiter, WHY)
        clone = clone_event(fresh(rated), "clone", "Clone", arbiter)

        assert (clone.system, clone.criteria) == ("fmjd-swiss", [])
        chosen = choose_system(clone, MEDIAN, clone.version, arbiter)
        assert not chosen.overrides.exists()
        stored = Event.objects.get(pk=clone.pk)
        round_ = stored.rounds.create(number=1)
        ann, bea, *_ = stored.competitors.order_by("number")
        Pairing.objects.create(
            round=round_, table=1, first=ann, second=bea, kind="played", first_score=4, second_score=0
        )
        with pytest.raises(Refused, match="frozen"):
            choose_system(stored, RATING, stored.version, arbiter)


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def places(event: Event) -> list[tuple[int, int]]:
    standings = judge(Event.objects.get(slug=event.slug))
    return list(zip(standings.table.numbers.tolist(), standings.place.tolist(), strict=True))


def test_a_record_only_the_database_has_is_no_difference(rated: Event, arbiter: User) -> None:
    before = load(rated.slug)
    choose_system(rated, RATING, rated.version, arbiter, WHY)
    assert [each.verb for each in differences(before, load(rated.slug)).overrides] == ["added"]


class TestBoundaries:
    def test_an_override_of_rules_without_results_keeps_an_event_frozen(
        self, rated: Event, arbiter: User
    ) -> None:
        change(rated, arbiter, system=RATING)
        Pairing.objects.all().delete()
        past_of(Pairing).objects.all().delete()
        rated.changes.all().delete()

        assert is_frozen(rated)

    def test_the_round_of_a_change_must_exist(self, rated: Event, arbiter: User) -> None:
        last = rated.planned_rounds

        assert change(rated, arbiter, after=last, system=RATING).after == last
        assert change(rated, arbiter, after=0, system=MEDIAN).after == 0
        for after in (-1, last + 1):
            with pytest.raises(Refused, match=f"There are rounds 1 to {last}."):
                change(rated, arbiter, after=after, system=RATING)


def test_score_of_a_published_round_is_contradicted_beside_a_draft(db: None) -> None:
    event = create_team_event()
    bye = event.rounds.get(number=1).pairings.first()
    assert bye
    Pairing.objects.filter(round__event=event).delete()
    event.rounds.exclude(number=1).update(state=Round.State.DRAFT)
    Pairing.objects.create(round=bye.round, table=4, first=bye.first, kind="bye", first_score=4)

    assert contradicted(event, {"boards": 1}).startswith("Round 1, table 4: 2 for a bye cannot be")
    event.rounds.update(state=Round.State.DRAFT)
    assert contradicted(event, {"boards": 1}).startswith("Round 1 is a draft: take table 4 out")
