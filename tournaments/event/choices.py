"""The choices of event fields, and rules that follow from them.

Documents and models share them. The values are stored and written to event files, so none is ever renamed.
`Event.is_public` and `Event.is_over` are the same rules for a model.
"""

from collections.abc import Collection, Iterable
from typing import Protocol

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy


class EventState(TextChoices):
    DRAFT = "draft"
    LIVE = "live"
    FINAL = "final"
    ARCHIVED = "archived"
    REMOVED = "removed"


class Entrants(TextChoices):
    TEAMS = "teams"
    PLAYERS = "players"


class TeamsAre(TextChoices):
    """The bodies that teams represent."""

    NATIONS = "nations"
    CLUBS = "clubs"
    CITIES = "cities"


class BoardOrder(TextChoices):
    """Whether a captain may change the order of the boards."""

    FIXED = "fixed", "as the roster has them"
    FREE = "free", "as the captain likes"


class PlayersEntry(TextChoices):
    """How players may enter their own results."""

    OFF = "", "not at all"
    ONE = "one", "one side suffices"
    BOTH = "both", "both sides must agree"


class Schedule(TextChoices):
    SWISS = "swiss", "Swiss"
    ROUND_ROBIN = "round-robin", "round robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin", "double round robin"


class WithdrawalAtHalf(TextChoices):
    """The results of a player who left before half of a round robin (rules § 1)."""

    FORFEIT = "forfeit", "the rest is lost by forfeit"
    ANNUL = "annul", "all results are annulled"


class Places(TextChoices):
    """How a shared place is printed."""

    BLANK = "blank", "the number at the first, blank for the others"
    RANGE = "range", "3-5"
    EQUALS = "equals", "3="


class CellNumber(TextChoices):
    """The number that identifies the opponent in a cell."""

    PLACE = "place", "place of the opponent"
    START = "start", "start number of the opponent"


class ColumnOrder(TextChoices):
    """The order of the columns of criteria."""

    DECIDING = "deciding", "in the order in which they decide"
    OLIMPBASE = "olimpbase", "as OlimpBase prints them"


class Language(TextChoices):
    """The languages of an event's printed sheets, which are those of the public pages."""

    EN = "en", "English"
    NL = "nl", "Dutch"


class Colour(TextChoices):
    """The colour drawn for the top board of the first round."""

    WHITE = "white", gettext_lazy("White")
    BLACK = "black", gettext_lazy("Black")


class UnknownFact(TextChoices):
    """The facts of an event that no source gives."""

    COLOURS = "colours", gettext_lazy("who had White")
    ROUND_ORDER = "round_order", gettext_lazy("the order of the rounds")
    RESULTS = "results", gettext_lazy("the results of the games: only the final ranking is known")


class PairingColours(TextChoices):
    """The colours of a pairing, if they do not follow from its sides."""

    UNKNOWN = "unknown", gettext_lazy("unknown")


class Acceleration(TextChoices):
    """Methods of acceleration: the top players get virtual half-points for the pairing."""

    BAKU = "baku", gettext_lazy("Baku (FIDE C.04.7)")


class StartOrder(TextChoices):
    """How the start list is numbered before the first round."""

    RATING = "rating", gettext_lazy("rating, then title, then name")
    TITLE = "title", gettext_lazy("title, then rating, then name")
    NAME = "name", gettext_lazy("name")
    LOTS = "lots", gettext_lazy("drawn by lot")


class TeamColours(TextChoices):
    """The colour preferences of a team Swiss (FIDE C.04.6, 1.7)."""

    TYPE_A = "type-a", gettext_lazy("type A: a team prefers the colour that it has had less")
    TYPE_B = "type-b", gettext_lazy("type B: it prefers so only where the difference is large")
    NONE = "none", gettext_lazy("no preferences: colours are not looked at")


class OfficialRole(TextChoices):
    """The roles of officials in reports for rating."""

    CHIEF = "chief", gettext_lazy("chief arbiter")
    DEPUTY = "deputy", gettext_lazy("deputy chief arbiter")
    ARBITER = "arbiter", gettext_lazy("arbiter")
    ORGANISER = "organiser", gettext_lazy("organiser")


class RatedAs(TextChoices):
    """The lists by which games are rated, according to the time control."""

    STANDARD = "standard", gettext_lazy("standard")
    RAPID = "rapid", gettext_lazy("rapid")
    BLITZ = "blitz", gettext_lazy("blitz")


class RatingsFrom(TextChoices):
    """The lists from which the ratings of an event were taken: FIDE's or the FMJD's three, or any other."""

    STANDARD = "standard", gettext_lazy("the standard list of FIDE or the FMJD")
    RAPID = "rapid", gettext_lazy("the rapid list of FIDE or the FMJD")
    BLITZ = "blitz", gettext_lazy("the blitz list of FIDE or the FMJD")
    LOCAL = "local", gettext_lazy("another list, such as a national one")


class Sex(TextChoices):
    """The values of a person's sex in files."""

    M = "m", gettext_lazy("man")
    W = "w", gettext_lazy("woman")


SEX_OF_LETTER = {"m": Sex.M, "h": Sex.M, "w": Sex.W, "f": Sex.W, "v": Sex.W}
"""The sex by first letter in rating lists: h for homme, v for vrouw."""

# titles of players that imported files can give
TITLES = frozenset({
    "GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM", "AGM", "AIM", "AFM", "ACM", "HGM", "WHGM",  # FIDE
    "NM", "WNM", "LM", "WLM", "SM",  # national federations
    "SIM", "CCM", "CCE", "LGM", "LIM",  # ICCF
    "GMI", "GMIF", "MI", "MIF", "MF", "MFF", "CMF", "CMFF", "GMN", "MN",  # FMJD
})  # fmt: skip


class RoundState(TextChoices):
    """The stages of a round; only arbiters see the pairings of a draft."""

    DRAFT = "draft"
    PUBLISHED = "published"
    CLOSED = "closed"


class Kind(TextChoices):
    """The outcomes of a pairing (rules § 1)."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    BYE = "bye"
    HALF_BYE = "half-bye", "half-point bye"
    ZERO_BYE = "zero-bye", "zero-point bye"
    ABSENT = "absent"
    PENDING = "pending", "not yet played"
    UNKNOWN = "unknown", "result unknown"


class Delay(TextChoices):
    """Why a game without a result does not block the next round."""

    POSTPONED = "postponed", gettext_lazy("postponed")
    ADJOURNED = "adjourned", gettext_lazy("adjourned")


class DelayedPoints(TextChoices):
    """What a postponed or adjourned game gives each side while later rounds are paired."""

    DRAW = "draw", gettext_lazy("a draw")
    NOTHING = "nothing", gettext_lazy("0 for both")


class PairingSide(TextChoices):
    """The two sides of a pairing as it was set."""

    FIRST = "first"
    SECOND = "second"


class Presence(TextChoices):
    """Check-in states of a player before a round; late players are paired."""

    PRESENT = "present", gettext_lazy("present")
    ABSENT = "absent", gettext_lazy("absent")
    LATE = "late", gettext_lazy("late")


class OverrideKind(TextChoices):
    """Manual changes by an arbiter; `criteria` occurs only in older records.

    `rewind` records that the event returned to an earlier round, and which rounds were deleted. `rewind` and
    `undo` have no effect of their own on the standings.
    """

    PAIRING = "pairing"
    CRITERIA = "criteria"
    RULES = "rules"
    VALUE = "value"
    PLACE = "place"
    UNDO = "undo"
    REWIND = "rewind", "back to before a round"


RULING_NOTHING = (OverrideKind.UNDO, OverrideKind.REWIND)
"""Kinds of override that change no pairing, value, place or rule, and are not undone."""

DRAFT, REMOVED = EventState.DRAFT.value, EventState.REMOVED.value

PUBLIC = (EventState.LIVE, EventState.FINAL, EventState.ARCHIVED)
"""The states of an event that readers can see."""

OVER = (EventState.FINAL, EventState.ARCHIVED)
"""The states of a finished event."""

ALONE = (Kind.BYE, Kind.HALF_BYE, Kind.ZERO_BYE, Kind.ABSENT)
"""Kinds of pairing without an opponent."""

SCORELESS = (Kind.PENDING, Kind.UNKNOWN)
"""Kinds of pairing without a score."""

DECIDED = (Kind.PLAYED, Kind.FORFEIT)
"""The kinds of a pairing of two whose result is known."""

BOARD_KINDS = (*DECIDED, *SCORELESS)
"""The possible kinds for a board of a match."""

REQUESTED = (Kind.HALF_BYE, Kind.ZERO_BYE)
"""The byes that a competitor may request."""


def is_settled(event_state: str, round_state: str) -> bool:
    """Return whether readers see the round as settled: it is closed, or its event is over (ADR 0018)."""
    return round_state == RoundState.CLOSED or event_state in OVER


def later_rounds_depend(later_kinds: Iterable[str], *, is_round_robin: bool) -> bool:
    """Return whether later rounds depend on a round. `later_kinds`: those of their pairings of two.

    The pairings of a Swiss depend on earlier results, so any later pairing is enough. Those of a round robin
    are known from the start, so only a later result counts.
    """
    return any(not is_round_robin or kind in DECIDED for kind in later_kinds)


NO_COLOURS = frozenset({UnknownFact.COLOURS, UnknownFact.RESULTS})
NO_ROUND_ORDER = frozenset({UnknownFact.ROUND_ORDER, UnknownFact.RESULTS})


class EventFacts(Protocol):
    """An event with its list of unknown facts; a model and a document's event have it."""

    @property
    def unknown(self) -> Collection[str]: ...


def white_side(event: EventFacts, colours: str) -> str:
    """Return the side that has White in a pairing of players: `first`, or a blank if it is unknown.

    `colours`: those of the pairing, if they do not follow from its sides.
    """
    return "" if colours or not knows_colours(event) else PairingSide.FIRST.value


def knows_colours(event: EventFacts) -> bool:
    """Return whether the event knows who had White, at least in some pairings."""
    return NO_COLOURS.isdisjoint(event.unknown)


def knows_round_order(event: EventFacts) -> bool:
    return NO_ROUND_ORDER.isdisjoint(event.unknown)


def knows_results(event: EventFacts) -> bool:
    """Return whether results are recorded; else only the published ranking is known."""
    return UnknownFact.RESULTS not in event.unknown
