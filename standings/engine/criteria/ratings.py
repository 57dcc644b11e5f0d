"""Ratings."""

import numpy as np

from standings.engine.crosstable import Crosstable
from standings.engine.registry import criterion
from standings.engine.said import said
from standings.engine.terms import Column


@criterion(
    "average-rating-opponents",
    name="Average rating of the opponents",
    abbr="ARO",
    source="DrA 10",
    divided=True,
)
def average_rating(table: Crosstable) -> Column:
    """The average of the opponents' ratings; nobody and unrated count 0."""
    return table.opponent_ratings().average()


@criterion("total-rating-opponents", name="Total rating of the opponents", abbr="TRO", source="DrA 10")
def total_rating(table: Crosstable) -> Column:
    """The opponents' ratings, added up; nobody and unrated count 0."""
    return table.opponent_ratings().total()


@criterion(
    "average-rating-opponents-reduced",
    name="Reduced average rating",
    abbr="ARO-",
    source="DrA 18",
    divided=True,
)
def reduced_average_rating(table: Crosstable) -> Column:
    """The opponents' average rating without the lowest; if equal, without the two lowest; and so on."""
    return table.opponent_ratings().ladder().average()


@criterion("rating-a", name="Rating A", abbr="RtgA", source="DrA 13")
def rating_a(table: Crosstable) -> Column:
    """The own rating where the list marks it "a", otherwise 0."""
    return table.once(said("rating"), np.where(table.rating_a, table.rating, 0)).total()
