"""Builders for tests: accounts and logins, invented events, and desks that combine both.

`tests.demo` has the real events. Tests without a database use crosstables as text.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Group, User
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.replay import built_once
from tournaments.accounts.services.roles import Role
from tournaments.event.choices import Kind
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.import_diff import compare_with_stored
from tournaments.models import (
    Acknowledgement,
    ActSubject,
    Change,
    Competitor,
    ErrorReport,
    Event,
    Game,
    Login,
    LoginWait,
    ManualTiebreak,
    Override,
    Pairing,
    PeopleAct,
    Person,
    PersonLink,
    Player,
    Published,
    Redirect,
    Round,
    Series,
    Team,
    TeamLink,
)
from tournaments.recording.events.backups import back_up
from tournaments.recording.imports.importing import keep_upload

PASSWORD = "a long enough password"


@built_once
def create_account(name: str, role: Role | None = None, **about: Any) -> User:
    """Create a member of staff with PASSWORD, in a role or none."""
    account = User.objects.create_user(name, password=PASSWORD, is_staff=True, **about)
    if role:
        account.groups.add(Group.objects.get(name=role))
    return account


def browser_of(account: User | None) -> Client:
    """Return a client that is logged in as the account, by cookie only. For None it is not logged in."""
    client = Client()
    if account:
        client.force_login(account)
    return client


def posted_rows(**lists: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what a form posts for these lists of rows (tournaments.admin.rows), by the name of the field."""
    posted: dict[str, Any] = {}
    for name, rows in lists.items():
        # Only stored rows, which come first, can be deleted.
        stored = max((index for index, row in enumerate(rows, start=1) if "DELETE" in row), default=0)
        posted |= {f"{name}-TOTAL_FORMS": len(rows), f"{name}-INITIAL_FORMS": stored}
        for index, row in enumerate(rows):
            for key, value in row.items():
                text = ", ".join(map(str, value)) if isinstance(value, list) else value
                posted[f"{name}-{index}-{key}"] = text or ""
    return posted


def save_settings(browser: Client, event: Event, **values: Any) -> Any:
    """Post the settings with these values, part by part. Return the first refusal, or the last answer."""
    answer: Any = None
    more = {name: values.pop(name) for name in ("reason", "after", "seen") if name in values}
    address = reverse("admin:tournaments_event_change", args=[event.pk])
    for part in ("event", "rules", "rounds", "teams", "publication"):
        form = browser.get(address, {"part": part}).context["adminform"].form
        changed = {name: value for name, value in values.items() if name in form.fields}
        if not changed and (values or part != "event"):
            continue
        stands = {name: form[name].value() for name in form.fields} | changed | more
        lists = {name: stands.pop(name) or [] for name in {"officials", "forbidden_pairs"} & set(stands)}
        posted = {name: value for name, value in stands.items() if value is not None and value is not False}
        answer = browser.post(f"{address}?part={part}", posted | posted_rows(**lists))
        if answer.status_code != 302:
            return answer
    return answer


def give_second_factor(account: User) -> TOTPDevice:
    """Give the account an authenticator."""
    return TOTPDevice.objects.create(user=account, name="authenticator")


@built_once
def create_event(slug: str, **about: Any) -> Event:
    """Create an event: by default a live chess Swiss of one round for players."""
    usual = {
        "name": slug.replace("-", " ").capitalize(),
        "state": Event.State.LIVE,
        "discipline": "chess",
        "entrants": Event.Entrants.PLAYERS,
        "schedule": Event.Schedule.SWISS,
        "planned_rounds": 1,
        "game_win": 2,
        "game_draw": 1,
        "system": "manual-swiss",
    }
    return Event.objects.create(slug=slug, **(usual | about))


@built_once
def create_team_event(slug: str = "two-teams") -> Event:
    """Create a Swiss of two rounds for Reds, Blues and Greens: a match with two played boards, and a bye."""
    series, _ = Series.objects.get_or_create(slug="cup", defaults={"name": "Cup"})
    event = create_event(
        slug,
        name="Cup of Teams",
        series=series,
        entrants="teams",
        planned_rounds=2,
        boards=2,
        system="olympiad-2010",
        categories=[{"code": "A"}],
        prizes=[{"category": "", "place": 1, "name": "", "amount": 10000, "goods": ""}],
        prizes_public=True,
    )
    names = ("Reds", "Blues", "Greens")
    teams = [
        Competitor.objects.create(event=event, number=number, name=name)
        for number, name in enumerate(names, start=1)
    ]
    players = Player.objects.bulk_create(
        Player(competitor=team, board=board, name=f"{team.name} {board}")
        for team in teams
        for board in (1, 2)
    )
    first = Round.objects.create(event=event, number=1, date="2026-05-01", state=Round.State.CLOSED)
    Round.objects.create(event=event, number=2, state=Round.State.PUBLISHED)
    match = Pairing.objects.create(
        round=first,
        table=1,
        first=teams[0],
        second=teams[1],
        kind=Kind.PLAYED,
        first_score=3,
        second_score=1,
    )
    Pairing.objects.create(round=first, table=2, first=teams[2], kind=Kind.BYE, first_score=4)
    Game.objects.bulk_create(
        Game(
            pairing=match,
            board=board,
            first_player=players[board - 1],
            second_player=players[board + 1],
            white="first" if board == 1 else "second",
            kind=Kind.PLAYED,
            first_score=score[0],
            second_score=score[1],
        )
        for board, score in ((1, (2, 0)), (2, (1, 1)))
    )
    return event


@built_once
def create_player_event(slug: str = "two-players") -> Event:
    """Create a round robin of Ann and Bea in draughts with a game won by Ann."""
    event = create_event(
        slug,
        name="Match of Two",
        state=Event.State.FINAL,
        discipline="draughts-100",
        schedule="round-robin",
        game_win=4,
        game_draw=2,
        system="manual-round-robin",
    )
    ann = Competitor.objects.create(event=event, number=1, name="Ann", code="NED")
    bea = Competitor.objects.create(event=event, number=2, name="Bea", code="FRA")
    only = Round.objects.create(event=event, number=1, state=Round.State.CLOSED)
    Pairing.objects.create(
        round=only, table=1, first=ann, second=bea, kind=Kind.PLAYED, first_score=4, second_score=0
    )
    return event


@built_once
def create_event_to_come(slug: str = "to-come") -> Event:
    """Create a live chess Swiss of nine rounds for players: no round is paired, and only Ann has entered."""
    event = create_event(slug, name="To come", planned_rounds=9)
    Competitor.objects.create(event=event, number=1, name="Ann", code="NED")
    return event


@built_once
def create_players(slug: str, names: Sequence[str], rounds: int, **about: Any) -> Event:
    """Create a final event with players of these names, and closed rounds without pairings."""
    event = create_event(
        slug, **({"state": Event.State.FINAL, "planned_rounds": rounds, "start": "2024"} | about)
    )
    Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=name) for number, name in enumerate(names, start=1)
    )
    Round.objects.bulk_create(
        Round(event=event, number=number, state=Round.State.CLOSED) for number in range(1, rounds + 1)
    )
    return event


def play(event: Event, games: Iterable[tuple[int, int, int, int, int]]) -> None:
    """Record games: round, table, White's and Black's number, White's half-points."""
    players = {player.number: player for player in Competitor.objects.filter(event=event)}
    rounds = {each.number: each for each in Round.objects.filter(event=event)}
    Pairing.objects.bulk_create(
        Pairing(
            round=rounds[number],
            table=table,
            first=players[white],
            second=players[black],
            kind=Kind.PLAYED,
            first_score=score,
            second_score=2 - score,
        )
        for number, table, white, black, score in games
    )


RATED = (("Ann", 2012, "2008-03-01"), ("Bea", 1400, ""), ("Cas", 2000, "1980"), ("Dov", None, ""))
RATED_GAMES = ((1, 1, 1, 2, 2), (1, 2, 3, 4, 1), (2, 1, 3, 1, 1), (2, 2, 2, 4, 0))
"""The arguments of `play`."""


@built_once
def create_rated_event(slug: str = "open") -> Event:
    """Create a final Swiss in chess of four players after two rounds: Dov has no rating, Ann is a junior."""
    event = create_players(
        slug, [name for name, *_ in RATED], 2, name="Open", start="2026-05-01", rated_as="standard"
    )
    for name, rating, born in RATED:
        Competitor.objects.filter(event=event, name=name).update(rating=rating, born=born)
    play(event, RATED_GAMES)
    return event


def everybody_twice(players: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield the games, for `play`, of a double round robin of an even number of players.

    White scores 1, ½ and 0 in turn.
    """
    half = players - 1
    for number in range(1, 2 * half + 1):
        circle = [players, *((at + number) % half + 1 for at in range(half))]
        for table in range(1, players // 2 + 1):
            pair = (circle[table - 1], circle[players - table])
            white, black = pair if number <= half else pair[::-1]
            yield number, table, white, black, (white * black + number) % 3


@built_once
def stored_event(data: dict[str, Any]) -> Event:
    """Import the content of an event file, which must be accepted, and return its event."""
    document = read(json.dumps(data)).accepted
    assert document is not None, read(json.dumps(data)).findings
    return apply(compare_with_stored(document))


def swiss_file() -> dict[str, Any]:
    """Return the event file of four draughts players under a frozen system.

    Round 1 is closed; in round 2 a game is open and another is decided.
    """
    names = ("Ann", "Bea", "Cas", "Dov")
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": {
            "slug": "four-players", "name": "Four Players", "state": "live", "discipline": "draughts-100",
            "entrants": "players", "schedule": "swiss", "rounds": 4, "scoring": {"game": [2, 1, 0]},
            "system": "fmjd-swiss",
        },
        "competitors": [{"number": number, "name": name} for number, name in enumerate(names, start=1)],
        "rounds": [
            {"number": 1, "pairings": [
                {"table": 1, "first": 1, "second": 2, "score": [2, 0]},
                {"table": 2, "first": 3, "second": 4, "score": [1, 1]},
            ]},
            {"number": 2, "state": "open", "pairings": [
                {"table": 1, "first": 1, "second": 3, "kind": "pending"},
                {"table": 2, "first": 4, "second": 2, "score": [2, 0]},
            ]},
        ],
    }  # fmt: skip


def match_file() -> dict[str, Any]:
    """Return the event file of two chess teams on three boards: a match without results."""
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": {
            "slug": "one-match", "name": "One Match", "state": "live", "discipline": "chess",
            "entrants": "teams", "schedule": "swiss", "rounds": 1, "boards": 3,
            "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]}, "system": "league",
        },
        "competitors": [{"number": 1, "name": "Reds"}, {"number": 2, "name": "Blues"}],
        "rounds": [
            {"number": 1, "state": "open", "pairings": [
                {"table": 1, "first": 1, "second": 2, "kind": "pending"},
            ]},
        ],
    }  # fmt: skip


def chess_swiss_file() -> dict[str, Any]:
    """Return the event file of six chess players after three of five rounds, by FIDE's rules of 2026.

    Ann, Dov and Eef have a point each. Sonneborn-Berger, the second criterion, has 2 for Ann and Eef, who
    share place 4, and 1 for Dov. By Buchholz Cut 1 Ann would be last of the three: 4, and 4½ for the others.
    """
    names = ("Ann", "Bea", "Cas", "Dov", "Eef", "Fay")
    games = (
        ((1, 4, 0), (2, 5, 1), (3, 6, 1)),
        ((4, 2, 0), (6, 1, 0.5), (5, 3, 1)),
        ((1, 2, 0.5), (3, 4, 1), (6, 5, 1)),
    )
    data = swiss_file()
    data["event"] |= {
        "slug": "six-players", "name": "Six Players", "discipline": "chess", "start": "2026-05-01",
        "rounds": 5, "scoring": {"game": [1, 0.5, 0]}, "system": "fide-swiss",
        "criteria": ["PTS", "SB", "manual"], "rules": {"unplayed": "fide-2026"},
    }  # fmt: skip
    data["competitors"] = [{"number": number, "name": name} for number, name in enumerate(names, start=1)]
    data["rounds"] = [
        {"number": number, "pairings": [
            {"table": table, "first": first, "second": second, "score": [score, 1 - score]}
            for table, (first, second, score) in enumerate(played, start=1)
        ]}
        for number, played in enumerate(games, start=1)
    ]  # fmt: skip
    return data


def prizes_file() -> dict[str, Any]:
    """Return the file of the six of `chess_swiss_file`, over, with categories and prizes.

    Ann, Cas, Eef and Fay are under 20, Ann, Bea and Eef women; Dov has no rating. Bea, Cas and Fay have the
    main prizes, Ann and Eef share the prizes for women, and the prize for juniors has no winner.
    """
    data = chess_swiss_file()
    data["event"] |= {
        "slug": "six-prizes", "state": "final", "rounds": 3,
        "categories": [
            {"code": "W", "sex": "w"},
            {"code": "U20", "age_under": 20},
            {
                "code": "B", "name": "Group B", "names": {"nl": "Groep B"},
                "rating_from": 1800, "rating_to": 1999,
            },
            {"code": "Unr", "unrated": True},
        ],
        "prizes": {
            "list": [
                {"place": 1, "amount": 100, "goods": "a cup"},
                {"place": 2, "amount": 60}, {"place": 3, "amount": 40},
                {"category": "W", "place": 1, "amount": 50}, {"category": "W", "place": 2, "amount": 20.5},
                {"category": "U20", "place": 1, "amount": 30},
                {"category": "Unr", "place": 1, "goods": "a book"},
                {"name": "Best game", "amount": 25},
            ],
            "currency": "EUR",
        },
    }  # fmt: skip
    for each, (sex, born, rating) in zip(
        data["competitors"],
        (("w", "2007", 1850), ("w", "1958", 2100), ("m", "2008", 1900), ("m", "1990", 0), ("w", "2009", 1700),
         ("m", "2007", 1990)),
        strict=True,
    ):  # fmt: skip
        each |= {"sex": sex, "born": born, **({"rating": rating} if rating else {})}
    data["competitors"][3] |= {"awards": ["Best game"]}
    return data


def open_system_file() -> dict[str, Any]:
    """Return the file of the same four players under an open system: Ann and Bea drew, Cas beat Dov."""
    data = swiss_file()
    data["event"] |= {"system": "manual-swiss"}
    data["rounds"] = [
        {"number": 1, "pairings": [
            {"table": 1, "first": 1, "second": 2, "score": [1, 1]},
            {"table": 2, "first": 3, "second": 4, "score": [2, 0]},
        ]},
    ]  # fmt: skip
    return data


@dataclass
class Desk:
    """Two events, each with its own arbiter, an organiser and a superuser."""

    event: Event
    other_event: Event
    people: dict[str, User]  # by role
    rows: dict[str, Model]

    def browser(self, name: str) -> Client:
        """Return the browser of an account; "nobody" is not logged in."""
        return browser_of(self.people.get(name))


@built_once
def create_desk() -> Desk:
    """Create the team event, of the arbiter, and the players' event of the other arbiter."""
    event, other_event = create_team_event(), create_player_event()
    people = {
        "other": create_account("olga", Role.ARBITER),
        "arbiter": create_account("anna", Role.ARBITER),
        "organiser": create_account("otto", Role.ORGANISER),
        "superuser": create_account("sara", is_superuser=True),
    }
    event.arbiters.add(people["arbiter"])
    other_event.arbiters.add(people["other"])
    return Desk(event, other_event, people, _rows(event, people["arbiter"]))


def _rows(event: Event, account: User) -> dict[str, Model]:
    """Create one row of each model that the admin shows, by the model's name in addresses."""
    competitor = Competitor.objects.get(event=event, number=1)
    ruling = {"event": event, "reason": "Seen by the arbiter.", "by": "anna"}
    return {
        "event": event,
        "series": Series.objects.get(slug="cup"),
        "redirect": Redirect.objects.create(path="/history", target="/codes/"),
        "competitor": competitor,
        "round": Round.objects.get(event=event, number=2),
        "pairing": Pairing.objects.get(round__event=event, table=1),
        "manualtiebreak": ManualTiebreak.objects.create(competitor=competitor, number=1),
        "override": Override.objects.create(
            number=1, kind=Override.Kind.PLACE, competitor=competitor, place=1, **ruling
        ),
        "change": Change.objects.create(round=1, table=1, was="2-0", now="1-1", **ruling),
        "acknowledgement": Acknowledgement.objects.create(finding="rematch", **ruling),
        "backup": back_up(event, account, "To be sure."),
        "upload": keep_upload(event, "list.csv", b"Name;Rating\nReds;2000\n", "anna"),
        "report": ErrorReport.objects.create(event=event, page="/", revision=1, text="Wrong."),
        "published": Published.objects.create(event=event, source="A booklet."),
        **_rows_over_events(competitor),
        "user": account,
        "login": Login.objects.create(
            name="anna",
            address="192.0.2.1",
            network="192.0.2.1",
            step=Login.Step.PASSWORD,
            outcome=Login.Outcome.WRONG,
        ),
        "loginwait": LoginWait.objects.create(key="pair:anna 192.0.2.1", failures=1, last=timezone.now()),
    }


def _rows_over_events(competitor: Competitor) -> dict[str, Model]:
    """Create a person and a team with a link each, and an act about the person."""
    person, team = Person.objects.create(name="Ann", key="an"), Team.objects.create(name="Reds", key="reds")
    player = Player.objects.filter(competitor=competitor).first()
    about = {"event": competitor.event, "how": "hand", "number": competitor.number, "by": "anna"}
    act = PeopleAct.objects.create(kind="edit", by="anna")
    ActSubject.objects.create(act=act, number=person.pk)
    return {
        "person": person,
        "team": team,
        "personlink": PersonLink.objects.create(person=person, player=player, name="Reds 1", **about),
        "teamlink": TeamLink.objects.create(team=team, competitor=competitor, name="Reds", **about),
        "act": act,
    }


class Hall:
    """An event with accounts of its users, each with a browser."""

    def __init__(self, event: Event, *accounts: User) -> None:
        self.event = event
        self.people = {account.username: account for account in accounts}
        self._browsers = {accounts[0].username: browser_of(accounts[0])}

    @property
    def browser(self) -> Client:
        """The browser of the first account."""
        return self.browser_of("")

    def get(self, screen: str, *place: object, by: str = "") -> Any:
        """Return a screen of the event for the account `by`, by default the first."""
        return self.browser_of(by).get(self.address(screen, *place))

    def post(self, screen: str, *place: object, by: str = "", **values: Any) -> Any:
        """Return the response to a form of a screen; `_` in names means a dash."""
        form = {name.replace("_", "-"): value for name, value in values.items()}
        return self.browser_of(by).post(self.address(screen, *place), form)

    def confirm(self, screen: str, *place: object, **values: Any) -> Any:
        """Post a form with a confirmation page, confirm, and return that page."""
        response = self.post(screen, *place, **values)
        assert response.context["answer"].token, response.content.decode()
        done = self.post(screen, *place, **values, confirmed=response.context["answer"].token)
        assert done.status_code == 302, done.context["answer"].fault
        return response

    def address(self, screen: str, *place: object) -> str:
        """Return the address of a screen of the event."""
        return reverse(f"admin:{screen}", args=[self.event.pk, *place])

    def page(self, path: str = "") -> str:
        """Return a public page of the event for a reader without an account."""
        return Client().get(f"/events/{self.event.slug}/{path}").content.decode()

    def seats(self, number: int) -> list[str]:
        """Return the seats of a round by competitors' numbers, table by table: `1-3`, or `5 bye`."""
        rows = Pairing.objects.filter(round__event=self.event, round__number=number)
        rows = rows.select_related("first", "second").order_by("table")
        return [
            f"{row.first.number}-{row.second.number}" if row.second else f"{row.first.number} {row.kind}"
            for row in rows
        ]

    def overrides(self) -> list[tuple[str, int | None, int | None, str]]:
        """Return kind, round, table and former seats of every override."""
        rows = Override.objects.filter(event=self.event).order_by("number")
        return list(rows.values_list("kind", "round", "table", "was"))

    def browser_of(self, name: str) -> Client:
        """Return the browser of an account, by default the first, and log in if this is the first time."""
        account = self.people[name or next(iter(self.people))]
        if account.username not in self._browsers:
            self._browsers[account.username] = browser_of(account)
        return self._browsers[account.username]


def open_hall(file: dict[str, Any] | None = None, **settings: Any) -> Hall:
    """Create the event of a file, or of `swiss_file`, with these settings; anna and ben are its arbiters."""
    file = file or swiss_file()
    return Hall(*_event_and_arbiters({**file, "event": {**file["event"], **settings}}))


@built_once
def _event_and_arbiters(file: dict[str, Any]) -> tuple[Event, User, User]:
    event = stored_event(file)
    anna, ben = (create_account(name, Role.ARBITER) for name in ("anna", "ben"))
    event.arbiters.add(anna, ben)
    return event, anna, ben


def open_round_robin(players: int, **settings: Any) -> Hall:
    """Create a round robin of so many players, without rounds."""
    numbered = [{"number": each, "name": f"Player {each}"} for each in range(1, players + 1)]
    file = {**swiss_file(), "competitors": numbered, "rounds": []}
    return open_hall(file, **{"schedule": "round-robin", "system": "manual-round-robin", **settings})
