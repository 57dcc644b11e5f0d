"""Two organisers and an import at the same time: no change is lost or done twice."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.cast import create_account
from tests.tournaments.people.services.events import imported, person_of
from tournaments.accounts.services.roles import Role
from tournaments.models import LinkProposal, PeopleAct, Person, PersonIdentifier, PersonLink
from tournaments.people.services.decisions import confirm, unlink
from tournaments.people.services.editing import edit
from tournaments.people.services.hiding import hide
from tournaments.people.services.history import TABLES, undo_people_act
from tournaments.people.services.merging import merge, split
from tournaments.recording.refusal import Busy, Conflict, Refused

pytestmark = pytest.mark.django_db(transaction=True)
Work = Callable[[], object]
ROUNDS = 3
TRIES = 50


def at_once(*works: Work) -> list[BaseException | None]:
    """Run each function in a thread, all started together. Return the exceptions."""
    ready = Barrier(len(works))

    def one(work: Work) -> BaseException | None:
        try:
            ready.wait(timeout=60)
            for _attempt in range(TRIES):
                try:
                    work()
                except Busy:
                    continue
                break
        except (Refused, Conflict) as refused:
            return refused
        finally:
            connection.close()
        return None

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(one, works))


@pytest.fixture(autouse=True)
def shared(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """A database file, because SQLite's in-memory database has other locks than the file of a site."""
    if connection.vendor != "sqlite":
        yield
        return
    memory, name = connection.connection, connection.settings_dict["NAME"]
    with closing(sqlite3.connect(tmp_path / "site.sqlite3")) as file:
        memory.backup(file)
    connection.settings_dict["NAME"], connection.connection = str(tmp_path / "site.sqlite3"), None
    yield
    connection.close()
    connection.settings_dict["NAME"], connection.connection = name, memory


@pytest.fixture
def organisers(shared: None) -> tuple[User, User]:
    return create_account("ada", Role.ORGANISER), create_account("bob", Role.ORGANISER)


def whole() -> None:
    """Check that each entry has at most one link, to an existing person, and that acts match the data."""
    links = list(PersonLink.objects.select_related("person"))
    entries = [(each.competitor_id, each.player_id) for each in links if each.competitor_id or each.player_id]
    assert len(entries) == len(set(entries))
    assert not [each for each in links if each.person.merged_into_id]
    assert not PersonIdentifier.objects.exclude(person__merged_into=None).exists()
    assert not LinkProposal.objects.exclude(person__merged_into=None).exists()
    for act in PeopleAct.objects.order_by("pk"):
        assert {name for name, *_rest in act.changes} <= {*TABLES}


def test_both_confirm_the_same_suggestion(organisers: tuple[User, User]) -> None:
    for year in ("2001", "2002"):
        imported(f"in-{year}", "Anna Wit", start=year)
    suggestion = LinkProposal.objects.get()
    raised = at_once(*(partial(confirm, suggestion, by) for by in organisers))

    assert [type(each) for each in raised if each] == [Refused]
    assert Person.objects.count() == 1
    assert PersonLink.objects.count() == 2
    assert PeopleAct.objects.count() == 1
    whole()


def test_a_merge_and_a_split_at_the_same_time(organisers: tuple[User, User]) -> None:
    ada, bob = organisers
    for at in range(ROUNDS):
        for year in ("2001", "2002"):
            imported(f"a{at}-{year}", {"name": f"Anna Wit{at}", "fide_id": 100 + at}, start=year)
        imported(f"b{at}", {"name": f"Bea Zwart{at}", "fmjd_id": 100 + at}, start="2003")
        one = Person.objects.get(identifiers__scheme="fide", identifiers__value=str(100 + at))
        other = Person.objects.get(identifiers__scheme="fmjd", identifiers__value=str(100 + at))
        seen = one.version, other.version
        links = list(one.links.filter(event__slug=f"a{at}-2002"))
        raised = at_once(
            partial(merge, one, other, ada, "one", seen=seen),
            partial(split, one, links, bob, "two", seen=seen[0]),
            partial(imported, f"c{at}", {"name": f"Anna Wit{at}", "fide_id": 100 + at}, start="2004"),
        )
        # A split changes no value of the remaining person, so both may succeed.
        assert raised[2] is None
        assert all(each is None or isinstance(each, Refused | Conflict) for each in raised[:2])
        assert None in raised[:2]
        whole()
        for act in PeopleAct.objects.filter(undone_by=None).exclude(kind="undo"):
            undo_people_act(act, ada)
        assert {each.event.slug for each in one.links.all()} >= {f"a{at}-2001", f"a{at}-2002"}
        assert [each.event.slug for each in other.links.all()] == [f"b{at}"]


def test_two_forms_of_the_same_person(organisers: tuple[User, User]) -> None:
    imported("one", {"name": "Anna Wit", "fide_id": 7})
    person = Person.objects.get()
    raised = at_once(
        *(
            partial(edit, person, person.version, by, titles=[{"title": by.username.upper()}])
            for by in organisers
        )
    )
    assert [type(each) for each in raised if each] == [Conflict]
    assert person.titles.count() == 1


def test_an_act_is_undone_once(organisers: tuple[User, User]) -> None:
    imported("one", {"name": "Anna Wit", "fide_id": 7})
    act = unlink(PersonLink.objects.get(), organisers[0], "x")
    raised = at_once(*(partial(undo_people_act, act, by) for by in organisers))

    assert [type(each) for each in raised if each] == [Refused]
    assert PersonLink.objects.count() == 1
    assert PeopleAct.objects.filter(kind="undo").count() == 1


def test_hiding_during_an_import_hides_the_new_entry_too(
    organisers: tuple[User, User],
) -> None:
    for at in range(ROUNDS):
        who = {"name": f"Anna Wit{at}", "fide_id": 100 + at}
        imported(f"a{at}", who, "Bea Zwart", start="2001")
        person = Person.objects.get(identifiers__value=str(100 + at))
        raised = at_once(
            partial(hide, person, organisers[0], "asked for it"),
            partial(imported, f"b{at}", who, "Bea Zwart", start="2002"),
        )
        assert raised == [None, None]
        for slug in (f"a{at}", f"b{at}"):
            link = PersonLink.objects.get(event__slug=slug, person=person)
            assert link.competitor
            assert link.competitor.name.startswith("N.N."), slug


def test_an_import_again_and_a_confirmation(organisers: tuple[User, User]) -> None:
    for year in ("2001", "2002"):
        imported(f"in-{year}", "Anna Wit", start=year)
    suggestion = LinkProposal.objects.get()
    raised = at_once(
        lambda: confirm(suggestion, organisers[0]),
        lambda: imported("in-2001", "Bea Zwart", "Anna Wit", start="2001"),
        lambda: imported("in-2002", {"name": "Anna Wit", "title": "GM"}, start="2002"),
    )
    assert raised[1:] == [None, None]
    whole()
    if raised[0] is None:
        event = PersonLink.objects.get(event__slug="in-2001").event
        assert person_of(event, "Anna Wit") == Person.objects.get()
    else:
        assert LinkProposal.objects.exists()
