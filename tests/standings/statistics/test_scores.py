"""Performance ratings of FIDE's exercises."""

from standings.engine import CHESS
from standings.statistics.ratingcolumns import ratings_in
from tests.standings.drawn import draw
from tournaments.models import Event

EXERCISE = """
     1 Alyx      2200   9:1-0   13:½-½   2:½-½  15:1-0   4:½-½
     2 Bruno     2150  10:1-0    7:1-0   1:½-½  16:1-0   3:½-½
     3 Charline  2100  11:½-½    6:1-0   8:1-0   4:½-½   2:½-½
     4 David     2050  12:1-0   ½bye    13:1-0   3:½-½   1:½-½
     5 Helene    2000  13:0-1   15:0-1  11:1-0   7:½-½  10:1-0
     6 Franck    1950  14:0-1    3:0-1   bye    10:1-0   8:1-0
     7 Genevieve 1900  15:1-0    2:0-1  16:0-1   5:½-½  11:0-1
     8 Irina     1850  16:½-½   14:1-0   3:0-1  13:1-0   6:0-1
     9 Jessica   1800   1:0-1   10:0-1  ½bye    11:-     bye
    10 Lais      1750   2:0-1    9:1-0  15:0-1   6:0-1   5:0-1
    11 Maria     1700   3:½-½   16:0-1   5:0-1   9:+     7:1-0
    12 Nick      1650   4:0-1    bye    14:+    –       –
    13 Opal      1600   5:1-0    1:½-½   4:0-1   8:0-1  14:0-1
    14 Paul      1550   6:1-0    8:0-1  12:-    –       13:1-0
    15 Reine     1500   7:0-1    5:1-0  10:1-0   1:0-1  16:0-1
    16 Stephan   1450   8:½-½   11:1-0   7:1-0   2:0-1  15:1-0
"""
PUBLISHED = {
    "Alyx": 1969,
    "Bruno": 2120,
    "Charline": 2089,
    "David": 2081,
    "Helene": 1690,
    "Franck": 1813,
    "Genevieve": 1611,
    "Irina": 1730,
    "Jessica": 1175,
    "Lais": 1640,
    "Maria": 1776,
    "Nick": 1250,
    "Opal": 1781,
    "Paul": 1925,
    "Reine": 1788,
    "Stephan": 1969,
}
"""Mario Held, Exercises in Tie-Breaking, FIDE Technical Commission 2024, exercises 19 and 20."""


def test_performances_of_fide_exercises() -> None:
    table = draw(EXERCISE, scoring=CHESS)
    event = Event(entrants=Event.Entrants.PLAYERS, game_win=2, game_draw=1)
    found = ratings_in(event, table, [""] * len(table.names))
    performances = [each.performance for each in found]
    assert dict(zip(table.names, performances, strict=True)) == PUBLISHED
