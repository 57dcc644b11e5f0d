"""The form with the facts of an imported event: proposals, and facts of the file."""

from tournaments.admin.imports.facts import FactsForm, chosen_facts
from tournaments.interchange.formats.layouts.outline import NO_FACTS, EventOutline


def test_rating_kind_and_time_zone_are_proposed_without_being_selected() -> None:
    form = FactsForm(EventOutline(name="Leiden Rapid 2026", country="NED", place="Leiden"))

    assert form["rated_as"].help_text == "Proposed from “Leiden Rapid 2026”: rapid"
    assert form["time_zone"].help_text.startswith("Proposed from the country and the place: Europe/Amsterdam")
    assert (form["rated_as"].value(), form["time_zone"].value()) == ("", "")


def test_fact_of_the_file_has_its_source_instead_of_a_proposal() -> None:
    outline = NO_FACTS.with_fact("ratings_from", "local", "the heading “DWZ”")
    form = FactsForm(outline.with_fact("rated_as", "blitz", "the form").with_fact("name", "Rapid", "A1"))

    assert (form["ratings_from"].value(), form["ratings_from"].help_text) == (
        "local",
        "from the heading “DWZ”",
    )
    assert form["rated_as"].help_text == "from the form"


def test_values_of_the_form_are_chosen_facts() -> None:
    data = {"rated_as": "rapid", "time_zone": "Europe/Amsterdam", "ratings_from": ""}
    chosen = chosen_facts(data, NO_FACTS.with_fact("ratings_from", "local", "the heading “DWZ”"))

    assert (chosen.rated_as, chosen.time_zone, chosen.ratings_from) == ("rapid", "Europe/Amsterdam", "")
    assert "ratings_from" in chosen.places


def test_results_are_a_field_only_for_a_table_of_places() -> None:
    assert "results" not in FactsForm(NO_FACTS).fields
    form = FactsForm(NO_FACTS.without("results", "row 2"))
    assert form["results"].help_text == "missing: enter it here"
    assert all(f'value="{each}"' in str(form["results"]) for each in ("", "unknown", "later"))
