"""The layouts that can be imported, a module for each program (docs/import.md)."""

from tournaments.interchange.formats.layouts.chess_results import CHESS_RESULTS
from tournaments.interchange.formats.layouts.chess_results_pairings import CHESS_RESULTS_PAIRINGS
from tournaments.interchange.formats.layouts.chess_results_xml import CHESS_RESULTS_XML
from tournaments.interchange.formats.layouts.draughts_arbiter import DRAUGHTS_ARBITER
from tournaments.interchange.formats.layouts.game_file import GAME_FILE
from tournaments.interchange.formats.layouts.game_list import GAME_LIST
from tournaments.interchange.formats.layouts.generic import GENERIC
from tournaments.interchange.formats.layouts.layout import Layout
from tournaments.interchange.formats.layouts.match_square import MATCH_SQUARE
from tournaments.interchange.formats.layouts.olimpbase import OLIMPBASE
from tournaments.interchange.formats.layouts.own_games import OWN_GAMES
from tournaments.interchange.formats.layouts.own_tables import OWN_TABLES
from tournaments.interchange.formats.layouts.pgn import PDN, PGN
from tournaments.interchange.formats.layouts.swiss_manager import SWISS_MANAGER
from tournaments.interchange.formats.layouts.toernooibase import TOERNOOIBASE
from tournaments.interchange.formats.layouts.uscf import USCF
from tournaments.interchange.formats.layouts.vega import VEGA

LAYOUTS: tuple[Layout, ...] = (
    CHESS_RESULTS,
    CHESS_RESULTS_XML,
    CHESS_RESULTS_PAIRINGS,
    DRAUGHTS_ARBITER,
    GAME_FILE,
    GAME_LIST,
    MATCH_SQUARE,
    OLIMPBASE,
    OWN_GAMES,
    OWN_TABLES,
    PDN,
    PGN,
    SWISS_MANAGER,
    TOERNOOIBASE,
    USCF,
    VEGA,
    *GENERIC,
)
"""All layouts: those of programs by code, then the generic ones."""

LAYOUT_BY_CODE = {each.code: each for each in LAYOUTS}
