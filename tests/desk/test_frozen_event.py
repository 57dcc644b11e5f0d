"""Overrides in a frozen system: stars on every page, and records that remain."""

import re
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.cast import Hall, open_hall
from tests.desk.acts import act_in
from tests.tournaments.recording.desk import at, file_of, round_of, seat
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Override

PICTURE = re.compile(r"<figure.*?</figure>", re.DOTALL)
TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
OTHER = ["total-score", "solkoff-plus", "solkoff-truncated-short", "manual"]
CAS, DOV, PAIRED = 3, 4, (1, 3)
VALUE: dict[str, Any] = {
    "competitor": DOV,
    "criterion": "solkoff-plus",
    "value": "9½",
    "reason": "As ruled.",
    "after": "",
}
PLACE: dict[str, Any] = {"competitor": CAS, "place": 1, "reason": "By the jury.", "after": ""}
CRITERIA: dict[str, Any] = {"criteria": OTHER, "reason": "So say the regulations.", "after": ""}


@pytest.fixture
def ruled(db: None) -> Hall:
    return open_hall()


def table(page: str) -> str:
    """Return the first table of a page that is not the text of a picture."""
    found = TABLE.search(PICTURE.sub("", page))
    assert found
    return found[0]


def rule_everything(ruled: Hall) -> None:
    """Override a pairing, a value, a place and the criteria."""
    assert act_in(ruled, 2, "turn", 1, anyway="1", reason="Colours.").status_code == 302
    ruled.confirm("event-override-criteria", **CRITERIA)
    ruled.confirm("event-override-value", **VALUE)
    ruled.confirm("event-override-place", **PLACE)


def row_of(page: str, number: int) -> str:
    """Return the row of a competitor in the standings."""
    [row] = [row for row in table(page).split("<tr") if f"competitors/{number}/" in row and "<td" in row]
    return row


class TestFourOverrides:
    def test_standings_have_star_for_every_override(self, ruled: Hall) -> None:
        rule_everything(ruled)
        # The overrides apply to the round in progress, so earlier standings have no stars.
        standings = ruled.page("standings/?running=shown")

        assert list(Override.objects.values_list("kind", flat=True)) == [
            "pairing",
            "rules",
            "value",
            "place",
        ]
        assert all("*</b>" in row_of(standings, number) for number in PAIRED)
        assert "*</b>" not in row_of(standings, DOV)
        assert re.search(r"<td[^>]*>1\*<t", row_of(standings, CAS))
        assert ">9½*</a>" in row_of(standings, DOV)
        assert "Solk+*" in table(standings)
        # On phones, where a mark replaces the result and values have their heading.
        assert all('data-form="·*"' in row_of(standings, number) for number in PAIRED)
        assert 'data-label="Solk+*"' in row_of(standings, DOV)
        assert "*: 4 manual changes." in standings

    def test_other_pages_have_stars(self, ruled: Hall) -> None:
        rule_everything(ruled)

        assert "–<i>*</i></a>" in table(ruled.page("rounds/2/"))
        assert "*" not in table(ruled.page("rounds/1/"))
        assert "–*</th>" in table(ruled.page("rounds/2/1/"))
        assert "Colours." in ruled.page("rounds/2/1/")
        for number in PAIRED:
            assert "·*</a>" not in ruled.page(f"competitors/{DOV}/")
            assert re.search(r">[^<]*\*</a>\s*</td>", table(ruled.page(f"competitors/{number}/")))
        assert "place 1*" in ruled.page(f"competitors/{CAS}/?running=shown")
        assert "-*</td>" in table(ruled.page(f"competitors/{CAS}/?running=shown"))  # round 3 is not complete
        assert "9½*" in ruled.page(f"competitors/{DOV}/?running=shown")
        assert "9½*" in ruled.page(f"competitors/{DOV}/solkoff-plus/")
        assert "Standard FMJD Swiss*" in ruled.page()
        assert "*</b></a>" in table(ruled.page("crosstable/"))

    def test_computed_standings_have_no_stars(self, ruled: Hall) -> None:
        rule_everything(ruled)
        page = ruled.page("standings/?as=computed")

        assert "*" not in table(page)
        assert "*:" not in page
        assert "*" not in table(ruled.page("standings/?as=computed&running=shown"))

    def test_undo_restores_pages_and_adds_log_entries(self, ruled: Hall) -> None:
        pages = ("standings/", "rounds/2/", "rounds/2/1/", "competitors/1/", "competitors/3/", "crosstable/")
        before = {page: table(ruled.page(page)) for page in pages}
        rule_everything(ruled)
        for number in (1, 2, 3, 4):
            ruled.confirm("event-override-undo", number, reason="It was wrong.")

        assert {page: table(ruled.page(page)) for page in pages} == before
        assert "no manual changes" in ruled.page("standings/")
        assert "Standard FMJD Swiss*" not in ruled.page()
        records = ruled.get("event-overrides").context["records"]
        assert [(each["override"].number, each["undone_by"]) for each in reversed(records)] == [
            *((number, number + 4) for number in (1, 2, 3, 4)),
            *((number, None) for number in (5, 6, 7, 8)),
        ]
        assert ruled.page("changes/").count('<p class="title">') == 8
        assert read(file_of(ruled.event)).errors == ()


class TestConfirmation:
    def test_preview_shows_moves_and_records_no_override(self, ruled: Hall) -> None:
        before = file_of(ruled.event)
        page = ruled.post("event-override-place", **PLACE)

        assert "Preview: not saved yet" in page.content.decode()
        assert {each.name: (each.was, each.now) for each in page.context["answer"].moved}["Cas"] == (3, 1)
        assert [each["what"] for each in page.context["would_record"]] == ["place of Cas: 1"]
        assert file_of(ruled.event) == before

    def test_confirmation_is_for_the_same_values(self, ruled: Hall) -> None:
        token = ruled.post("event-override-place", **PLACE).context["answer"].token
        again = ruled.post("event-override-place", **PLACE | {"place": 2}, confirmed=token)

        assert again.status_code == 200
        assert not Override.objects.exists()

    @pytest.mark.parametrize(
        ("name", "fields", "fault"),
        [
            ("event-override-place", PLACE | {"reason": "  "}, "This field is required."),
            ("event-override-place", PLACE | {"place": 9}, "There are places 1 to 4."),
            ("event-override-place", PLACE | {"competitor": 9}, "Select a valid choice."),
            ("event-override-place", PLACE | {"after": 9}, "less than or equal to 4"),
            ("event-override-value", VALUE | {"value": "a lot"}, "is not an exact value"),
            ("event-override-value", VALUE | {"criterion": "dsb"}, "Select a valid choice."),
            ("event-override-criteria", CRITERIA | {"criteria": []}, "the rules that the event has."),
        ],
    )
    def test_invalid_override_is_refused(
        self, ruled: Hall, name: str, fields: dict[str, Any], fault: str
    ) -> None:
        page = ruled.post(name, **fields)

        assert page.status_code == 200
        assert fault in page.content.decode()
        assert not Override.objects.exists()

    def test_default_first_round_is_current_round(self, ruled: Hall) -> None:
        assert "Empty: round 2, the current one." in ruled.get("event-override-place").content.decode()
        ruled.confirm("event-override-place", **PLACE)
        assert Override.objects.get().after == 2
        assert "*" not in table(ruled.page("standings/after/1/"))

    def test_value_can_have_several_levels(self, ruled: Hall) -> None:
        ruled.confirm(
            "event-override-value", **VALUE | {"criterion": "solkoff-truncated-full", "value": "13 · 9½;5"}
        )
        assert Override.objects.get().levels == ["13", "9.5", "5"]

    def test_undo_is_refused_for_undone_overrides_and_undos(self, ruled: Hall) -> None:
        ruled.confirm("event-override-place", **PLACE)
        ruled.confirm("event-override-undo", 1, reason="It was wrong.")

        for number, fault in ((1, "Override 1 is undone already."), (2, "An undoing is not undone.")):
            page = ruled.post("event-override-undo", number, reason="Again.")
            assert fault in page.content.decode()
        assert ruled.get("event-override-undo", 9).status_code == 404
        assert Override.objects.count() == 2

    def test_pairing_with_result_cannot_be_undone(self, ruled: Hall) -> None:
        pairing, anna = at(ruled.event, 2, 1), ruled.people["anna"]
        seat(round_of(ruled.event, 2), {pairing.table: (3, 1)}, anna, "Colours.")
        ruled.event.rounds.get(number=2).pairings.filter(table=1).update(
            kind="played", first_score=4, second_score=0
        )
        page = ruled.post("event-override-undo", 1, reason="Wrong.")

        assert "Results depend on this pairing." in page.content.decode()


class TestList:
    def test_list_shows_override_user_and_reason(self, ruled: Hall) -> None:
        ruled.confirm("event-override-criteria", **CRITERIA)
        page = ruled.get("event-overrides").content.decode()

        assert "Solkoff plus" in page
        assert "So say the regulations." in page
        assert "anna" in page
        assert f"/admin/events/{ruled.event.pk}/overrides/1/undo/" in page

    def test_list_has_fixed_number_of_queries(
        self, ruled: Hall, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        ruled.confirm("event-override-place", **PLACE)
        ruled.get("event-overrides")
        with django_assert_num_queries(10):
            ruled.get("event-overrides")
        ruled.confirm("event-override-value", **VALUE)
        with django_assert_num_queries(10):
            ruled.get("event-overrides")
