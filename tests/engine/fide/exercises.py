"""The tournaments of FIDE's exercises as crosstables."""

from dataclasses import replace

from standings.criteria.published import FIDE_ROUND_ROBIN, FIDE_SWISS, FIDE_TEAMS
from standings.engine import CHESS, POLICIES, Crosstable, Scale, Scoring, read_crosstable

SWISS = read_crosstable(FIDE_SWISS, scoring=CHESS)
ROUND_ROBIN = read_crosstable(FIDE_ROUND_ROBIN, scoring=CHESS, games_each=5)
TEAMS = read_crosstable(FIDE_TEAMS, scoring=Scoring(game_win=2, boards=4), primary=Scale.MATCH)


def under(edition: str, table: Crosstable) -> Crosstable:
    """Return the crosstable under an edition of C.07."""
    return replace(table, unplayed=POLICIES[edition])
