"""Files of pairing programs, pushed round by round to a real site that is killed in between."""

import os
import signal
import socket
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import NamedTuple

import pytest
from django.db import connection

from config import push
from tests.browser.site import shared_database
from tests.cast import create_account
from tests.clock import Clock
from tournaments.accounts.models import ApiToken
from tournaments.accounts.services.roles import Role
from tournaments.accounts.services.tokens import create_token
from tournaments.models import Competitor, Event, Job, Pairing, Round, Upload
from tournaments.operations.jobs import OPEN

ROOT = Path(__file__).parents[2]
LONGEST = 120.0
"""Timeout in seconds, on a loaded machine."""


NAMES = ("Arends, Bo", "Brill, Cas", "Claes, Dee", "Dorn, Eva")
RATINGS = (2400, 2300, 2000, 1900)
ROUNDS = (
    ((1, 3, 2), (4, 2, 1)),  # White, Black, half-points of White
    ((2, 1, 0), (3, 4, 2)),
    ((1, 4, 1), (2, 3, 2)),
)


class Row(NamedTuple):
    """A player after some rounds. `games`: opponent, colour and half-points in each round."""

    number: int
    games: list[tuple[int, str, int]]
    points: int


def rows(rounds: int) -> list[Row]:
    """Return the players by points."""
    found = []
    for number in range(1, len(NAMES) + 1):
        games = []
        for pairings in ROUNDS[:rounds]:
            for white, black, score in pairings:
                if number == white:
                    games.append((black, "w", score))
                elif number == black:
                    games.append((white, "b", 2 - score))
        found.append(Row(number, games, sum(score for _, _, score in games)))
    return sorted(found, key=lambda row: (-row.points, row.number))


def swiss_manager(rounds: int) -> bytes:
    """Return the report for FIDE (TRF16)."""
    lines = ["012 Harbour Open 2026", "022 Port", "032 NED", "042 2026/05/01", "052 2026/05/03", "062 4"]
    lines += ["092 Individual: Swiss-System", "XXR 3"]
    ranks = {row.number: rank for rank, row in enumerate(rows(rounds), start=1)}
    for row in sorted(rows(rounds)):
        name, rating = NAMES[row.number - 1], RATINGS[row.number - 1]
        line = f"001 {row.number:4} m    {name:<33} {rating:4} NED {1000 + row.number:>11} {'':10} "
        line += f"{row.points / 2:4.1f} {ranks[row.number]:4}"
        for opponent, colour, score in row.games:
            line += f"  {opponent:4} {colour} {'0=1'[score]}"
        lines.append(line)
    return "\r\n".join([*lines, ""]).encode()


def chess_results(rounds: int) -> bytes:
    """Return the cross table of chess-results.com as CSV."""
    lines = ["From the Tournament-Database of Chess-Results http://chess-results.com", "Winter Open 2026"]
    lines.append(f"Ranking crosstable after Round {rounds}")
    lines.append(f"Rk.;;Name;Rtg;FED;{';'.join(f'{each}.Rd' for each in range(1, rounds + 1))};Pts. ")
    ranks = {row.number: rank for rank, row in enumerate(rows(rounds), start=1)}
    for row in rows(rounds):
        cells = [f"{ranks[opponent]:2}{colour}{'0½1'[score]}" for opponent, colour, score in row.games]
        points = f"{row.points / 2:g}".replace(".", ",")
        person = f"{NAMES[row.number - 1]};{RATINGS[row.number - 1]};NED"
        lines.append(f"{ranks[row.number]};;{person};{';'.join(cells)};{points}")
    return "\r\n".join([*lines, ""]).encode("cp1252")


def draughts_arbiter(rounds: int) -> bytes:
    """Return the tournament table of Draughts Arbiter as CSV."""
    lines = [";Tournament table", "Harbour Draughts 2026"]
    heads = ";".join(f"R{each}" for each in range(1, rounds + 1))
    lines.append(f"Place;S.No.;Title;Name;Fed.;FMJD;{heads};Total;SSolk")
    found = rows(rounds)
    ranks = {row.number: rank for rank, row in enumerate(found, start=1)}
    totals = {row.number: row.points for row in found}
    for row in found:
        cells = [f"{ranks[opponent]}{colour}{score}" for opponent, colour, score in row.games]
        solkoff = sum(totals[opponent] for opponent, _, _ in row.games)
        person = f"{row.number};;{NAMES[row.number - 1]};NED;A {RATINGS[row.number - 1]}"
        lines.append(f"{ranks[row.number]};{person};{';'.join(cells)};{row.points};{solkoff}")
    return "\r\n".join([*lines, ""]).encode()


def vega(rounds: int) -> bytes:
    """Return the page of Vega with the cross table."""
    found = rows(rounds)
    ranks = {row.number: rank for rank, row in enumerate(found, start=1)}
    heads = "".join(f"<th>{each}</th>" for each in range(1, rounds + 1))
    lines = [
        '<html><head><meta name="author" content="www.vegachess.com"><title>Harbour Blitz</title></head>',
        "<body><h5>Port (NED) 25/02/2026 - 25/02/2026</h5>",
        f"<h4>Cross Table at round {rounds}</h4><table>",
        f"<tr><th>Pos</th><th>Player</th><th>Pts</th>{heads}</tr>",
    ]
    for row in found:
        cells = "".join(
            f'<td><div class="res">{"0½1"[score]}</div><div class="c{colour}">{ranks[opponent]}</div></td>'
            for opponent, colour, score in row.games
        )
        player = f'<a href="playercard.html#{row.number}">{NAMES[row.number - 1]}</a>'
        lines.append(
            f"<tr><td>{ranks[row.number]}</td><td>{player}</td><td>{row.points / 2}</td>{cells}</tr>"
        )
    return "\n".join([*lines, "</table></body></html>"]).encode()


PROGRAMS: dict[str, Callable[[int], bytes]] = {
    "harbour-open.trf": swiss_manager,
    "winter-open.csv": chess_results,
    "harbour-draughts.csv": draughts_arbiter,
    "harbour-blitz.html": vega,
}
"""By the name of the file."""


class SiteProcess:
    """A site with its worker, as `make run` starts it."""

    def __init__(self, database: str, home: Path) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/"
        self.variables = os.environ | {
            "DATABASE_URL": database,
            "CROSSTABLE_HOME": str(home),
            "ARCHIVES": str(home / "archives"),
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        server = [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{self.port}"]
        command = [sys.executable, "-m", "config.withworker", "--", *server]
        with Path(os.devnull).open("wb") as output:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.variables, start_new_session=True, stdout=output, stderr=output
            )
        until(self.responds)

    def responds(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def restart_when(self, is_time: Callable[[], bool] | None) -> None:
        if is_time:
            try:
                until(is_time)
            finally:
                connection.close()  # that of this thread
            self.kill()
            self.start()

    def kill(self) -> None:
        """Kill the server immediately. The worker ends because its stdin closes."""
        if self.process:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


def until(is_true: Callable[[], object]) -> None:
    end = monotonic() + LONGEST
    while not is_true():
        assert monotonic() < end
        sleep(0.1)


@pytest.fixture
def site(transactional_db: None, tmp_path: Path) -> Iterator[SiteProcess]:
    with shared_database(tmp_path) as database:
        process = SiteProcess(database, tmp_path)
        yield process
        process.kill()


@pytest.fixture
def token(site: SiteProcess, monkeypatch: pytest.MonkeyPatch) -> str:
    values = {
        "name": "laptop",
        "actions": list(ApiToken.Action),
        "events": [],
        "ends": None,
        "all_events": True,
    }
    secret = create_token(create_account("otto", Role.ORGANISER), values)[1]
    monkeypatch.setenv("CROSSTABLE_TOKEN", secret)
    return secret


Client = Callable[..., Callable[[], None]]


@pytest.fixture
def client(site: SiteProcess, token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return a function that starts the client for a file, with a clock that makes its waits short."""
    clock = Clock()

    def pause(seconds: float) -> None:
        clock.sleep(seconds)
        sleep(0.1)

    monkeypatch.setattr(push, "monotonic", clock)
    monkeypatch.setattr(push, "sleep", pause)

    def start(name: str, event: str = "") -> Callable[[], None]:
        """Return a function that sends the content of the file, however often the site fails."""
        options = Namespace(watch=True, event=event, yes=True, answers={"rounds": "3"})
        watched = push.Push(push.Site(site.address, tmp_path), str(tmp_path / name), tmp_path, options)

        def is_sent() -> bool:
            watched.step(clock())
            pause(1)
            return watched.code is not None

        return lambda: until(is_sent)

    return start


def stored(slug: str) -> list[tuple[str, str, int]]:
    """Return the games of an event: White, Black, and 2, 1 or 0 for a win, draw or loss of White."""
    found = Pairing.objects.filter(round__event__slug=slug).select_related("first", "second")
    games = []
    for each in found:
        assert each.second
        assert each.first_score is not None
        assert each.second_score is not None
        sign = (each.first_score > each.second_score) - (each.first_score < each.second_score)
        games.append((each.first.name, each.second.name, 1 + sign))
    return sorted(games)


def played(rounds: int) -> list[tuple[str, str, int]]:
    games = (game for pairings in ROUNDS[:rounds] for game in pairings)
    return sorted((NAMES[white - 1], NAMES[black - 1], score) for white, black, score in games)


@pytest.mark.exhaustive  # starts a site three times, and kills it
def test_rounds_of_every_program_arrive_once_though_the_site_is_killed(
    site: SiteProcess, client: Client, tmp_path: Path
) -> None:
    last_job = 0
    kills = {
        ("harbour-open.trf", 2): lambda: Job.objects.filter(pk__gt=last_job).exists(),  # the file waits
        ("winter-open.csv", 3): lambda: len(stored("winter-open")) > 4,  # stored, but not confirmed
    }
    site.start()
    for name, write in PROGRAMS.items():
        slug = name.partition(".")[0]
        for number in (1, 2, 3):
            (tmp_path / name).write_bytes(write(number))
            send = client(name)  # also a restart of the client
            last_job = Job.objects.order_by("pk").values_list("pk", flat=True).last() or 0
            killer = Thread(target=site.restart_when, args=(kills.get((name, number)),))
            killer.start()
            send()
            killer.join()
            assert stored(slug) == played(number)
        event = Event.objects.get(slug=slug)
        assert event.planned_rounds == len(ROUNDS)
        assert Competitor.objects.filter(event=event).count() == len(NAMES)
        assert Upload.objects.filter(event=event).exclude(applied=None).count() == len(ROUNDS)
    assert Event.objects.count() == len(PROGRAMS)
    assert not Job.objects.filter(state__in=OPEN).exists()


def live_chess(plies: int, result: str = "*") -> bytes:
    """Return the games of round 2 of the example in a file of DGT LiveChess, after some plies."""
    moves = ("e4", "e5", "Nf3", "Nc6", "Bb5")
    text = " ".join(
        f"{f'{ply // 2 + 1}. ' if ply % 2 == 0 else ''}{move} {{[%clk 1:{29 - ply:02}:00]}}"
        for ply, move in enumerate(moves[:plies])
    )
    games = []
    for board, (white, black, _) in enumerate(ROUNDS[1], start=1):
        own = result if board == 1 else "*"
        tags = {
            "Event": "LiveChess Event", "Site": "?", "Date": "2026.05.02", "Round": f"2.{board}",
            "White": NAMES[white - 1], "Black": NAMES[black - 1], "Result": own, "Board": f"{board}",
            "WhiteClock": "1:20:00", "TimeControl": "5400+30",
        }  # fmt: skip
        games.append(
            "\r\n".join([*(f'[{name} "{value}"]' for name, value in tags.items()), "", f"{text} {own}", ""])
        )
    return "\r\n".join([*games, ""]).encode()


@pytest.mark.exhaustive  # starts a site
def test_growing_games_of_live_chess_arrive(site: SiteProcess, client: Client, tmp_path: Path) -> None:
    site.start()
    (tmp_path / "harbour-open.trf").write_bytes(swiss_manager(1))
    client("harbour-open.trf")()
    event = Event.objects.get()
    second = Round.objects.create(event=event, number=2, state=Round.State.PUBLISHED)
    players = {each.number: each for each in Competitor.objects.filter(event=event)}
    for table, (white, black, _) in enumerate(ROUNDS[1], start=1):
        Pairing.objects.create(round=second, table=table, first=players[white], second=players[black])
    games = tmp_path / "LiveChess/round-2/games.pgn"
    games.parent.mkdir(parents=True)
    for plies, result in ((2, "*"), (3, "*"), (5, "0-1")):
        games.write_bytes(live_chess(plies, result))
        client("LiveChess", event.slug)()
    first, other = Pairing.objects.filter(round=second).order_by("table")
    assert (first.kind, first.first_score, first.second_score) == ("played", 0, 2)
    assert (other.kind, other.version) == ("pending", 1)
    assert other.moves.count("%clk") == first.moves.count("%clk") == 5
    assert not Upload.objects.filter(applied=None).exists()
