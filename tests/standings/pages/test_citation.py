"""How an event is cited: on its page and as a file, in the same words until its data change."""

import re

import pytest
from django.test import Client

from standings.pages.citation import citation_of, escaped
from tests.cast import create_player_event, create_team_event
from tournaments.models import Change, Event
from tournaments.revision import present, revision_of

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "https://results.example.org/events/batumi/"


def batumi() -> Event:
    """A finished event of which everything is known."""
    event = create_team_event("batumi")
    facts = {
        "name": "43rd Olympiad, 100% Open",
        "place": "Batumi",
        "start": "2018-09-24",
        "end": "2018-10-05",
    }
    event.rounds.update(date="2018-09-25")
    Event.objects.filter(pk=event.pk).update(**facts, state=Event.State.FINAL)
    return present(event.pk)


def test_in_words() -> None:
    event = batumi()
    assert citation_of(event, ADDRESS).text == (
        "43rd Olympiad, 100% Open. Batumi, 24 September – 5 October 2018. "
        f"Crosstable, data version {revision_of(event.pk)}, last change 5 October 2018. {ADDRESS}"
    )


def test_for_bibtex() -> None:
    event = batumi()
    assert citation_of(event, ADDRESS).bibtex == (
        "@misc{batumi,\n"
        r"  title        = {{43rd Olympiad, 100\% Open}},"
        "\n"
        "  year         = {2018},\n"
        "  address      = {Batumi},\n"
        rf"  howpublished = {{\url{{{ADDRESS}}}}},"
        "\n"
        "  publisher    = {Crosstable},\n"
        f"  note         = {{2018-09-24/2018-10-05, Data version {revision_of(event.pk)}, "
        "last change 2018-10-05},\n"
        "}\n"
    )


def test_a_correction_is_the_last_change() -> None:
    event = batumi()
    Change.objects.create(
        event=event, round=1, table=1, was="2-0", now="1-1", reason="Seen.", by="A", at="2019-01-02T12:00Z"
    )
    cited = citation_of(present(event.pk), ADDRESS)
    assert "last change 2 January 2019" in cited.text
    assert "last change 2019-01-02" in cited.bibtex


def test_what_is_not_known_is_left_out() -> None:
    event = present(create_player_event().pk)
    cited = citation_of(event, ADDRESS)
    assert cited.text == f"Match of Two. Crosstable, data version {revision_of(event.pk)}. {ADDRESS}"
    assert "year" not in cited.bibtex
    assert "address " not in cited.bibtex


def test_signs_of_bibtex_are_written_as_signs() -> None:
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


def test_an_event_without_a_licence_says_so(client: Client) -> None:
    batumi()
    assert "<dt>Licence</dt><dd>not stated</dd>" in client.get("/events/batumi/").content.decode()
