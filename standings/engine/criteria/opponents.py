"""The Solkoff family: the scores of the opponents."""

from standings.engine.crosstable import Crosstable
from standings.engine.registry import criterion
from standings.engine.scoring import Scale
from standings.engine.terms import Column, Terms


@criterion(
    "solkoff",
    name="Solkoff",
    abbr="Solk",
    source="DrA 15; FMJD Annex 5, 3.1.a",
    scaled=True,
    aliases={"buchholz": {"name": "Buchholz", "abbr": "Buch", "source": "DrA 15; OlimpBase help 1.4.2"}},
)
def solkoff(table: Crosstable) -> Column:
    """The scores of all opponents, added up."""
    return table.opponent_scores().total()


@criterion(
    "solkoff-truncated-short",
    name="Short truncated Solkoff",
    abbr="SSolk",
    source="DrA 4; FMJD Annex 5, 3.1.c",
    scaled=True,
)
def short_truncated_solkoff(table: Crosstable) -> Column:
    """The scores of all opponents without the lowest."""
    return table.opponent_scores().without_lowest().total()


@criterion(
    "solkoff-truncated-full",
    name="Full truncated Solkoff",
    abbr="TSolk",
    source="DrA 3; FMJD Annex 5, 3.1.d",
    scaled=True,
)
def full_truncated_solkoff(table: Crosstable) -> Column:
    """The scores of all opponents without the lowest; if equal, without the two lowest; and so on."""
    return table.opponent_scores().ladder().total()


@criterion(
    "solkoff-median",
    name="Median Solkoff",
    abbr="MSolk",
    source="DrA 7; FMJD Annex 5, 3.1.b",
    scaled=True,
    aliases={"buchholz-median": {"name": "Median Buchholz", "abbr": "MBuch", "source": "DrA 16"}},
)
def median_solkoff(table: Crosstable) -> Column:
    """The scores of all opponents without the highest and the lowest."""
    return table.opponent_scores().without_lowest().without_highest().total()


@criterion(
    "solkoff-plus", name="Solkoff plus", abbr="Solk+", source="DrA 6; FMJD Annex 5, 3.1.e", scaled=True
)
def solkoff_plus(table: Crosstable) -> Column:
    """The Solkoff of each opponent, added up."""
    return _solkoff_of_opponents(table).total()


@criterion("solkoff-baliakin", name="Baliakin", abbr="Bal", source="DrA 5; FMJD Annex 5, 3.1.f", scaled=True)
def baliakin(table: Crosstable) -> Column:
    """The score of each opponent times its Solkoff, added up."""
    return (table.opponent_scores() * _solkoff_of_opponents(table)).total()


@criterion(
    "dsmp", name="Deducted sum of match points", abbr="dSMP", source="OlimpBase help 1.4.2; FIDE D.II.02 G14"
)
def deducted_sum_of_match_points(table: Crosstable) -> Column:
    """The match points of all opponents without the lowest."""
    return table.opponent_scores(Scale.MATCH).without_lowest().total()


def _solkoff_of_opponents(table: Crosstable) -> Terms:
    column = solkoff(table)
    return table.of_opponents("S", column.figures()[0], column.unit, code="solkoff")
