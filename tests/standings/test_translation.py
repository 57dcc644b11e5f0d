"""Every text of the public pages is marked for translation and translated."""

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from babel.messages import Catalog
from django.conf import settings
from django.core.management import call_command
from django.db.models import CharField, Model, TextField
from django.template.autoreload import reset_loaders
from django.test import Client
from django.utils import translation
from django.utils.dates import MONTHS

from standings.criteria.descriptions import POLICY_NAMES, page_of
from standings.criteria.examples import POTSDAM, TOURNAMENTS
from standings.engine import all_criteria
from standings.pages.page_list import EVENT_PAGES, once
from standings.tables.cells import parts_in_language
from tests.cast import create_event_to_come, create_player_event, create_team_event
from tools import messages
from tournaments.event.federations import bearers
from tournaments.models import Change, Competitor, Event, Override, Player, Published, Series

LANGUAGES = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
DEMO = Path(__file__).parents[2] / "tournaments" / "demo" / "2022-ouagadougou-open.json"

# --- the catalogues ---------------------------------------------------------------------------------------

PLACEHOLDER = re.compile(r"%(?:\([a-z_]+\)s|%)")
TAG = re.compile(r"<[^>]*>")


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    code: str = request.param
    return code


@pytest.fixture
def catalog(language: str) -> Catalog:
    return messages.read(messages.catalogue(language), language)


def texts(catalog: Catalog) -> set[tuple[str, object]]:
    return {(message.context or "", message.id) for message in catalog if message.id}


def test_catalogue_has_exactly_the_texts_of_the_code(catalog: Catalog) -> None:
    assert texts(catalog) == texts(messages.gathered()), "run `make messages`, then translate what is new"


def test_every_text_is_translated(catalog: Catalog) -> None:
    assert messages.missing(catalog) == []
    assert [message.id for message in catalog if message.fuzzy and message.id] == []


def test_translations_have_the_placeholders_and_tags_of_the_original(catalog: Catalog) -> None:
    for message in catalog:
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        translated = [message.string] if isinstance(message.string, str) else list(message.string or ())
        for text in translated if message.id else ():
            for pattern in (PLACEHOLDER, TAG):
                assert sorted(pattern.findall(text)) == sorted(pattern.findall(ids[-1])), message.id


@pytest.mark.parametrize("language", ["nl"], indirect=True)
def test_dutch_terms_are_consistent(catalog: Catalog) -> None:
    """The table of a pairing is `bord` in every text, and the plural of a round is `rondes`."""
    written = {str(message.string) for message in catalog if message.id}
    assert [text for text in written if re.search(r"\b([Tt]afel|[Rr]onden)\b", text)] == []


def test_translations_have_no_straight_quotation_marks(catalog: Catalog) -> None:
    brings = [m.id for m in catalog if m.id and '"' in f"{m.string}" and '"' not in f"{m.id}"]
    assert brings == []


def test_mo_files_match_the_po_files(language: str, catalog: Catalog) -> None:
    shipped = messages.catalogue(language).with_suffix(".mo").read_bytes()
    assert shipped == messages.compiled(catalog), "run `make messages`"


# --- the pages --------------------------------------------------------------------------------------------

SHOUTED = {ord(letter): ord(letter) + 0xFEE0 for letter in map(chr, [*range(65, 91), *range(97, 123)])}
"""Maps Latin letters to full-width letters, which makes translated texts recognisable."""

CODE = re.compile(r'<details translate="no">.*?</details>', re.DOTALL)
"""Parts of a page for machines."""

KEPT = re.compile(rf"{PLACEHOLDER.pattern}|{TAG.pattern}")
WORD = re.compile(r"[A-Za-z]{2,}")


def shouted(text: str) -> str:
    """Return the text with full-width letters, except in placeholders and tags."""
    kept = iter(KEPT.findall(text))
    return "".join(part.translate(SHOUTED) + next(kept, "") for part in KEPT.split(text))


def forget_texts() -> None:
    """Remove the texts that templates and cells store for each language."""
    reset_loaders()
    parts_in_language.cache_clear()


@pytest.fixture
def shouting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Activate a language whose translations are full-width."""
    forget_texts()
    shouts: dict[str, Callable[..., str]] = {
        "gettext": shouted,
        "ngettext": lambda one, many, number: shouted(one if number == 1 else many),
        "pgettext": lambda _context, text: shouted(text),
        "npgettext": lambda _context, one, many, number: shouted(one if number == 1 else many),
    }
    for name, function in shouts.items():
        monkeypatch.setattr(translation._trans, name, function, raising=False)  # type: ignore[attr-defined]  # Django's own
    yield
    forget_texts()


class Seen(HTMLParser):
    """The visible, spoken or searchable texts of a page, without URLs and code."""

    ATTRIBUTES = ("title", "aria-label", "placeholder", "alt")
    SILENT = ("script", "style")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.silent = 0
        self.feed(CODE.sub("", html))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.silent += tag in self.SILENT
        self.texts += [given[name] for name in self.ATTRIBUTES if name in given]
        if given.get("name") == "description" or given.get("property", "") in ("og:title", "og:description"):
            self.texts.append(given["content"])

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in self.SILENT

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.texts.append(data)


SIGNS = """
Crosstable English Nederlands CSV XLSX JSON TRF ZIP BibTeX RIS CFF DataCite PGN PDN HTML PNG SVG
BYE bye pts MP UTC DrA FMJD FIDE Annex
OlimpBase help
"""
"""Names and abbreviations that are the same in every language."""


def data() -> set[str]:
    """The words of stored data and codes, which are not translated."""
    known = [SIGNS, *(f"{each.abbr} {each.source} {each.code}" for each in all_criteria()), *POLICY_NAMES]
    known += [name for tournament in (*TOURNAMENTS, POTSDAM) for name in tournament.table.names]
    for model in (Event, Series, Competitor, Player, Change, Override, Published):
        known += [str(value) for row in model.objects.values_list(*written_fields(model)) for value in row]
    return {word for text in known for word in WORD.findall(text)}


def written_fields(model: type[Model]) -> list[str]:
    """Return the names of the free-text fields; values of fields with choices are translated."""
    fields = model._meta.fields
    texts = [each.name for each in fields if isinstance(each, (CharField, TextField)) and not each.choices]
    return [*texts, *(each.name for each in fields if each.name in ("sources", "known", "columns"))]


def codes() -> set[str]:
    """Return the codes of federations, which a page lists."""
    return {word for bearer in bearers() for code in bearer.codes for word in WORD.findall(code)}


def unmarked(html: str, address: str, recorded: set[str]) -> set[str]:
    """Return the words of a page that are neither translated nor data nor part of its URL."""
    # Charts shorten names.
    seen = (re.sub(r"https?://\S+|\S+…", "", text) for text in Seen(html).texts)
    printed = codes() if address == "/codes/" else set()
    return {word for text in seen for word in WORD.findall(text)} - recorded - printed


@pytest.fixture
def events(transactional_db: None) -> None:
    """Team and individual events with byes, a correction, manual changes and a published table."""
    teams, players = create_team_event(), create_player_event()
    create_event_to_come()
    call_command("import_event", str(DEMO), stdout=StringIO())
    reds = Competitor.objects.get(event=teams, number=1)
    Change.objects.create(
        event=teams, round=1, table=1, was="2-2", now="3-1", reason="Misread.", by="Ann", moved=[[1, 2, 1]]
    )
    rulings = {"event": teams, "reason": "Ruled.", "by": "Ann"}
    Override.objects.create(
        number=1, kind="value", competitor=reds, criterion="dsb", levels=["2.5"], **rulings
    )
    Override.objects.create(number=2, kind="place", competitor=reds, place=1, was="2", **rulings)
    Override.objects.create(number=3, kind="pairing", round=1, table=1, **rulings)
    Published.objects.create(
        event=players,
        order=[[2], [1]],
        columns={"Pts": {"1": "2", "2": "0"}, "Xyz": {"1": "2"}},
        source="Xyz",
    )


def addresses() -> Iterator[str]:
    """Yield a page of every kind, with its view options."""
    yield from ("/", "/?q=Ann", "/?q=Xyz", "/series/cup/", "/codes/", "/criteria/", "/nothing/")
    yield from (f"/criteria/{criterion.code}/" for criterion in all_criteria())
    yield from (
        each.criterion.page for code in ("BH", "KS", "SSSC", "TPN") for each in page_of(code).modifiers
    )
    yield "/criteria/editions/"
    for slug, number in (("two-teams", 1), ("two-players", 1), ("2022-ouagadougou-open", 9)):
        event = f"/events/{slug}"
        yield from (f"{event}/{page.route}" for page in EVENT_PAGES if page.archived is once)
        yield from (f"{event}/{page}" for page in (f"standings/after/{number}/", "crosstable/"))
        yield from (
            f"{event}/standings/?{query}" for query in ("cells=W12", "cells=%2B12w&sort=name", "as=computed")
        )
        yield from (f"{event}/rounds/1/", f"{event}/rounds/1/1/", f"{event}/rounds/1/2/")
        yield from (f"{event}/competitors/1/", f"{event}/competitors/2/", f"{event}/compare/1/2/")
        yield from (f"{event}/competitors/1/{code}/" for code in ("total-score", "dsb", "direct-encounter"))
    yield from (f"/events/to-come/{page}" for page in ("", "standings/", "competitors/", "competitors/1/"))


@pytest.mark.usefixtures("events", "shouting")
def test_every_text_of_every_page_is_marked(client: Client) -> None:
    recorded = data()
    pages = {address: client.get(address).content.decode() for address in addresses()}
    found = {address: unmarked(page, address, recorded) for address, page in pages.items()}
    unknown = {address: words for address, words in found.items() if words}
    assert unknown == {}, "\n".join(f"{address}: {words}" for address, words in unknown.items())


def test_unmarked_text_is_detected() -> None:
    page = '<p title="One">Two <b>three</b><script>four</script></p><details>five</details>'
    assert Seen(f'{page}<details translate="no">six</details>').texts == ["One", "Two ", "three", "five"]
    assert shouted("Round %(number)s of <b>all</b>") != "Round %(number)s of <b>all</b>"
    assert PLACEHOLDER.findall(shouted("Round %(number)s, 5 %%")) == ["%(number)s", "%%"]


@pytest.mark.exhaustive
@pytest.mark.usefixtures("events")
def test_every_looked_up_text_is_in_the_catalogue(
    client: Client, catalog: Catalog, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get("/")  # loads the desk's modules, which also look up headings
    forget_texts()
    asked: set[str] = set()
    real = translation._trans.gettext  # type: ignore[attr-defined]  # Django's own

    def noting(text: str) -> str:
        asked.add(text)
        return str(real(text))

    monkeypatch.setattr(translation._trans, "gettext", noting)  # type: ignore[attr-defined]  # Django's own
    for address in addresses():
        client.get(f"/{language}{address}")
    ids = (message.id for message in catalog)
    known = {text for each in ids for text in ([each] if isinstance(each, str) else each)}
    assert {text for text in asked - known if text and not is_of_django(text)} == set()


def is_of_django(text: str) -> bool:
    """Return whether the text is Django's, such as names of months."""
    with translation.override(settings.LANGUAGE_CODE):
        return text == ", " or text in map(str, MONTHS.values())
