"""Generates a rating list in FIDE's layout, deterministic for a seed."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from random import Random

HEADING = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit"
    "           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
SURNAMES = [
    "Garcia", "Smith", "Ivanov", "Muller", "Martinez", "Kumar", "Silva", "Nguyen", "Kowalski", "Jansen",
    "Rossi", "Andersen", "Petrov", "Khan", "Sharma", "Lopez", "Singh", "Popescu", "Horvath", "Novak",
    "Eriksson", "Dubois", "Fernandez", "Costa", "Yilmaz", "Papadopoulos", "Tanaka", "Kim", "Chen",
]  # fmt: skip
GIVEN = [
    "Maria", "Jose", "Anna", "Ivan", "Peter", "Juan", "Mohammed", "Alexander", "Elena", "Carlos", "Sofia",
    "Daniel", "Olga", "Aarav", "Lucas", "Emma", "Mateo", "Nikita", "Laura", "David", "Fatima", "Jan",
    "Katarzyna", "Hans", "Yuki", "Li", "Tomas", "Ioannis",
]  # fmt: skip
SYLLABLES = [
    "ba", "ro", "ven", "ski", "ti", "ma", "chev", "li", "an", "do", "ra", "ku", "shi", "mo", "del", "gar",
    "pe", "ni", "so", "var", "el", "ta", "ri", "on", "ka", "zu", "fo", "ber",
]  # fmt: skip
FEDERATIONS = [
    "ESP", "RUS", "GER", "IND", "FRA", "POL", "ITA", "NED", "TUR", "USA", "IRI", "UKR", "BRA", "ARG", "HUN",
    "CZE", "GRE", "CRO", "SRB", "ENG",
]  # fmt: skip


def players(count: int, seed: int = 1) -> Iterator[str]:
    draw = Random(seed)
    yield HEADING
    for number in range(count):
        drawn = draw.random()
        surname = (
            draw.choice(SURNAMES)
            if drawn < 0.25
            else "".join(draw.choices(SYLLABLES, k=draw.randint(2, 4))).capitalize()
        )
        given = (
            draw.choice(GIVEN) if draw.random() < 0.6 else "".join(draw.choices(SYLLABLES, k=2)).capitalize()
        )
        second = f" {draw.choice(GIVEN)}" if draw.random() < 0.2 else ""
        rating = max(0, round(draw.gauss(1650, 350))) if draw.random() < 0.6 else 0
        rating = min(rating, 2830) if rating >= 1400 else 0
        title = "GM" if rating > 2500 else "IM" if rating > 2400 else "FM" if rating > 2300 else ""
        sex = "F" if draw.random() < 0.15 else "M"
        ratings = "".join(f"{max(0, rating - less):<6}{0:<4}{20:<3}" for less in (0, 30, 60))
        # Ids are not sorted in a list by name.
        yield (
            f"{100_000 + (number * 7_368_787) % 90_000_049:<15}{f'{surname}, {given}{second}'[:60]:<61}"
            f"{draw.choice(FEDERATIONS):<4}{sex:<4}{title:<5}{'':<5}{'':<15}{'':<4}{ratings}"
            f"{1940 + number % 80:<6}{'i' if number % 3 == 0 else '':<4}"
        )


def write(path: Path, count: int) -> None:
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{line}\n" for line in players(count))


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--players", type=int, default=1_600_000)
    options = parser.parse_args()
    write(options.path, options.players)
