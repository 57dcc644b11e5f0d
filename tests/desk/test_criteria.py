"""The screen of an event's criteria: catalogue, typed codes, trials, and FIDE's systems."""

from typing import Any

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from standings.engine import all_criteria
from tests.cast import Hall, chess_swiss_file, open_hall
from tournaments.models import Event

LIST = ("PTS", "SB", "manual")


@pytest.fixture
def chess(db: None) -> Hall:
    """Return six chess players after three rounds, ranked by points and Sonneborn-Berger."""
    return open_hall(chess_swiss_file())


def form(hall: Hall, *criteria: str, **fields: Any) -> dict[str, Any]:
    """Return the values of the form, with some fields changed."""
    return {"act": "order", "criteria": criteria, "seen": hall.event.version, **fields}


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


class TestCatalogue:
    def found(self, chess: Hall, words: str) -> list[str]:
        editor = chess.browser.post(
            chess.address("event-ranking"), form(chess, *LIST, find="1", find_text=words)
        ).context["editor"]
        return [each.row.abbr for family in editor.catalogue for each in family.offered if each.is_found]

    def test_catalogue_has_every_criterion_with_source_and_rule(self, chess: Hall) -> None:
        editor = chess.get("event-ranking").context["editor"]
        rows = [each.row for family in editor.catalogue for each in family.offered]

        assert sorted(row.code for row in rows) == sorted(each.code for each in all_criteria())
        assert all(row.source and row.rule and row.name for row in rows)
        assert editor.catalogue[0].name == "FIDE C.07: own results"

    @pytest.mark.parametrize(
        ("words", "abbreviations"),
        [
            ("BH-C1", ["BH"]),
            ("8.1", ["BH"]),
            ("koya", ["KS", "Koya"]),
            ("progressive SCORE", ["PS"]),
            ("a dummy is the opponent", ["BH"]),
            ("no such thing", []),
        ],
    )
    def test_search_by_code_article_name_and_rule(
        self, chess: Hall, words: str, abbreviations: list[str]
    ) -> None:
        found = self.found(chess, words)

        assert [abbr for abbr in found if abbr in {*abbreviations}] == abbreviations
        assert len(found) <= len(abbreviations) + 2

    def test_search_keeps_list_and_typed_reason(self, chess: Hall) -> None:
        page = chess.browser.post(
            chess.address("event-ranking"),
            form(chess, *LIST, find="1", find_text="koya", reason="So say the regulations."),
        )

        assert page.context["editor"].codes == [*LIST]
        assert "So say the regulations." in text(page)
        assert "This field is required." not in text(page)

    def test_chosen_variant_is_added(self, chess: Hall) -> None:
        fields = form(chess, *LIST, add="BH") | {"variant-BH": "BH/C1", "variant-SB": "SB/M1"}
        page = chess.browser.post(chess.address("event-ranking"), fields)

        assert page.context["editor"].codes == [*LIST, "BH/C1"]

    def test_team_criteria_have_variants_by_score(self, db: None) -> None:
        teams = open_hall({**chess_swiss_file(), "competitors": [], "rounds": []}, entrants="teams", boards=4)
        editor = teams.get("event-ranking").context["editor"]
        variants = {
            each.row.code: [variant.abbr for variant in each.variants]
            for family in editor.catalogue
            for each in family.offered
        }

        assert {"BH:MP", "BH:GP-C1"} <= {*variants["BH"]}
        assert variants["MPTS"] == []


class TestTypedCodes:
    @pytest.mark.parametrize("typed", ["BH-C1", "BH/C1", "bh/c1"])
    def test_spellings_have_same_code(self, chess: Hall, typed: str) -> None:
        page = chess.post("event-ranking", **form(chess, *LIST, add="1", added=typed))

        assert page.context["editor"].codes == [*LIST, "BH/C1"]

    @pytest.mark.parametrize(
        ("typed", "why"),
        [
            ("SB-K3", "SB does not take /K. SB takes :MP, :GP, /Cn, /Mn, /P."),
            ("luck", "There is no criterion &#x27;luck&#x27;."),
            ("", "There is no criterion"),
        ],
    )
    def test_invalid_code_is_refused_and_remains_in_field(self, chess: Hall, typed: str, why: str) -> None:
        page = chess.post("event-ranking", **form(chess, *LIST, add="1", added=typed))

        assert page.context["editor"].codes == [*LIST]
        assert why in text(page)
        assert page.context["editor"].added == typed


class TestTrials:
    def test_trial_shows_moves_and_their_criterion(self, chess: Hall) -> None:
        page = chess.browser.post(
            chess.address("event-ranking"), form(chess, "PTS", "BH/C1", "SB", "manual", **{"try": "1"})
        )
        moves = page.context["trials"]["order"].moves

        assert [(each.name, each.was, each.now, why) for each, why in moves] == [
            ("Dov", 6, 5, "ahead of Ann by BH-C1 (C.07 8.1): 4½ to 4"),
            ("Ann", 4, 6, "after Dov by BH-C1 (C.07 8.1): 4 to 4½"),
        ]
        assert Event.objects.get().criteria == [*LIST]
        assert Event.objects.get().version == chess.event.version

    def test_fragment_is_part_of_the_page(self, chess: Hall) -> None:
        fields = form(chess, "PTS", "BH/C1", "SB", "manual")
        whole = chess.browser.post(chess.address("event-ranking"), fields | {"try": "1"})
        part = chess.browser.post(chess.address("event-ranking"), fields | {"try": "fragment"})

        assert text(part).startswith('<p id="order-moves"')
        assert text(part) in text(whole)

    def test_warnings_do_not_prevent_saving(self, chess: Hall) -> None:
        page = chess.browser.post(
            chess.address("event-ranking"), form(chess, *LIST, "ARO", "TBR", **{"try": "1"})
        )

        assert [each.abbr for each in page.context["trials"]["order"].warnings] == ["ARO", "TBR"]
        assert "<b>ARO</b>: 6 competitors have no rating" in text(page)
        saved = chess.confirm("event-ranking", **form(chess, *LIST, "ARO", "TBR", reason="So ruled."))
        assert saved.status_code == 200
        assert Event.objects.get().criteria == [*LIST, "ARO", "TBR"]

    def test_trial_without_results_has_no_moves(self, chess: Hall) -> None:
        chess.event.rounds.all().delete()
        page = chess.browser.post(chess.address("event-ranking"), form(chess, "SB", **{"try": "1"}))

        assert page.context["trials"]["order"].moves == []

    def test_trial_needs_permission_to_change_rules(self, chess: Hall) -> None:
        Event.objects.update(state="final")
        fields = form(chess, "PTS", **{"try": "fragment"})

        assert chess.browser.post(chess.address("event-ranking"), fields).status_code == 403

    def test_trial_has_fixed_number_of_queries(
        self, chess: Hall, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        fields = form(chess, "PTS", "BH/C1", "SB", **{"try": "fragment"})
        chess.browser.post(chess.address("event-ranking"), fields)
        with django_assert_num_queries(16):
            chess.browser.post(chess.address("event-ranking"), fields)


class TestFidesSystems:
    @pytest.fixture
    def stored(self, chess: Hall) -> Hall:
        """Return the event as stored before FIDE's systems existed."""
        Event.objects.update(system="manual-swiss", unplayed="", criteria=[*LIST], start="2025-05-01")
        chess.event.refresh_from_db()
        return chess

    def test_old_event_keeps_system_and_is_offered_fides(self, stored: Hall) -> None:
        page = stored.get("event-ranking")

        assert "Rank by FIDE&#x27;s rules of 2024 …" in text(page)
        assert stored.get("event-desk").status_code == 200
        assert Event.objects.get().system == "manual-swiss"

    def test_settings_offer_fides_system_and_explain_unrated(self, stored: Hall) -> None:
        address = reverse("admin:tournaments_event_change", args=[stored.event.pk])
        page = text(stored.browser.get(f"{address}?part=rules"))

        assert f"{stored.address('event-ranking')}?system=fide-swiss#another" in page
        assert "the rating to assume for an unrated player, such as 1400, or “drop”" in page

    def test_offered_system_shows_moves(self, stored: Hall) -> None:
        page = stored.browser.get(stored.address("event-ranking") + "?system=fide-swiss")

        assert [each.name for each, _why in page.context["trials"]["system"].moves] == ["Dov", "Ann"]
        assert page.context["chosen"] in {system.code for system, *_ in page.context["suiting"]}
        assert page.context["chosen"] == "fide-swiss"

    def test_accepting_offer_is_an_override_of_rules(self, stored: Hall) -> None:
        stored.confirm(
            "event-ranking", act="system", system="fide-swiss", seen=stored.event.version, reason="So ruled."
        )
        event = Event.objects.get()
        ruling = event.overrides.get()

        assert (event.system, event.unplayed, event.criteria) == ("fide-swiss", "fide-2024", [])
        assert (ruling.kind, len(ruling.moved), ruling.reason) == ("rules", 2, "So ruled.")
        stored.confirm("event-override-undo", 1, reason="It was wrong.")
        event.refresh_from_db()
        assert (event.system, event.unplayed, event.criteria) == ("manual-swiss", "", [*LIST])

    def test_edition_is_chosen_with_system(self, stored: Hall) -> None:
        fields = {"act": "system", "system": "fide-swiss", "edition": "fide-2009", "reason": "So ruled."}
        stored.confirm("event-ranking", **fields, seen=stored.event.version)

        assert Event.objects.get().unplayed == "fide-2009"

    def test_edition_can_be_changed_without_changing_system(self, chess: Hall) -> None:
        fields = {"act": "system", "system": "fide-swiss", "edition": "fide-2009", "reason": "So ruled."}
        tried = chess.browser.post(chess.address("event-ranking"), {**fields, "try": "1"})

        assert tried.context["trials"]["system"].moves == []
        assert tried.context["suiting"][0][1] == "FIDE Swiss as now, in another edition"
        chess.confirm("event-ranking", **fields, seen=chess.event.version)
        event = Event.objects.get()
        assert (event.system, event.unplayed, event.criteria) == ("fide-swiss", "fide-2009", [*LIST])
        assert "unplayed rounds: FIDE&#x27;s rules of 2026 → FIDE&#x27;s rules of 2009" in chess.page(
            "changes/"
        )

    @pytest.mark.parametrize("system", ["luck", "fide-swiss%00", ""])
    def test_unknown_system_in_query_shows_screen(self, stored: Hall, system: str) -> None:
        page = stored.browser.get(f"{stored.address('event-ranking')}?system={system}")

        assert page.status_code == 200

    def test_draughts_are_not_offered_fides_system(self, db: None) -> None:
        page = open_hall().get("event-ranking")

        assert "FIDE&#x27;s rules of" not in text(page)
