"""Rating lists of the tests: a few players in FIDE's published layout, written and imported."""

from pathlib import Path

from tools.benchmarks.publishedlist import HEADING
from tournaments.interchange.ratinglists.folder import RatingList
from tournaments.interchange.ratinglists.storing import import_list

PLAYERS = (
    # id, name, federation, sex, title, title of women, standard, rapid, blitz, born, flag
    (1503014, "Carlsen, Magnus", "NOR", "M", "GM", "", 2839, 2824, 2881, "1990", ""),
    (700070, "Polgar, Judit", "HUN", "F", "GM", "", 2675, 2646, 2736, "1976", "wi"),
    (703303, "Leko, Peter", "HUN", "M", "GM", "", 2676, 2700, 2738, "1979", ""),
    (4800024, "Mueller, Hans", "GER", "M", "", "", 1850, 0, 0, "1960", ""),
    (4800025, "Muller, Hans", "GER", "M", "FM", "", 2310, 0, 0, "0000", ""),
    (4800026, "Muller-Schmidt, Hanna", "GER", "F", "WFM", "WFM", 2050, 2001, 0, "2008", "w"),
    (5800027, "O`Connor, Sean Patrick", "IRL", "M", "", "", 0, 1650, 0, "2011", ""),
)


def line(*about: object) -> str:
    """Return a line of FIDE's list of all players."""
    number, name, code, sex, title, title_of_women, standard, rapid, blitz, born, flag = about
    ratings = "".join(f"{rating:<6}{0:<4}{20:<3}" for rating in (standard, rapid, blitz))
    return (
        f"{number:<15}{name:<61}{code:<4}{sex:<4}{title:<5}{title_of_women:<5}{'':<15}{'':<4}"
        f"{ratings}{born:<6}{flag:<4}"
    )


def written(path: Path, *lines: str, encoding: str = "utf-8") -> Path:
    """Write a list of the players with further lines at its end."""
    path.write_text("\n".join((HEADING, *(line(*each) for each in PLAYERS), *lines, "")), encoding=encoding)
    return path


def imported(folder: Path, *lines: str, date: str = "2026-05-01") -> RatingList:
    """Import a list of the players, and further lines."""
    return import_list(written(folder / "players_list_foa.txt", *lines), "fide", date=date)
