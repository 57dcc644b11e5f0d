"""The form of a competitor: numbers and swaps, and the checks of event files."""

from typing import Any

import pytest
from django.urls import reverse

from tests.cast import Desk
from tournaments.interchange.formats.trf.preserved import renumbered_lines
from tournaments.models import Change, Competitor, Event, Override, Pairing, Player, Published
from tournaments.recording.events.rulings import findings_of

pytestmark = pytest.mark.django_db


def competitor_of(event: Event, number: int) -> Competitor:
    return Competitor.objects.get(event=event, number=number)


def save(desk: Desk, row: Competitor, *players: dict[str, Any], **values: Any) -> Any:
    """Post the form of a competitor with some values, and rows of new players."""
    form = {"number": row.number, "name": row.name, "code": row.code, "seen": row.version}
    form |= {"players-TOTAL_FORMS": len(players), "players-INITIAL_FORMS": 0}
    form |= {f"players-{at}-{name}": value for at, row in enumerate(players) for name, value in row.items()}
    address = reverse("admin:tournaments_competitor_change", args=[row.pk])
    return desk.browser("superuser").post(address, form | values, follow=True)


def add(desk: Desk, event: Event, **values: Any) -> Any:
    form = {"event": event.pk, "players-TOTAL_FORMS": 0, "players-INITIAL_FORMS": 0}
    address = reverse("admin:tournaments_competitor_add")
    return desk.browser("superuser").post(address, form | values, follow=True)


class TestNumbers:
    @pytest.fixture(autouse=True)
    def not_public(self, desk: Desk) -> None:
        Event.objects.update(state="draft")

    def test_taken_number_is_rejected_with_an_offer_to_swap(self, desk: Desk) -> None:
        page = save(desk, competitor_of(desk.event, 1), number=2).content.decode()

        assert "Number 2 is Blues" in page
        assert "4 is free." in page
        assert 'name="swap"' in page
        assert [each.name for each in desk.event.competitors.all()] == ["Reds", "Blues", "Greens"]

    def test_swap_is_not_offered_for_other_errors(self, desk: Desk) -> None:
        assert 'name="swap"' not in save(desk, competitor_of(desk.event, 1), name="").content.decode()

    def test_swap_is_not_offered_to_a_new_competitor(self, desk: Desk) -> None:
        page = add(desk, desk.event, number=2, name="Whites").content.decode()

        assert "Number 2 is Blues" in page
        assert 'name="swap"' not in page

    def test_swap_exchanges_two_numbers(self, desk: Desk) -> None:
        reds, blues = competitor_of(desk.event, 1), competitor_of(desk.event, 2)
        save(desk, reds, number=2, swap="on", name="Crimsons")
        seats = Pairing.objects.filter(round__event=desk.event, table=1)

        assert [each.name for each in desk.event.competitors.all()] == ["Blues", "Crimsons", "Greens"]
        assert seats.values_list("first__name", "second__name").get() == ("Crimsons", "Blues")
        for row in (reds, blues):
            version = row.version
            row.refresh_from_db()
            assert row.version == version + 1
            assert row.history.filter(version=row.version).count() == 1

    def test_swap_detects_a_concurrent_change(self, desk: Desk) -> None:
        reds = competitor_of(desk.event, 1)
        save(desk, reds, name="Crimsons")
        page = save(desk, reds, name="Scarlets", number=2, swap="on")

        assert "Choose the values to keep" in page.content.decode()
        assert [each.name for each in desk.event.competitors.all()] == ["Crimsons", "Blues", "Greens"]

    def test_published_tables_follow_changed_numbers(self, desk: Desk) -> None:
        event = desk.event
        Published.objects.filter(event=event).update(
            order=[[1], [2, 3]],
            columns={"MP": {"1": "2", "2": "1"}},
            after_round={"1": {"order": [[2], [1]], "columns": {}}},
            known=[{"what": "order", "competitors": [1, 2], "why": "A slip."}],
        )
        Change.objects.filter(event=event).update(moved=[[1, 3, 2], [3, 2, 3]])
        pairing = {"kind": Override.Kind.PAIRING, "round": 1, "table": 1, "reason": "A slip.", "by": "anna"}
        ruling = Override.objects.create(event=event, number=7, was="1-3", **pairing)
        rules = {"kind": Override.Kind.RULES, "reason": "A slip.", "by": "anna"}
        change = Override.objects.create(event=event, number=8, moved=[[1, 3, 2], [3, 2, 3]], **rules)
        save(desk, competitor_of(event, 1), number=2, swap="on")

        published = Published.objects.get(event=event)
        assert published.order == [[2], [1, 3]]
        assert published.columns == {"MP": {"2": "2", "1": "1"}}
        assert published.after_round["1"]["order"] == [[1], [2]]
        assert published.known[0]["competitors"] == [2, 1]
        assert Change.objects.get(event=event).moved == [[2, 3, 2], [3, 2, 3]]
        ruling.refresh_from_db()
        assert ruling.was == "2-3"
        change.refresh_from_db()
        assert change.moved == [[2, 3, 2], [3, 2, 3]]

    def test_report_lines_follow_changed_numbers(self) -> None:
        lines = ["001    1 x", "NED    2 x", "### 1", "310   1 x"]

        assert renumbered_lines(lines, {1: 2, 2: 1}, is_team=False) == [
            "001    2 x", "NED    1 x", "### 1", "310   1 x",
        ]  # fmt: skip
        assert renumbered_lines(lines, {1: 2, 2: 1}, is_team=True)[3] == "310   2 x"

    @pytest.mark.parametrize(
        ("line", "becomes"),
        [
            ("XXP 1 2 3", "XXP 12 1 3"),
            ("XXA    1  1.0  1.0", "XXA   12  1.0  1.0"),
            ("XXA    3  1.0  2.0", "XXA    3  1.0  2.0"),
            ("260   1   2    1    2    3", "260   1   2   12    1    3"),
            (
                "013 Club 1                              1    2",
                "013 Club 1                             12    1",
            ),
            ("XXC white1", "XXC white1"),
        ],
    )
    def test_lists_in_report_lines_follow_changed_numbers(self, line: str, becomes: str) -> None:
        assert renumbered_lines([line], {1: 12, 2: 1}, is_team=False) == [becomes]

    def test_competitor_can_take_a_free_number(self, desk: Desk) -> None:
        Published.objects.filter(event=desk.event).update(order=[[1], [2]])
        save(desk, competitor_of(desk.event, 1), number=9)

        assert competitor_of(desk.event, 9).name == "Reds"
        assert Published.objects.get(event=desk.event).order == [[9], [2]]


class TestDeletion:
    @pytest.fixture
    def late(self, desk: Desk) -> Competitor:
        return Competitor.objects.create(event=desk.event, number=9, name="Late")

    def can_be_deleted(self, desk: Desk, late: Competitor) -> bool:
        address = reverse("admin:tournaments_competitor_delete", args=[late.pk])
        desk.browser("superuser").post(address, {"post": "yes"})
        return not Competitor.objects.filter(pk=late.pk).exists()

    def test_competitor_without_record_can_be_deleted(self, desk: Desk, late: Competitor) -> None:
        assert self.can_be_deleted(desk, late)

    def test_competitor_moved_by_a_correction_cannot_be_deleted(self, desk: Desk, late: Competitor) -> None:
        Change.objects.filter(event=desk.event).update(moved=[[9, 3, 4]])
        assert not self.can_be_deleted(desk, late)

    def test_competitor_moved_by_a_rule_change_cannot_be_deleted(self, desk: Desk, late: Competitor) -> None:
        rules = {"kind": Override.Kind.RULES, "reason": "A slip.", "by": "anna"}
        Override.objects.create(event=desk.event, number=8, moved=[[9, 3, 4]], **rules)
        assert not self.can_be_deleted(desk, late)


def set_live(event: Event) -> None:
    """Set an event live while its list of competitors is not complete."""
    event.state = Event.State.LIVE
    event.save(update_fields=["state"])


class TestChecks:
    def test_fixed_table_of_another_competitor_is_refused(self, desk: Desk) -> None:
        save(desk, competitor_of(desk.event, 1), fixed_table=2)
        page = save(desk, competitor_of(desk.event, 2), fixed_table=2).content.decode()

        assert "Table 2 is the fixed table of Reds and of" in page
        assert "Choose another table for one of them." in page
        assert [each.fixed_table for each in desk.event.competitors.order_by("number")] == [2, None, None]

    def test_fixed_table_of_a_withdrawn_competitor_is_free(self, desk: Desk) -> None:
        save(desk, competitor_of(desk.event, 1), fixed_table=2)
        Competitor.objects.filter(event=desk.event, number=1).update(withdrawn_after=0)
        save(desk, competitor_of(desk.event, 2), fixed_table=2)
        assert competitor_of(desk.event, 2).fixed_table == 2

    def test_fixed_table_has_a_limit_that_leaves_room_for_all_others(self, desk: Desk) -> None:
        page = save(desk, competitor_of(desk.event, 1), fixed_table=1000).content.decode()
        assert "less than or equal to 999" in page

    def test_withdrawal_must_be_after_an_existing_round(self, desk: Desk) -> None:
        page = save(desk, competitor_of(desk.event, 1), withdrawn_after=3).content.decode()

        assert "Reds withdrew after round 3 of an event of 2 rounds" in page
        assert competitor_of(desk.event, 1).withdrawn_after is None

    @pytest.mark.parametrize(
        ("values", "text"),
        [
            ({"code": "NLD"}, "Netherlands goes by NED. Write NED."),
            ({"code": "NLD2"}, "Write NED2."),
            ({"rating": 20_500}, "Ratings lie between 100 and 4000"),
            ({"name": "bEA"}, "Numbers 2 and 3 are both called bEA"),
        ],
    )
    def test_warnings_are_shown_and_listed_as_findings(
        self, desk: Desk, values: dict[str, Any], text: str
    ) -> None:
        set_live(desk.other_event)
        page = add(desk, desk.other_event, **{"number": 3, "name": "Cas"} | values)

        assert any(text in str(message) for message in page.context["messages"])
        assert any(text in finding.message for finding in findings_of(desk.other_event))

    def test_federation_codes_of_completed_events_are_not_checked(self, desk: Desk) -> None:
        Competitor.objects.filter(event=desk.other_event, number=2).update(code="NLD")

        assert not any("NED" in finding.message for finding in findings_of(desk.other_event))

    def test_existing_warnings_are_not_repeated(self, desk: Desk) -> None:
        set_live(desk.other_event)
        Competitor.objects.filter(event=desk.other_event, number=2).update(code="NLD")
        page = save(desk, competitor_of(desk.other_event, 2), rating=1900)

        assert "NED" not in " ".join(map(str, page.context["messages"]))

    @pytest.mark.parametrize(
        ("players", "message"),
        [
            (({"name": "Zoe"}, {"name": "Zoe"}), "Zoe (Zoe) is already in Reds"),
            (
                ({"name": "Zoe", "fide_id": 9}, {"name": "Yan", "fide_id": 9}),
                "Please correct the duplicate data",
            ),
            (({"name": "Reds 1"},), "Reds 1 (Reds 1) is already in Reds"),
            (({"name": "Zoe", "board": 5}, {"name": "Yan", "board": 5}), "Please correct the duplicate data"),
            (({"name": "Zoe", "board": 1},), "Board 1 of Reds is taken"),
        ],
    )
    def test_players_of_a_team_must_be_distinguishable(
        self, desk: Desk, players: tuple[dict[str, Any], ...], message: str
    ) -> None:
        page = save(desk, competitor_of(desk.event, 1), *players)

        assert message in page.content.decode()
        assert Player.objects.filter(competitor__event=desk.event).count() == 6
