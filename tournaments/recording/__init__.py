"""The write path: all that an arbiter or organiser does to an event (docs/desk.md). Import from here."""

from tournaments.recording.addresses import LONGEST_ADDRESS, address_for
from tournaments.recording.backups import back_up, keep, restore
from tournaments.recording.corrections import needs_reason, places_of
from tournaments.recording.editions import MOST_EDITIONS, Drafted, EditionList, create_editions, read_editions
from tournaments.recording.entries import CONFLICT, REFUSED, SAVED, Entry, Outcome, enter, enter_together
from tournaments.recording.events import clone_event, create_event, defaults_for
from tournaments.recording.lineups import Board, line_up
from tournaments.recording.matchpoints import award_match_points
from tournaments.recording.overrides import (
    order_criteria,
    override_criteria,
    override_place,
    override_value,
    undo_override,
)
from tournaments.recording.pairings import (
    Move,
    Seats,
    add_pairing,
    add_pairings,
    annotate,
    rearrange,
    remove_pairing,
)
from tournaments.recording.publication import MEANING, needs_reason_for, publish
from tournaments.recording.redirects import Led, RedirectList, decoded, enter_redirects, read_redirects
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.rosters import Listed, Roster, enter_roster, read_roster
from tournaments.recording.rounds import (
    Closing,
    before_closing,
    close_round,
    current_round,
    doubt_before_opening,
    next_round,
    open_round,
    publish_pairings,
    reopen_round,
    take_back_pairings,
    unpaired_of,
    why_published,
)
from tournaments.recording.rules import (
    contradicted,
    criteria_override,
    is_for_organisers,
    is_frozen,
    record_change,
    rules_override,
)
from tournaments.recording.rulings import acknowledge, findings_in, findings_of, left_out, open_findings
from tournaments.recording.schedules import Schedule, generate_schedule, schedule_of
from tournaments.recording.seating import Seated, Typed, read_pairings, read_typed_pairings, seats_of
from tournaments.recording.sheets import Block, Line, Pasted, lines_of, read_block
from tournaments.recording.systems import choose_system, suits
from tournaments.recording.tiebreaks import Tiebreak, enter_tiebreaks, level_competitors
from tournaments.recording.trials import Moved, Trial, moved_by, try_out
from tournaments.recording.turns import add, claim, in_turn, last_saved, name_of, remove, save

__all__ = [
    "CONFLICT",
    "LONGEST_ADDRESS",
    "MEANING",
    "MOST_EDITIONS",
    "REFUSED",
    "SAVED",
    "Block",
    "Board",
    "Closing",
    "Conflict",
    "Drafted",
    "EditionList",
    "Entry",
    "Led",
    "Line",
    "Listed",
    "Move",
    "Moved",
    "Outcome",
    "Pasted",
    "RedirectList",
    "Refused",
    "Roster",
    "Schedule",
    "Seated",
    "Seats",
    "Tiebreak",
    "Trial",
    "Typed",
    "acknowledge",
    "add",
    "add_pairing",
    "add_pairings",
    "address_for",
    "annotate",
    "award_match_points",
    "back_up",
    "before_closing",
    "choose_system",
    "claim",
    "clone_event",
    "close_round",
    "contradicted",
    "create_editions",
    "create_event",
    "criteria_override",
    "current_round",
    "decoded",
    "defaults_for",
    "doubt_before_opening",
    "enter",
    "enter_redirects",
    "enter_roster",
    "enter_tiebreaks",
    "enter_together",
    "findings_in",
    "findings_of",
    "generate_schedule",
    "in_turn",
    "is_for_organisers",
    "is_frozen",
    "keep",
    "last_saved",
    "left_out",
    "level_competitors",
    "line_up",
    "lines_of",
    "moved_by",
    "name_of",
    "needs_reason",
    "needs_reason_for",
    "next_round",
    "open_findings",
    "open_round",
    "order_criteria",
    "override_criteria",
    "override_place",
    "override_value",
    "places_of",
    "publish",
    "publish_pairings",
    "read_block",
    "read_editions",
    "read_pairings",
    "read_redirects",
    "read_roster",
    "read_typed_pairings",
    "rearrange",
    "record_change",
    "remove",
    "remove_pairing",
    "reopen_round",
    "restore",
    "rules_override",
    "save",
    "schedule_of",
    "seats_of",
    "suits",
    "take_back_pairings",
    "try_out",
    "undo_override",
    "unpaired_of",
    "why_published",
]
