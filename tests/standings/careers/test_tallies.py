"""Lists of persons and teams match their pages after any change."""

from collections import Counter
from collections.abc import Callable
from io import StringIO
from threading import Event as Flag
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from pytest_django import DjangoAssertNumQueries

from standings.careers import medals
from standings.careers.directory import Directory
from standings.careers.medals import count_medals, refresh_all, refresh_tallies
from standings.careers.overevents import OF_PERSONS, OF_TEAMS
from standings.careers.totals import totals_of
from standings.tables.sorting import SortKey
from tests.linked import league, link_person, named, person, players_named, team
from tournaments.models import (
    Competitor,
    Event,
    Medal,
    Pairing,
    Person,
    PersonFederation,
    PersonLink,
    PersonName,
    PersonRevision,
    PersonTally,
    PersonTitle,
    Revision,
    SiteRevision,
    Team,
    TeamCode,
    TeamLink,
)
from tournaments.pairing.startorder import RANKS, TITLES
from tournaments.people.matching.names import name_key
from tournaments.people.services import tallies
from tournaments.people.services.tallies import LISTED_PERSONS, LISTED_TEAMS, Medals, tally
from tournaments.recording.rebuild import rebuild_stale_indexes
from tournaments.search.folding import sort_key

pytestmark = pytest.mark.django_db(transaction=True)

Listed = tuple[str, list[str], list[str], int, Medals]


@pytest.fixture
def editions() -> list[Event]:
    """Return three editions of a league with two persons and a team in all of them."""
    found = [league(year) for year in (2001, 2003, 2005)]
    for name in ("Ann", "Dov"):
        PersonFederation.objects.create(person=person(name, *players_named(name)), code="NED")
    TeamCode.objects.create(team=team("Eindhoven", *named("Dam Eindhoven")), code="EHV")
    return found


def listed(directory: Directory) -> list[Listed]:
    return [
        (each.leading.name, each.codes, each.titles, each.events, each.medals) for each in directory.lines
    ]


def by_medals(rows: list[Listed]) -> list[Listed]:
    """Return rows that are sorted by name as the list shows them: by medals, then by events."""
    return sorted(rows, key=lambda each: (*each[4], each[3]), reverse=True)


def careers() -> list[Listed]:
    """Return the rows of all persons as computed from their careers."""
    found: list[Listed] = []
    for each in Person.objects.filter(hidden=False, merged_into=None).order_by("name", "pk"):
        career = OF_PERSONS.career(each.pk)
        totals = totals_of(career)
        codes = [of.code for of in each.federations.order_by("since", "code")]
        titles = [of.title for of in each.titles.order_by("since", "title")]
        won = Medals(*totals.medals, *totals.team_medals)
        found.append((each.name, codes, titles, len({of.event.pk for of in career}), won))
    return by_medals([each for each in found if each[3]])


def careers_of_teams() -> list[Listed]:
    """Return the rows of all teams as computed from their careers."""
    found: list[Listed] = []
    for each in Team.objects.filter(merged_into=None).order_by("name", "pk"):
        career = OF_TEAMS.career(each.pk)
        codes = [of.code for of in each.codes.order_by("since", "code")]
        won = Medals(*totals_of(career).medals)
        found.append((each.name, codes, [], len({of.event.pk for of in career}), won))
    return by_medals([each for each in found if each[3]])


def ann() -> Person:
    return Person.objects.get(name="Ann")


def other_result() -> None:
    Pairing.objects.filter(round__event__slug="league-2003", round__number=2, table=1).update(
        first_score=0, second_score=4
    )


def merge() -> None:
    dov = Person.objects.get(name="Dov")
    PersonLink.objects.filter(person=dov).update(person=ann())
    Person.objects.filter(pk=dov.pk).update(merged_into=ann())


CHANGES: dict[str, Callable[[], object]] = {
    "nothing": lambda: None,
    "a result": other_result,
    "an event a draft": lambda: Event.objects.filter(slug="league-2003").update(state="draft"),
    "an event live": lambda: Event.objects.filter(slug="league-2003").update(state="live"),
    "an event deleted": lambda: Event.objects.get(slug="league-2003").delete(),
    "all events drafts": lambda: Event.objects.update(state="draft"),
    "somebody hidden": lambda: Person.objects.filter(name="Ann").update(hidden=True),
    "somebody renamed": lambda: Person.objects.filter(name="Ann").update(name="Zoe", key="zoe"),
    "two merged": merge,
    "a link gone": lambda: PersonLink.objects.filter(person=ann()).latest("pk").delete(),
    "all links gone": lambda: PersonLink.objects.filter(person=ann()).delete(),
    "a link that waits": lambda: PersonLink.objects.filter(event__slug="league-2001").update(player=None),
    "somebody deleted": lambda: (PersonLink.objects.filter(person=ann()).delete(), ann().delete()),
    "somebody new": lambda: person("Bea", *players_named("Bea")),
    "a player elsewhere": lambda: link_person(ann(), players_named("Fay")[0]),
    "a title": lambda: PersonTitle.objects.create(person=ann(), title="WGM"),
    "titles": lambda: [PersonTitle.objects.create(person=ann(), title=each) for each in ("odd", "GM")],
    "a federation": lambda: PersonFederation.objects.create(person=ann(), code="BEL", since="1990"),
    "no federation": lambda: PersonFederation.objects.all().delete(),
    "a code": lambda: TeamCode.objects.create(team=Team.objects.get(), code="NED", since="2002"),
    "no team": lambda: TeamLink.objects.all().delete(),
}


USUAL = ("a result", "an event deleted", "somebody hidden", "two merged", "a link gone", "a federation")


@pytest.mark.parametrize(
    "change",
    [each if each in USUAL else pytest.param(each, marks=pytest.mark.exhaustive) for each in CHANGES],
)
def test_lists_match_the_totals_of_pages(editions: list[Event], change: str) -> None:
    for kind in (LISTED_PERSONS, LISTED_TEAMS):
        Directory(kind, {})
    CHANGES[change]()
    assert listed(Directory(LISTED_PERSONS, {})) == careers()
    assert listed(Directory(LISTED_TEAMS, {})) == careers_of_teams()
    directory = Directory(LISTED_PERSONS, {})
    assert (directory.behind, directory.total) == (0, len(careers()))
    codes = [code for each in careers() for code in each[1]]
    titles = [title for each in careers() for title in each[2]]
    offered = {
        each.key: {option.value: option.count for option in each.options} for each in directory.filters
    }
    assert offered == {
        key: dict(Counter(values)) for key, values in (("country", codes), ("title", titles)) if values
    }


def test_filters_find_each_of_several_values(editions: list[Event]) -> None:
    for code, since in (("BEL", "1990"), ("NED", "1980")):
        PersonFederation.objects.create(person=ann(), code=code, since=since)
    PersonTitle.objects.create(person=ann(), title="WGM")
    PersonTitle.objects.create(person=ann(), title="WIM")
    PersonName.objects.create(person=ann(), name="Карлсен, Анна", key=name_key("Карлсен, Анна"))

    def names(**asked: str) -> list[str]:
        directory = Directory(LISTED_PERSONS, asked)
        assert directory.total == len(directory.lines)
        return [each.leading.name for each in directory.lines]

    assert names(country="BEL") == names(title="WIM") == names(q="karl") == ["Ann"]
    assert names(country="NED") == names(q="") == ["Ann", "Dov"]
    assert names(country="NED", title="WGM", q="anna") == ["Ann"]
    for nothing in ("NE", "NED\nBEL", "\x00", "%", "_"):
        assert names(country=nothing) == names(title=nothing) == []
    assert names(q="arl") == names(q="ann dov") == []


def in_order(sort: str, direction: str) -> list[str]:
    params = {"sort": sort, "dir": direction}
    return [each.leading.name for each in Directory(LISTED_PERSONS, params).lines]


def test_other_direction_is_the_list_from_its_end() -> None:
    league(2001)
    league(2003)
    for name in ("Ann", "Bea", "Dov", "Fay"):
        person(name, *players_named(name)[: 1 + (name == "Bea")])
    PersonTitle.objects.create(person=ann(), title="WGM")
    PersonTitle.objects.create(person=Person.objects.get(name="Dov"), title="GM")
    assert in_order("events", "desc") == ["Bea", "Ann", "Dov", "Fay"]
    assert in_order("title", "asc") == ["Dov", "Ann", "Bea", "Fay"]
    assert in_order("title", "desc") == ["Ann", "Dov", "Bea", "Fay"]
    for sort in (SortKey.EVENTS, SortKey.GOLD, SortKey.SILVER, SortKey.BRONZE, SortKey.TEAM, SortKey.NAME):
        assert in_order(sort, "asc") == in_order(sort, "desc")[::-1], sort


SORTS = ["", *(SortKey.NAME, SortKey.EVENTS, SortKey.CODE, SortKey.GOLD, SortKey.SILVER, SortKey.BRONZE)]


@pytest.mark.parametrize("direction", ["asc", "desc"])
@pytest.mark.parametrize("sort", [*SORTS, SortKey.TITLE, SortKey.TEAM])
def test_each_order_is_read_from_an_index(sort: str, direction: str) -> None:
    kinds = (LISTED_PERSONS, LISTED_TEAMS) if sort in SORTS else (LISTED_PERSONS,)
    for kind in kinds:
        plan = plan_of(kind, sort, direction)
        assert "_by_" in plan, plan
        assert "TEMP B-TREE" not in plan, plan
        assert "Sort" not in plan, plan


def plan_of(kind: Any, sort: str, direction: str) -> str:
    """Return how the database reads the keys of a page; PostgreSQL would rather read a small table whole."""
    keys = kind.tallies.objects.order_by(*directory_columns(sort, direction, kind)).values_list("pk")[:50]
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL enable_seqscan = off")
                cursor.execute("SET LOCAL enable_bitmapscan = off")
        return str(keys.explain())


def directory_columns(sort: str, direction: str, kind: Any) -> list[str]:
    directory = Directory(kind, {"sort": sort, "dir": direction})
    return list(directory.order)


def test_names_have_the_same_order_on_both_databases() -> None:
    """The collation of a PostgreSQL server may ignore blanks, or sort Ø after Z."""
    league(2001)
    names = ("Zomer", "Øst", "de Boer", "Dekker", "Oa", "Zoë Z")
    for name, player in zip(names, ("Ann", "Bea", "Dov", "Eef", "Fay", "Gus"), strict=True):
        person(name, *players_named(player))
    ordered = ["de Boer", "Dekker", "Oa", "Øst", "Zoë Z", "Zomer"]
    assert in_order("name", "asc") == in_order("name", "desc")[::-1] == ordered
    for letter, found in (("o", ordered[2:4]), ("z", ordered[4:]), ("ø", []), ("\x00", [])):
        directory = Directory(LISTED_PERSONS, {"letter": letter})
        assert ([each.leading.name for each in directory.lines], directory.total) == (found, len(found))


def test_names_without_a_letter_of_an_alphabet_share_an_option() -> None:
    league(2001)
    names = ("Zomer", "Шахов", "陳大文", "王", "&", "5 van Dam")
    for name, player in zip(names, ("Ann", "Bea", "Dov", "Eef", "Fay", "Gus"), strict=True):
        person(name, *players_named(player))
    offered = Directory(LISTED_PERSONS, {}).letters
    assert [(each.name, each.count) for each in offered] == [("Z", 1), ("Ш", 1), ("All others", 4)]
    directory = Directory(LISTED_PERSONS, {"letter": offered[-1].value})
    assert {each.leading.name for each in directory.lines} == {*names[2:]}
    assert not directory.is_only_shown


def test_names_are_sorted_again_after_a_change_of_folding(editions: list[Event]) -> None:
    Directory(LISTED_PERSONS, {})
    PersonTally.objects.update(name="Ann")  # as an older version stored it
    SiteRevision.objects.update(search_form="older")
    rebuild_stale_indexes("default")
    Directory(LISTED_PERSONS, {})
    names = PersonTally.objects.order_by("name").values_list("name", flat=True)
    assert list(names) == [sort_key("Ann"), sort_key("Dov")]


def test_titles_are_ranked_as_start_lists_rank_them() -> None:
    assert [RANKS[group[0]] for group in TITLES] == list(range(len(TITLES)))


def test_a_list_costs_the_same_queries(
    editions: list[Event], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    def ask() -> None:
        directory = Directory(LISTED_PERSONS, {"sort": "gold"})
        assert directory.lines
        assert [each.key for each in directory.filters] == ["country"]

    ask()
    # Behind: events that changed, those of another build, persons. Then how many there are, keys, lines,
    # codes, titles, first letters.
    with django_assert_num_queries(9):
        ask()
    for at in range(30):
        person(f"Bea {at}", *players_named("Bea")[at : at + 1] if at < 3 else ())
    ask()
    with django_assert_num_queries(9):
        ask()


def test_outdated_tallies_are_updated_in_steps(
    editions: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(medals, "AT_A_TIME", 2)
    monkeypatch.setattr(tallies, "AT_A_TIME", 1)
    assert refresh_tallies(LISTED_PERSONS) == 2  # an event and a person
    assert refresh_tallies(LISTED_PERSONS) == 1  # the person of the third event is outdated
    while refresh_tallies(LISTED_PERSONS):
        pass
    assert listed(Directory(LISTED_PERSONS, {})) == careers()


def test_another_build_recounts(editions: list[Event], monkeypatch: pytest.MonkeyPatch) -> None:
    refresh_all(lambda _left: None)
    Medal.objects.all().delete()
    assert refresh_all(lambda _left: None) == 0
    assert Medal.objects.count() == 0  # no recorded change
    monkeypatch.setattr(medals, "build", lambda: "abc")
    assert count_medals() == 0
    assert Medal.objects.count() == 9
    assert tally(LISTED_PERSONS) == 0
    assert listed(Directory(LISTED_PERSONS, {})) == careers()


def test_command_does_all_of_it(editions: list[Event], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(medals, "AT_A_TIME", 1)
    monkeypatch.setattr(medals, "MOST_LOOKED_AT", 2)
    out = StringIO()
    call_command("update_lists", stdout=out)
    assert out.getvalue().splitlines() == [
        "2 left",
        "1 left",
        "The lists of persons and teams are up to date.",
    ]
    assert PersonTally.objects.count() == 2
    assert not PersonRevision.objects.exclude(tallied__gt=0).exists()
    again = StringIO()
    call_command("update_lists", stdout=again)
    assert again.getvalue().splitlines() == ["The lists of persons and teams are up to date."]


def test_command_reports_locked_rows(editions: list[Event], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(medals, "count_medals", lambda: 3)
    monkeypatch.setattr(medals, "sleep", lambda _seconds: None)
    with pytest.raises(CommandError, match="3 are being written to by others: run this again later"):
        call_command("update_lists", stdout=StringIO())


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has one writer at a time")
@pytest.mark.parametrize("rows", [Revision, PersonRevision])
def test_locked_rows_are_skipped(editions: list[Event], rows: Any) -> None:
    held, done = Flag(), Flag()

    def write() -> None:
        try:
            with transaction.atomic():
                list(rows.objects.select_for_update().order_by("pk")[:1])
                held.set()
                done.wait(60)
        finally:
            connection.close()

    writer = Thread(target=write)
    writer.start()
    try:
        assert held.wait(60)
        # Of the locked event, or of all three with the locked person.
        assert count_medals() == (1 if rows is Revision else 3)
        assert tally(LISTED_PERSONS) == (0 if rows is Revision else 1)
    finally:
        done.set()
        writer.join()
    assert refresh_all(lambda _left: None) == 0
    assert listed(Directory(LISTED_PERSONS, {})) == careers()


def test_events_without_anybody_known_cost_no_standings(monkeypatch: pytest.MonkeyPatch) -> None:
    league(2001)
    monkeypatch.setattr(medals, "outcomes_of", lambda *_: pytest.fail("standings were read"))
    assert count_medals() == 0
    assert (Medal.objects.count(), Competitor.objects.exists()) == (0, True)
