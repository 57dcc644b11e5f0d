"""A folder of generated events in which the same people play several times.

Events are in circles of ten. Forty players of a circle have a FIDE id and play in all ten events, ten play in
all without an id, and forty-nine in a single event. One player with a common name plays in every event.
"""

from collections.abc import Iterator
from pathlib import Path

from tools.benchmarks.generated import Tournament, generate
from tournaments.event.document import CompetitorEntry, Document, EventEntry, PairingEntry, RoundEntry
from tournaments.interchange.formats.json.writer import write

PLAYERS, ROUNDS, SEEDS = 100, 9, 10
CIRCLE, WITH_ID, WITHOUT_ID = 10, 40, 10
"""Events of a circle, and its players with and without an id."""

FIRST_ID, FIRST_BORN, BIRTHS = 1_000_000, 1930, 70
CODES = ("NED", "GER", "FRA", "POL", "UKR", "IND", "ESP", "ITA")
SYLLABLES = "ka ro men ti sch van ber lu do si pa ner ov ski wa jo ha del mi ra zen tu bo li gar".split()  # noqa: SIM905 - as a table
FIRST_NAMES, LAST_NAMES = 301, 13_824
"""Coprime, so that this product is the number of distinct names."""


class Folder:
    """Files of events, created on demand. A few tournaments are reused with different names."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._played = [generate(PLAYERS, ROUNDS, seed) for seed in range(1, SEEDS + 1)]

    def file(self, slug: str, number: int) -> Path:
        path = self._path / f"{slug}.json"
        if not path.exists():
            document = _document(slug, number, self._played[number % SEEDS])
            path.write_text(write(document), encoding="utf-8")
        return path


def slug_of(number: int) -> str:
    return f"open-{number:05d}"


def fide_id_of(number: int, at: int) -> int | None:
    return FIRST_ID + _circle(number) * WITH_ID + at if at <= WITH_ID else None


def name_of(number: int, at: int) -> str:
    if at == PLAYERS:
        return "Player Jan Jansen"
    regular = WITH_ID + WITHOUT_ID
    of_circle = _circle(number) * regular + at
    only_here = 2_000_000 + number * PLAYERS + at
    who = of_circle if at <= regular else only_here
    return f"Player {_word(who % FIRST_NAMES, 2)} {_word(who % LAST_NAMES, 3)}"


def _circle(number: int) -> int:
    return (number - 1) // CIRCLE


def _word(number: int, syllables: int) -> str:
    base = 24
    return "".join(SYLLABLES[number // base**at % base] for at in range(syllables)).title()


def _document(slug: str, number: int, tournament: Tournament) -> Document:
    event = EventEntry(
        slug=slug, name=f"Open {number}", discipline="chess", entrants="players",
        schedule="swiss", planned_rounds=tournament.rounds, game_win=2, game_draw=1, game_loss=0,
        system="fmjd-swiss", start=str(1950 + number % 75),
    )  # fmt: skip
    competitors = tuple(_competitor(number, at, rating) for at, rating in enumerate(tournament.ratings, 1))
    return Document(event, competitors, tuple(_rounds(tournament)))


def _competitor(number: int, at: int, rating: int) -> CompetitorEntry:
    return CompetitorEntry(
        number=at,
        name=name_of(number, at),
        rating=rating,
        code=CODES[at % len(CODES)],
        born=str(FIRST_BORN + at % BIRTHS) if at < PLAYERS else "",
        fide_id=fide_id_of(number, at),
    )


def _rounds(tournament: Tournament) -> Iterator[RoundEntry]:
    for number in range(1, tournament.rounds + 1):
        games = (game for game in tournament.games if game.round == number)
        yield RoundEntry(
            number=number,
            pairings=tuple(
                PairingEntry(
                    table=game.table, first=game.white + 1, second=game.black + 1,
                    first_score=game.score, second_score=2 - game.score,
                )
                for game in games
            ),
        )  # fmt: skip
