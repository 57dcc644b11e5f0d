"""Citations of an event, on its page and as files, are the same until its data change."""

import json
import re
from io import StringIO

import pytest
import yaml
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from standings.downloads.citations import (
    CitedEvent,
    bibtex,
    cff,
    citation_data,
    citation_text,
    datacite,
    escaped,
    ris,
)
from standings.downloads.views import FORMATS
from tests.cast import create_player_event, create_team_event
from tournaments.models import Event, Revision
from tournaments.operations.revision import present, revision_of

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "https://results.example.org/events/batumi/"


def batumi() -> Event:
    """Return a finished event with all fields."""
    event = create_team_event("batumi")
    facts = {
        "name": "43rd Olympiad, 100% Open",
        "place": "Batumi",
        "start": "2018-09-24",
        "end": "2018-10-05",
        "time_zone": "Asia/Tbilisi",
    }
    event.rounds.update(date="2018-09-25")
    Event.objects.filter(pk=event.pk).update(**facts, state=Event.State.FINAL)
    return changed_at("2026-03-01T21:30Z", event)


def changed_at(moment: str, event: Event) -> Event:
    """Return the event with that time as its last change."""
    Revision.objects.filter(event=event).update(changed_at=moment)
    return present(event.pk)


def test_citation_text() -> None:
    event = batumi()
    assert citation_text(citation_data(event, ADDRESS)) == (
        "43rd Olympiad, 100% Open. Batumi, 24 September – 5 October 2018. "
        f"Crosstable, data version {revision_of(event.pk)}, last change 2 March 2026. {ADDRESS}"
    )


def test_in_an_archive_without_version_and_last_change() -> None:
    event = batumi()
    found = citation_data(event, ADDRESS, in_archive=True)
    assert citation_text(found) == (
        f"43rd Olympiad, 100% Open. Batumi, 24 September – 5 October 2018. Crosstable. {ADDRESS}"
    )


@pytest.mark.parametrize("ending", [each.ending for each in FORMATS if each.is_citation])
def test_command_uses_the_permanent_site_address(settings: Settings, ending: str) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    event = batumi()
    with pytest.raises(CommandError, match="--address"):
        call_command("export_event", event.slug, "--format", ending)
    output = StringIO()
    settings.SITE_ADDRESS = "https://results.example"
    call_command("export_event", event.slug, "--format", ending, stdout=output)
    assert "https://results.example/events/batumi/" in output.getvalue()
    call_command(
        "export_event", event.slug, "--format", ending, "--address", "https://other.example/", stdout=output
    )
    assert "https://other.example/events/batumi/" in output.getvalue()


def test_for_bibtex() -> None:
    event = batumi()
    assert bibtex(citation_data(event, ADDRESS)) == (
        "@misc{batumi,\n"
        r"  title        = {{43rd Olympiad, 100\% Open}},"
        "\n"
        "  year         = {2018},\n"
        "  address      = {Batumi},\n"
        rf"  howpublished = {{\url{{{ADDRESS}}}}},"
        "\n"
        "  publisher    = {Crosstable},\n"
        f"  note         = {{2018-09-24/2018-10-05, Data version {revision_of(event.pk)}, "
        "last change 2026-03-02},\n"
        "}\n"
    )


def test_last_change_is_that_of_the_data_and_not_the_last_day_of_the_event() -> None:
    event = batumi()
    Event.objects.filter(pk=event.pk).update(start="1914", end="1914", time_zone="")
    found = citation_data(changed_at("2026-03-01T21:30Z", event), ADDRESS)
    assert "last change 1 March 2026" in citation_text(found)
    assert json.loads(datacite(found))["publicationYear"] == 2026
    assert "publicationYear" not in json.loads(datacite(citation_data(event, ADDRESS, in_archive=True)))


def test_unknown_fields_are_left_out() -> None:
    event = present(create_player_event().pk)
    found = citation_data(event, ADDRESS, in_archive=True)
    assert citation_text(found) == f"Match of Two. Crosstable. {ADDRESS}"
    assert "year" not in bibtex(found)
    assert "address " not in bibtex(found)


def test_special_characters_of_bibtex_are_escaped() -> None:
    assert escaped(r"a_b & {c}\d~^$#") == (
        r"a\_b \& \{c\}\textbackslash{}d\textasciitilde{}\textasciicircum{}\$\#"
    )


def test_the_page_has_both_and_the_file_is_the_second(client: Client) -> None:
    batumi()
    page = client.get("/events/batumi/").content.decode()
    text, bibtex = re.findall(r'<pre class="citation">(.*?)</pre>', page, re.DOTALL)
    assert text.startswith("43rd Olympiad, 100% Open. Batumi, ")
    assert text.endswith("http://testserver/events/batumi/")
    file = client.get("/events/batumi.bib")
    assert file.content.decode() == bibtex
    assert file["Content-Type"] == "application/x-bibtex; charset=utf-8"
    assert file["Content-Disposition"] == 'attachment; filename="batumi.bib"'
    assert '<a href="/events/batumi.bib">' in page


def test_a_dutch_page_cites_the_page_that_is_read(client: Client) -> None:
    batumi()
    page = client.get("/nl/events/batumi/").content.decode()
    assert "http://testserver/nl/events/batumi/</pre>" in page


def test_names_are_escaped(client: Client) -> None:
    Event.objects.filter(pk=batumi().pk).update(name="<b>Cup</b>")
    page = client.get("/events/batumi/").content.decode()
    assert "<b>Cup</b>" not in page


def test_missing_licence_is_stated(client: Client) -> None:
    batumi()
    assert "<dt>Licence</dt><dd>not stated</dd>" in client.get("/events/batumi/").content.decode()


HARD = "Cup: “A & B” 100%\u2028{x}\\ #1 \x85"
DOI = "10.5281/zenodo_1.2"


def hard_event() -> CitedEvent:
    """Return an event whose name has every special character of the formats."""
    event = batumi()
    facts = {"name": HARD, "doi": DOI, "licence": "CC-BY-4.0", "country": "GEO"}
    sources = ["Bulletin 9", "See https://results.example/x."]
    Event.objects.filter(pk=event.pk).update(**facts, sources=sources)
    return citation_data(changed_at("2026-03-01T21:30Z", event), ADDRESS)


def test_a_cff_is_read_again() -> None:
    read = yaml.safe_load(cff(hard_event()))
    assert {"cff-version", "message", "title", "authors"} <= read.keys()
    assert (read["title"], read["doi"], read["url"]) == (HARD, DOI, ADDRESS)
    assert (read["license"], read["type"], read["date-released"]) == ("CC-BY-4.0", "dataset", "2026-03-02")
    assert all(isinstance(each, str) for each in read["keywords"])


def test_a_ris_is_a_record_of_a_data_set() -> None:
    lines = ris(hard_event()).split("\r\n")
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - .*", line) for line in lines[:-1])
    fields = dict(line.split("  - ", 1) for line in lines[:-1])
    assert (fields["TY"], fields["DO"], fields["UR"], fields["PY"]) == ("DATA", DOI, ADDRESS, "2018")
    assert fields["TI"] == "Cup: “A & B” 100% {x}\\ #1"
    assert lines[-2:] == ["ER  - ", ""]


def test_datacite_has_the_required_fields() -> None:
    read = json.loads(datacite(hard_event()))
    must = {"creators", "titles", "publisher", "publicationYear", "types"}
    assert must | {"doi", "identifiers"} <= read.keys()
    assert read["titles"] == [{"title": HARD}]
    assert read["rightsList"][0]["rightsIdentifier"] == "CC-BY-4.0"
    assert [each["relatedIdentifier"] for each in read["relatedIdentifiers"]] == ["https://results.example/x"]
    assert read["geoLocations"] == [{"geoLocationPlace": "Batumi, GEO"}]


def test_doi_replaces_the_address_of_the_data() -> None:
    found = hard_event()
    assert citation_text(found).endswith(f"https://doi.org/{DOI}")
    assert f"  doi          = {{{DOI}}},\n" in bibtex(found)


def test_structured_data_has_doi_and_licence(client: Client) -> None:
    hard_event()
    page = client.get("/events/batumi/").content.decode()
    graph = json.loads(re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)[0])
    [data] = [each for each in graph["@graph"] if each["@type"] == "Dataset"]
    assert data["identifier"] == f"https://doi.org/{DOI}"
    assert data["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert data["distribution"][0]["contentUrl"] == "http://testserver/events/batumi.csv"
    assert f'<a href="https://doi.org/{DOI}">{DOI}</a>' in page
    assert '<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>' in page
