"""The layouts that can be imported, a module for each program (docs/import.md)."""

from tournaments.interchange.formats.layouts.chess_results import CHESS_RESULTS
from tournaments.interchange.formats.layouts.chess_results_pairings import CHESS_RESULTS_PAIRINGS
from tournaments.interchange.formats.layouts.chess_results_xml import CHESS_RESULTS_XML
from tournaments.interchange.formats.layouts.game_list import GAME_LIST
from tournaments.interchange.formats.layouts.generic import GENERIC
from tournaments.interchange.formats.layouts.layout import Layout
from tournaments.interchange.formats.layouts.lichess import LICHESS
from tournaments.interchange.formats.layouts.olimpbase import OLIMPBASE
from tournaments.interchange.formats.layouts.own_games import OWN_GAMES
from tournaments.interchange.formats.layouts.own_tables import OWN_TABLES
from tournaments.interchange.formats.layouts.pgn import PDN, PGN
from tournaments.interchange.formats.layouts.program_crosstables import (
    DRAUGHTS_ARBITER,
    ECF_LMS,
    GAME_FILE,
    MATCH_SQUARE,
    PAPI,
    SWISS_MANAGER,
    SWISS_PERFECT,
    TOERNOOIBASE,
)
from tournaments.interchange.formats.layouts.uscf import USCF
from tournaments.interchange.formats.layouts.vega import VEGA

LAYOUTS: tuple[Layout, ...] = (
    CHESS_RESULTS,
    CHESS_RESULTS_XML,
    CHESS_RESULTS_PAIRINGS,
    DRAUGHTS_ARBITER,
    ECF_LMS,
    GAME_FILE,
    GAME_LIST,
    LICHESS,
    MATCH_SQUARE,
    OLIMPBASE,
    OWN_GAMES,
    OWN_TABLES,
    PAPI,
    PDN,
    PGN,
    SWISS_MANAGER,
    SWISS_PERFECT,
    TOERNOOIBASE,
    USCF,
    VEGA,
    *GENERIC,
)
"""All layouts: those of programs by code, then the generic ones."""

LAYOUT_BY_CODE = {each.code: each for each in LAYOUTS}
