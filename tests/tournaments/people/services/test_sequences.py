"""Random sequences of imports and acts: hidden persons stay hidden, links stay valid, acts can be undone."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.test import Client
from hypothesis import HealthCheck, example, given, note, settings
from hypothesis import strategies as st

from tests.cast import create_account
from tests.conftest import forget
from tests.tournaments.people.services.events import make_person
from tests.tournaments.people.services.filed import File, Who, files
from tests.tournaments.people.services.test_history import state
from tournaments.accounts.services.roles import Role
from tournaments.crosstable import judged_rows
from tournaments.interchange.public import public_document
from tournaments.models import (
    Competitor,
    Event,
    LinkProposal,
    PeopleAct,
    Person,
    PersonLink,
    PersonName,
    PersonTally,
    Player,
    SearchEntry,
    WithheldRow,
)
from tournaments.people.hiding.withheld import Owner, owner_of_values
from tournaments.people.matching.candidates import owner_of
from tournaments.people.matching.entrants import entrants_of
from tournaments.people.matching.names import name_words
from tournaments.people.public import PSEUDONYM, public_name
from tournaments.people.services.decisions import (
    confirm,
    link_entry_by_hand,
    refuse_link,
    unlink,
)
from tournaments.people.services.hiding import hide, show_person
from tournaments.people.services.history import undo_people_act
from tournaments.people.services.merging import merge, split
from tournaments.people.services.tallies import LISTED_PERSONS, tally
from tournaments.recording.events.backups import back_up, restore
from tournaments.recording.refusal import Busy, Conflict, Refused
from tournaments.search.index import refresh
from tournaments.stored import stored

pytestmark = pytest.mark.django_db

IMPORTS = ("same", "swap", "leave", "return", "rewrite", "new id", "less")
ACTS = (
    *("hide", "hide", "show", "link", "make", "unlink", "confirm", "refuse", "merge", "split"),
    *("undo", "undo", "redo", "restore"),
)
STEPS = st.lists(
    st.tuples(st.sampled_from([*IMPORTS, *ACTS]), st.integers(0, 11), st.integers(0, 3)),
    min_size=3,
    max_size=10,
)

# Hiding withholds moves of a game, and an import puts another game into its row.
GAME_OVERWRITTEN = [("hide", 0, 0), ("leave", 7, 0), ("undo", 0, 0)]
# A hidden player moves to the team of a namesake. "make" then processes the event again.
PLAYER_CHANGED_TEAM = [("hide", 0, 0), ("swap", 10, 0), ("make", 4, 0)]


@pytest.fixture
def organiser() -> User:
    return create_account("ada", Role.ORGANISER)


@pytest.fixture
def known() -> list[File]:
    """Return the imported files of three events."""
    found = files()
    assert all(each.store() for each in found)
    return found


# A fixed set of sequences; SEQUENCES=500 tries others.
LONG = int(os.environ.get("SEQUENCES", "0"))
FEW = 3


@settings(
    max_examples=LONG or FEW,
    derandomize=not LONG,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
@example(steps=GAME_OVERWRITTEN)
@example(steps=PLAYER_CHANGED_TEAM)
def test_no_hidden_person_is_named_in_any_sequence(
    steps: list[tuple[str, int, int]], organiser: User, known: list[File]
) -> None:
    with transaction.atomic():
        desk = Desk(organiser, deepcopy(known))
        for what, at, other in steps:
            desk.do(what, at, other)
        answers_name_nobody()
        transaction.set_rollback(True)


class Desk:
    """The files, the organiser, and the invariants after each step."""

    def __init__(self, by: User, known: list[File]) -> None:
        self.by, self.files = by, known
        self.whose: dict[int, Who] = {}  # by the key of a link, including waiting links
        self._look()

    def do(self, what: str, at: int, other: int) -> None:
        """Execute a step if possible, and check the invariants."""
        if what in IMPORTS:
            self._import(what, at, other)
        else:
            self._act(what, at, other)
        self._look()

    def _look(self) -> None:
        forget()  # a rolled-back revision is used again
        for each in self.files:
            for made in PersonLink.objects.filter(event__slug=each.slug):
                if who := each.who_is(made):
                    self.whose[made.pk] = who
        links_are_whole()
        nobody_hidden_is_named()

    # --- files --------------------------------------------------------------------------------------------

    def _import(self, what: str, at: int, other: int) -> None:
        index = at % len(self.files)
        file, before = self.files[index], deepcopy(self.files[index])
        hidden = self._hidden_in(file)
        note(f"{file.slug}: {what}, {self._change(file, what, at // len(self.files), other)}; {hidden=}")
        if not file.store():
            self.files[index] = before
            return
        named = {who: file.shown_name(who) for who in sorted(hidden & {*file.there})}
        note(f"    {named}")
        assert all(name.startswith(PSEUDONYM) for name in named.values()), named

    def _hidden_in(self, file: File) -> set[Who]:
        """Return the hidden players of an event, including those with a waiting link."""
        hidden = PersonLink.objects.filter(event__slug=file.slug, person__hidden=True)
        return {self.whose[each.pk] for each in hidden if each.pk in self.whose}

    def _change(self, file: File, what: str, at: int, other: int) -> str:
        """Change a file, and return a description."""
        one = file.there[at % len(file.there)] if file.there else ""
        if what == "swap" and len(file.everybody) > 1:
            second = file.everybody[other % len(file.everybody)]
            if one and one != second and not self._are_in_one_team(file, one, second):
                file.swap(one, second)
                return f"{one} and {second}"
        elif what == "leave" and len(file.there) > 1:
            file.gone.add(one)
        elif what == "return" and file.gone:
            one = sorted(file.gone)[at % len(file.gone)]
            file.gone.remove(one)
        elif what == "rewrite" and one:
            file.writings[one] = other % 3
        elif what == "new id" and one:
            file.more[one] = {
                **file.more.get(one, {}),
                "fmjd_id": 5000 + [*sorted(file.everybody)].index(one),
            }
        elif what == "less" and one:
            file.more[one] = {**file.more.get(one, {}), "club": ""}
        return one

    @staticmethod
    def _are_in_one_team(file: File, one: Who, other: Who) -> bool:
        return file.number(one) == file.number(other)

    # --- acts ---------------------------------------------------------------------------------------------

    def _act(self, what: str, at: int, other: int) -> None:
        before, scores = record(), results()
        act = None
        with suppress(Refused, Conflict, Busy), transaction.atomic():
            act = self._decide(what, at, other)
        if act is None:
            return
        assert {key: each for key, each in results().items() if key in scores} == scores
        note(f"{what}: {act.kind}, {[*act.subjects.values_list('number', flat=True)]}, {_told(act)}")
        if what != "restore":
            self._is_undone(act, before)

    def _is_undone(self, act: PeopleAct, before: dict[str, Any]) -> None:
        """Check that the act and its undo can be undone. Everything is rolled back."""
        after = record()
        with transaction.atomic():
            undoing = undo_people_act(act, self.by)
            assert record() == before
            undo_people_act(undoing, self.by)
            assert record() == after
            transaction.set_rollback(True)

    def _decide(self, what: str, at: int, other: int) -> PeopleAct | None:
        people = list(Person.objects.filter(merged_into=None).order_by("pk"))
        links = list(PersonLink.objects.order_by("pk"))
        suggestions = list(LinkProposal.objects.order_by("one", "other"))
        free = [each for event in Event.objects.order_by("pk") for each in entrants_of(event)]
        free = [each for each in free if not each.is_team and owner_of(each) is None]
        acts = list(PeopleAct.objects.order_by("-pk"))
        one = _at(people, at)
        decisions: dict[str, tuple[list[Any], Callable[[Any], PeopleAct | None]]] = {
            "hide": (people, lambda each: hide(each, self.by, "Asked.")),
            "show": (
                [each for each in people if each.hidden],
                lambda each: show_person(each, self.by, "Asked."),
            ),
            "link": (
                free if one else [],
                lambda each: link_entry_by_hand(each, _at(people, other), self.by, "x"),
            ),
            "make": (free, lambda each: make_person(each, self.by, "x")),
            "unlink": (links, lambda each: unlink(each, self.by, "x")),
            "confirm": (suggestions, lambda each: confirm(each, self.by, "x")),
            "refuse": (suggestions, lambda each: refuse_link(each, self.by, "x")),
            "merge": (people, lambda each: merge(_at(people, other), each, self.by, "x")),
            "split": (people, lambda each: split(each, self._some(each, other), self.by, "x")),
            "undo": (acts, lambda each: undo_people_act(each, self.by)),
            "redo": (
                [each for each in acts if each.kind == "undo"],
                lambda each: undo_people_act(each, self.by),
            ),
            "restore": (self.files, lambda each: self._restore(each, other)),
        }
        among, decide = decisions[what]
        return decide(_at(among, at)) if among else None

    @staticmethod
    def _some(person: Person, at: int) -> list[PersonLink]:
        links = list(person.links.order_by("pk"))
        return links[at % len(links) :][:1] if links else []

    def _restore(self, file: File, at: int) -> None:
        """Create an event from a new backup, or from the backup before an import."""
        event = Event.objects.get(slug=file.slug)
        back_up(event, self.by, "x")
        kept = list(event.backups.order_by("pk"))
        slug = f"{file.slug}-{Event.objects.count()}"
        if Event.objects.count() < 5:
            made = restore(kept[at % len(kept)], slug, self.by)
            Event.objects.filter(pk=made.pk).update(state="live")
            note(f"restore: {slug}, backup {at % len(kept)}")


def _at(among: list[Any], at: int) -> Any:
    return among[at % len(among)] if among else None


def _told(act: PeopleAct) -> str:
    return f"undoes {act.undoes_id}" if act.undoes_id else ""


def record() -> dict[str, Any]:
    """Return all persons, links and events, except keys of recreated rows."""
    rows = state()
    rows["linkproposal"] = sorted(
        ({key: each[key] for key in ("one", "other", "why")} for each in rows["linkproposal"]),
        key=lambda each: (each["one"], each["other"]),
    )
    events = {each.slug: stored(each).document for each in Event.objects.order_by("pk")}
    return {**rows, "withheld": _withheld(), **events}


def _withheld() -> dict[Owner, tuple[int, dict[str, Any], dict[str, Any]]]:
    """Return the stored original values, including those that wait for an entry to return."""
    rows = list(WithheldRow.objects.all())
    found = {owner_of_values(row): (row.key, row.before, row.after) for row in rows}
    assert len(found) == len(rows)
    return found


def results() -> dict[str, Any]:
    """Return the scores against opponents by event, because row order is undefined."""
    found = {}
    for event in Event.objects.order_by("pk"):
        rows = judged_rows(event)
        found[event.slug] = (sorted(map(repr, rows.meetings)), sorted(map(repr, rows.boards)))
    return found


# --- invariants -------------------------------------------------------------------------------------------


def links_are_whole() -> None:
    """Check that no person has two entries in an event that exclude each other, and that merges end at a
    person.
    """
    seats = [
        (each.event_id, each.person_id, each.player.competitor_id if each.player else 0)
        for each in PersonLink.objects.exclude(competitor=None, player=None).select_related("player")
    ]
    assert len(seats) == len({*seats})
    assert not PersonLink.objects.exclude(person__merged_into=None).exists()
    into = dict(Person.objects.values_list("pk", "merged_into"))
    for key in into:
        passed = [key]
        while (after := into[passed[-1]]) is not None:
            assert after not in passed
            passed.append(after)


def nobody_hidden_is_named() -> None:
    """Check that no event and no list contains a part of a hidden person's name, unless another person has
    it.
    """
    hidden = list(Person.objects.filter(hidden=True, merged_into=None))
    for made in PersonLink.objects.filter(person__in=hidden).select_related("person", "competitor", "player"):
        if entry := made.player or made.competitor:
            assert entry.name == public_name(made.person)
            assert (entry.born, entry.fide_id, entry.fmjd_id) == ("", None, None)
    for event in Event.objects.order_by("pk"):
        theirs = words_of({each.person for each in _links_of_hidden(event)}) - _shown_words(event)
        assert not theirs & name_words(repr(public_document(event))), event.slug
    words = words_of(hidden) - _shown_everywhere()
    refresh()
    tally(LISTED_PERSONS)
    told = [text for row in SearchEntry.objects.values_list("words", "folded", "shown") for text in row]
    told += PersonTally.objects.values_list("name", flat=True)
    assert not words & name_words(" ".join(told))


def answers_name_nobody() -> None:
    """Check that no response to a reader contains a hidden name either."""
    words = words_of(Person.objects.filter(hidden=True, merged_into=None)) - _shown_everywhere()
    addresses = [f"/api/people/{each.pk}/" for each in Person.objects.filter(merged_into=None)]
    for each in Event.objects.order_by("pk"):
        addresses += [f"/events/{each.slug}.json", f"/api/events/{each.slug}/competitors/"]
    for address in addresses:
        assert not words & name_words(Client().get(address).content.decode()), address


def words_of(people: Iterable[Person]) -> set[str]:
    """Return the parts of all names of persons and their entries."""
    names = {each.name for each in people}
    for model in (PersonName, PersonLink):
        names |= {*model.objects.filter(person__in=people).values_list("name", flat=True)}
    return {word for name in names for word in name_words(name)}


def _links_of_hidden(event: Event) -> QuerySet[PersonLink]:
    return PersonLink.objects.filter(event=event, person__hidden=True).select_related("person")


def _shown_words(event: Event) -> set[str]:
    """Return the parts of the names of visible entries of an event."""
    competitors = Competitor.objects.filter(event=event).exclude(person_link__person__hidden=True)
    players = Player.objects.filter(competitor__event=event).exclude(person_link__person__hidden=True)
    names = [*competitors.values_list("name", flat=True), *players.values_list("name", flat=True)]
    return {word for name in names for word in name_words(name)}


def _shown_everywhere() -> set[str]:
    found = {word for event in Event.objects.all() for word in _shown_words(event)}
    return found | words_of(Person.objects.filter(hidden=False))
