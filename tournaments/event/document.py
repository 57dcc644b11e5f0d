"""An event as a tree: the common form of the event file, the database, the checks and the engine.

The fields list the content of the event file in canonical order; `schema` derives from them the reader and
the writer, the JSON Schema and the table of keys. Attributes have the names of the models' fields. Scores are
half-points. Canonical order: competitors and rounds by number, pairings by table, games by board, players by
`player_order`.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Annotated, Any, ClassVar, TypedDict

from standings.engine import SYSTEMS
from tournaments.event.categories import LONGEST_CODE, CategoryDecision, EventCategory
from tournaments.event.choices import (
    ALONE,
    BOARD_KINDS,
    DECIDED,
    REQUESTED,
    SCORELESS,
    Acceleration,
    BoardOrder,
    CellNumber,
    Colour,
    ColumnOrder,
    Delay,
    DelayedPoints,
    Entrants,
    EventState,
    Kind,
    Language,
    OfficialRole,
    OverrideKind,
    PairingColours,
    PairingSide,
    Places,
    RatedAs,
    RatingsFrom,
    RoundState,
    Schedule,
    Sex,
    StartOrder,
    TeamColours,
    TeamsAre,
    UnknownFact,
    WithdrawalAtHalf,
)
from tournaments.event.dates import parse_day
from tournaments.event.moves import MOST_SIGNS
from tournaments.event.numbers import results_of_text, win_draw_loss
from tournaments.event.prizes import LARGEST_AMOUNT, EventPrize, Sharing
from tournaments.event.schema import (
    FileObject,
    FurtherKeys,
    Key,
    KeyPath,
    Limits,
    Nested,
    NestedList,
    Object,
    file_keys,
    set_path,
)
from tournaments.event.values import (
    FIXED_TABLE,
    LONGEST_REASON,
    NUMBER,
    POINTS,
    Categories,
    Choice,
    Constant,
    Date,
    Day,
    Doi,
    Fault,
    Figure,
    Keyed,
    ListedResults,
    Moment,
    Moved,
    NumberList,
    Order,
    RoundNumbers,
    Schema,
    ScoreValue,
    SignedPoints,
    Slug,
    SortedTexts,
    Text,
    Texts,
    TimeOfDay,
    TimeZoneName,
    Truth,
    UnratedRule,
    Whole,
    WinDrawLoss,
    missing_key,
)

FORMAT, VERSION = "crosstable-event", 1

# Kinds of value that are used several times.
_SLUG, _CODE, _RATING, _ID = Slug(80, filled=True), Text(60), Whole(0), Whole(most=10**17)
_NAME, _WHERE, _TITLE, _SOURCE = Text(120, filled=True), Text(120), Text(8), Text(2000)
_RESULT, _CATEGORIES = Text(200, filled=True), Categories(Text(LONGEST_CODE))
_MOVES = Text(MOST_SIGNS, prose=True)
_REASON, _BY, _AT = Text(10_000, filled=True, prose=True), Text(120, filled=True), Moment()
_SIDE, _ROUND_OR_0 = Choice.of(PairingSide), Whole(0)

_ABOUT_MOVES = (
    "As they stand in a PGN or PDN file, behind tags of it that no other key holds, such as `FEN` and `ECO`."
)

ScoreSide = Annotated[
    int | None, KeyPath("score"), ScoreValue(), "Points of [first, second]; null where there is no opponent."
]
MatchPointsSide = Annotated[
    int | None, KeyPath("match_points"), ScoreValue(), "Only where they do not follow from the score."
]
GamePoints = Annotated[int, KeyPath("scoring", "game"), WinDrawLoss()]
MatchPoints = Annotated[int, KeyPath("scoring", "match"), WinDrawLoss()]
Born = Annotated[str, Date(), "A day, or a year alone; the public is told the year."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerEntry(FileObject):
    """A member of a team; blank if unknown."""

    board: Annotated[int | None, NUMBER, "The usual board; left out of a reserve."] = None
    name: Annotated[str, _NAME, "The name as the source writes it."]
    title: Annotated[str, _TITLE, "Such as GM or IM, in the field's own letters."] = ""
    rating: Annotated[int | None, _RATING, "The rating at the event."] = None
    club: Annotated[str, _WHERE, "The club of the player."] = ""
    city: Annotated[str, _WHERE, "The town of the player."] = ""
    sex: Annotated[str, Choice.of(Sex), "`m` or `w`."] = ""
    born: Born = ""
    categories: Annotated[tuple[str, ...], _CATEGORIES, "Such as U20 or W, each once."] = ()
    fide_id: Annotated[int | None, _ID, "The number in FIDE's list."] = None
    fmjd_id: Annotated[int | None, _ID, "The number in the FMJD's list."] = None

    @property
    def identity(self) -> int | str:
        """Return the FIDE id or, without one, the name. It is unique within the team."""
        return self.name if self.fide_id is None else self.fide_id


class PointsAdjustment(TypedDict, total=False):
    """Points that a competitor was given or lost beside results; plain data, with half-points.

    They count in the competitor's own score from that round on (0: from the first), and never in the
    opponents' tie-breaks. `final` points count only in the final standings, in no tie-break.
    """

    round: Annotated[int, _ROUND_OR_0, "From this round on; left out: from the first."]
    game: Annotated[int, SignedPoints(), "Game points given, or below 0 taken."]
    match: Annotated[int, SignedPoints(), "Match points given, or below 0 taken; team events only."]
    final: Annotated[bool, Truth(), "Counts in the final standing alone, in no tie-break."]
    reason: Annotated[str, Text(LONGEST_REASON), "Why, in words that readers see."]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitorEntry(FileObject):
    """A team or a player of the event."""

    conditions: ClassVar[Mapping[str, Schema]] = {"": {"dependentRequired": {"manual_after": ["manual"]}}}

    number: Annotated[int, NUMBER, "The start number, by which all else names the competitor."]
    name: Annotated[str, _NAME, "The name of the player or of the team."]
    pairing_number: Annotated[
        int | None, NUMBER, "The number for the pairing, if it differs from the start number."
    ] = None
    code: Annotated[
        str, _TITLE, "The federation's code, or that of the club or city; a second team has a digit: GEO2."
    ] = ""
    flag: Annotated[str, Text(3), "Left out where it is the code without its digits."] = ""
    title: Annotated[str, _TITLE, "Such as GM or GMI, in the field's own letters."] = ""
    rating: Annotated[int | None, _RATING, "The rating at the event, as the source has it."] = None
    rating_class: Annotated[str, Text(1), "The letter that the source prints beside the rating."] = ""
    club: Annotated[str, _WHERE, "The club of the player."] = ""
    city: Annotated[str, _WHERE, "The town of the player."] = ""
    sex: Annotated[str, Choice.of(Sex), "`m` or `w`."] = ""
    born: Born = ""
    categories: Annotated[tuple[str, ...], _CATEGORIES, "Such as U20 or W, each once."] = ()
    fide_id: Annotated[int | None, _ID, "The number in FIDE's list."] = None
    fmjd_id: Annotated[int | None, _ID, "The number in the FMJD's list."] = None
    fixed_table: Annotated[int | None, FIXED_TABLE, "Table of a player who cannot move, never public."] = None
    outside: Annotated[bool, Truth(), "Plays outside the competition."] = False
    withdrawn_after: Annotated[
        int | None, _ROUND_OR_0, "The last round before the competitor left; 0: before the first."
    ] = None
    requested_byes: Annotated[
        dict[str, str], Keyed(Choice.of(REQUESTED)), "The kind of bye asked for, by the number of its round."
    ] = field(default_factory=dict)
    adjustments: Annotated[
        tuple[PointsAdjustment, ...], NestedList(PointsAdjustment), "Bonus and penalty points."
    ] = ()
    category_decisions: Annotated[
        tuple[CategoryDecision, ...], NestedList(CategoryDecision), "Decided by hand, whatever a rule says."
    ] = ()
    awards: Annotated[tuple[str, ...], Texts(_NAME), "The names of special prizes."] = ()
    manual: Annotated[int | None, Whole(-(2**31), 2**31 - 1), "The manual tie-break."] = None
    manual_after: Annotated[int | None, _ROUND_OR_0, "The round in which the manual tie-break begins."] = None
    players: Annotated[
        tuple[PlayerEntry, ...],
        NestedList(PlayerEntry),
        "The members of a team whom its games do not name, or of whom more is known.",
    ] = ()
    manual_pinned: bool = field(default=False, compare=False)  # the file left out `manual_after`

    @property
    def paired_as(self) -> int:
        return self.pairing_number or self.number


def _suited_to_kind(raw: Object, *, has_second: bool) -> tuple[list[Fault], Object]:
    """Check the opponent and the scores against the kind of result. Return the object without faulty keys."""
    kind, faults, suited = raw.get("kind"), list[Fault](), dict(raw)
    known = Kind.values if has_second else BOARD_KINDS
    kind = kind if kind in known else "played"
    for key in ("score", "match_points") if has_second else ("score",):
        if key not in raw:
            continue
        if kind in SCORELESS:
            text = f"A {kind} result has no {key}. Remove one of the two."
            faults.append(Fault("score-without-result", text, (key,)))
            del suited[key]
        elif isinstance(raw[key], list) and len(raw[key]) == 2:
            first, second = raw[key]
            if kind in ALONE and second is not None:
                text = f"A {kind} has no second side. Write null there."
                faults.append(Fault("opponent-of-a-bye", text, (key, 1)))
                suited[key] = [first, None]
            elif kind not in ALONE and second is None:
                nulls: list[Fault] = []
                POINTS.read(None, nulls)
                faults += (fault.below(key, 1) for fault in nulls)
    if kind in DECIDED and "score" not in raw:
        faults.append(missing_key("score"))
    if raw.get("delayed") and kind != Kind.PENDING:
        text = f"A {kind} result is not open. Take “delayed” out, or write the kind “pending”."
        faults.append(Fault("delayed-with-result", text, ("delayed",)))
        del suited["delayed"]
    if has_second and kind in ALONE:
        texts = {
            "moves": ("moves-of-a-bye", f"A {kind} has no moves. Take them out."),
            "second": (
                "opponent-of-a-bye",
                f"A {kind} has no opponent, yet there is a second. Take it out, or correct the kind.",
            ),
        }
        for key, (code, text) in texts.items():
            if key in raw:
                faults.append(Fault(code, text, (key,)))
                del suited[key]
    elif has_second and "second" not in raw:
        faults.append(missing_key("second"))
    return faults, suited


def _if_kind(kinds: Collection[str], **then: Any) -> Schema:
    """Return a JSON Schema condition: `then` applies if the kind is one of `kinds`."""
    known = [kind for kind in Kind.values if kind in kinds]
    needed = {} if "played" in kinds else {"required": ["kind"]}  # the default, which files may omit
    return {"if": {**needed, "properties": {"kind": {"enum": known}}}, "then": then}


def _of_entrants(entrants: Entrants, **then: Any) -> Schema:
    return {"if": {"properties": {"entrants": {"const": entrants}}}, "then": then}


def _needing(kind: str, **needed: Schema) -> Schema:
    """Return a JSON Schema condition: the keys that this kind of override needs; others must be empty."""
    none = {each: _NONE_OF_IT[each] for each in _NONE_OF_IT if each not in needed}
    then = {"required": [*needed], "properties": needed | none}
    return {"if": {"properties": {"kind": {"const": kind}}}, "then": then}


_EMPTY_LIST: Schema = {"maxItems": 0}
_SOME: Schema = {"minItems": 1}
_NONE_OF_IT: dict[str, Schema] = {
    **{key: {"not": {}} for key in ("round", "table", "competitor", "place", "undoes")},
    "criterion": {"maxLength": 0},
    **dict.fromkeys(("levels", "criteria"), _EMPTY_LIST),
    **{key: {"maxProperties": 0} for key in ("from", "to")},
}
"""The schemas of an override's keys if they are empty."""

_DELAYED_IF_PENDING = _if_kind({*Kind.values} - {Kind.PENDING}, properties={"delayed": {"maxLength": 0}})
_TWO_SIDES: Schema = {"prefixItems": [True, POINTS.schema()]}
_ONE_SIDE: Schema = {"prefixItems": [True, {"type": "null"}]}


def _written_scores(entry: "PairingEntry | GameEntry") -> Any:
    if entry.kind in SCORELESS or (entry.kind in {"zero-bye", "absent"} and not entry.first_score):
        return None
    return [POINTS.write(entry.first_score), POINTS.write(entry.second_score)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEntry(FileObject):
    """One board of a match; the players are members of the teams, None if the source does not name them."""

    further: ClassVar[Mapping[str, FurtherKeys]] = {
        "board": {
            "first": (_WHERE, "The player of the team that is first in the pairing."),
            "second": (_WHERE, "The player of the other team."),
            "first_fide_id": (_ID, "The first player's number in FIDE's list."),
            "second_fide_id": (_ID, "The second player's number in FIDE's list."),
        }
    }
    limits: ClassVar[Mapping[str, Limits]] = {"": partial(_suited_to_kind, has_second=False)}
    conditions: ClassVar[Mapping[str, Schema]] = {
        "": {
            "allOf": [
                _if_kind(DECIDED, required=["score"], properties={"score": _TWO_SIDES}),
                _if_kind(SCORELESS, properties={"score": False}),
                _DELAYED_IF_PENDING,
            ]
        }
    }

    board: Annotated[int, NUMBER, "The board, counted from 1."]
    first_player: PlayerEntry | None = None
    second_player: PlayerEntry | None = None
    white: Annotated[str, _SIDE, "Who has White."] = ""
    first_score: ScoreSide = None
    second_score: ScoreSide = None
    kind: Annotated[str, Choice.of(BOARD_KINDS), "How the game ended, or that it has not."] = "played"
    delayed: Annotated[str, Choice.of(Delay), "Of a pending game that does not block the next round."] = ""
    advantage: Annotated[str, _SIDE, "Who drew with an advantage: 1+ in draughts."] = ""
    games_played: Annotated[int | None, NUMBER, "Of a micro-match."] = None
    moves: Annotated[str, _MOVES, _ABOUT_MOVES] = ""

    @classmethod
    def from_file(cls, values: Object) -> "GameEntry":
        for side in ("first", "second"):
            name, number = values.pop(side, ""), values.pop(f"{side}_fide_id", None)
            if name or number is not None:
                values[f"{side}_player"] = PlayerEntry(name=name, fide_id=number)
        return cls(**values)

    def in_file(self) -> Mapping[str, Any]:
        first, second = self.first_player, self.second_player
        return {
            "first": first and first.name,
            "second": second and second.name,
            "first_fide_id": first and first.fide_id,
            "second_fide_id": second and second.fide_id,
            "score": _written_scores(self),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingEntry(FileObject):
    """Two competitors in a round, or one without an opponent. `first` and `second` are competitor numbers."""

    limits: ClassVar[Mapping[str, Limits]] = {"": partial(_suited_to_kind, has_second=True)}
    conditions: ClassVar[Mapping[str, Schema]] = {
        "": {
            "allOf": [
                _if_kind(
                    DECIDED,
                    required=["second", "score"],
                    properties={"score": _TWO_SIDES, "match_points": _TWO_SIDES},
                ),
                _if_kind(SCORELESS, required=["second"], properties={"score": False, "match_points": False}),
                _if_kind(
                    ALONE,
                    properties={
                        "second": False,
                        "score": _ONE_SIDE,
                        "match_points": _ONE_SIDE,
                        "moves": False,
                        "games": _EMPTY_LIST,
                    },
                ),
                _DELAYED_IF_PENDING,
            ]
        }
    }

    table: Annotated[int, NUMBER, "The table, counted from 1 in each round."]
    first: Annotated[
        int, NUMBER, "The number of the competitor; a player with White, a team with White on board 1."
    ]
    second: Annotated[int | None, NUMBER, "The number of the opponent; left out where there is none."] = None
    colours: Annotated[
        str, Choice.of(PairingColours), "`unknown`: `first` and `second` do not give the colours."
    ] = ""
    kind: Annotated[str, Choice.of(Kind), "How it ended, that it has not, or why there is no opponent."] = (
        "played"
    )
    delayed: Annotated[
        str, Choice.of(Delay), "Of a pending game that does not block the next round, or of such a match."
    ] = ""
    first_score: ScoreSide = None
    second_score: ScoreSide = None
    first_match_points: MatchPointsSide = None  # both None if they follow from the score
    second_match_points: MatchPointsSide = None
    advantage: Annotated[str, _SIDE, "Who drew with an advantage: 1+ in draughts."] = ""
    games_played: Annotated[int | None, NUMBER, "Of a micro-match."] = None
    moves: Annotated[str, _MOVES, _ABOUT_MOVES] = ""
    games: Annotated[tuple[GameEntry, ...], NestedList(GameEntry), "The boards of a match."] = ()
    note: Annotated[str, Text(10_000, prose=True), "What readers are told of it."] = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)

    def in_file(self) -> Mapping[str, Any]:
        return {"score": _written_scores(self)}


_UNPLAYED: Schema = {
    "required": ["kind"],
    "properties": {
        "kind": {"enum": [kind for kind in Kind.values if kind in ALONE or kind == "pending"]},
        "games": {"items": {"required": ["kind"], "properties": {"kind": {"const": "pending"}}}},
    },
}
"""A pairing of a draft."""


def _timed_on_a_day(raw: Object) -> tuple[list[Fault], Object]:
    day = raw.get("date", "")
    if not raw.get("time") or not isinstance(day, str) or parse_day(day):
        return [], raw
    text = "A round with a time needs its day. Write its date, or take the time out."
    return [Fault("time-without-day", text, ("time",))], raw


class ProvisionalResult(TypedDict):
    """A postponed or adjourned game, as it counted for the pairings of a later round; plain data."""

    round: Annotated[int, NUMBER, "The round of the game."]
    table: Annotated[int, NUMBER, "The table of the game or match."]
    points: Annotated[int, POINTS, "The points of each side, in a match on each board."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEntry(FileObject):
    """One round. In a file the default state is closed."""

    limits: ClassVar[Mapping[str, Limits]] = {"": _timed_on_a_day}
    conditions: ClassVar[Mapping[str, Schema]] = {
        "": {
            "allOf": [
                {
                    "if": {"required": ["time"], "properties": {"time": {"minLength": 1}}},
                    "then": {
                        "required": ["date"],
                        "properties": {"date": {"pattern": Day.pattern, "minLength": 1}},
                    },
                },
                {
                    "if": {"required": ["state"], "properties": {"state": {"const": RoundState.DRAFT}}},
                    "then": {"properties": {"pairings": {"items": _UNPLAYED}}},
                },
            ]
        }
    }

    number: Annotated[int, NUMBER, "The number of the round, from 1."]
    date: Annotated[str, Date(), "The day on which it was played."] = ""
    time: Annotated[str, TimeOfDay(), "When it starts, by the clocks of the event's time zone."] = ""
    state: Annotated[str, Choice.of(RoundState, {"open": "published"}), "`open` is read as `published`."] = (
        "closed"
    )
    pairing_numbers: Annotated[
        dict[str, int],
        Keyed(NUMBER),
        "The pairing numbers of the round by start number, if they differ from those of today.",
    ] = field(default_factory=dict)
    provisional_results: Annotated[
        tuple[ProvisionalResult, ...],
        NestedList(ProvisionalResult),
        "Postponed and adjourned games of earlier rounds, as they counted for the pairings.",
    ] = ()
    pairings: Annotated[
        tuple[PairingEntry, ...],
        NestedList(PairingEntry, required=True),
        "Who met whom; who is in none was absent.",
    ] = ()

    @property
    def is_draft(self) -> bool:
        return self.state == "draft"


def _of_scoring(raw: Object) -> tuple[list[Fault], Object]:
    if "results" not in raw or "game" not in raw:
        return [], raw
    text = "Beside “results” nothing of “game” counts. Keep one of them."
    return [Fault("scoring-twice", text, ("results",))], {
        key: value for key, value in raw.items() if key != "game"
    }


def _of_event_scoring(raw: Object) -> tuple[list[Fault], Object]:
    if "results" not in raw and "game" not in raw:
        return [missing_key("game")], raw
    return _of_scoring(raw)


class ForbiddenGroup(TypedDict, total=False):
    """Competitors of whom no two are to meet; plain data: in all rounds, or from one to another."""

    competitors: Annotated[list[int], NumberList(), "The numbers of two or more."]
    first_round: Annotated[int, _ROUND_OR_0, "Left out: from the first on."]
    last_round: Annotated[int, _ROUND_OR_0, "Left out: to the last."]


class Official(TypedDict, total=False):
    """Somebody who runs the event; plain data."""

    role: Annotated[str, Choice.of(OfficialRole), "What the person does at the event."]
    title: Annotated[str, _TITLE, "Such as IA."]
    name: Annotated[str, _NAME, "The name as the source writes it."]
    fide_id: Annotated[int | None, Whole(most=_ID.most, blank=None), "The number in FIDE's list."]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventEntry(FileObject):
    """The event itself, and the rules by which it is ranked. Points are half-points."""

    is_spread: ClassVar = True
    limits: ClassVar[Mapping[str, Limits]] = {"scoring": _of_event_scoring}
    conditions: ClassVar[Mapping[str, Schema]] = {
        "": {
            "allOf": [
                _of_entrants(Entrants.TEAMS, required=["boards"]),
                _of_entrants(
                    Entrants.PLAYERS,
                    properties={
                        "boards": False,
                        "teams_are": {"const": TeamsAre.NATIONS},
                        "pairing": {"properties": {"team_colours": False}},
                    },
                ),
                {
                    "if": {"properties": {"schedule": {"not": {"const": Schedule.SWISS}}}},
                    "then": {"properties": {"pairing": {"properties": {"acceleration": False}}}},
                },
                {"properties": {"system": {"enum": [*SYSTEMS]}}},
            ]
        },
        "scoring": {
            "description": "What a game and a match give.",
            "oneOf": [{"required": ["game"]}, {"required": ["results"]}],
        },
        "rules": {"description": "What the event settles otherwise than its system does."},
        "rules.bye": {"description": "What a bye gives."},
        "pairing": {"description": "What the pairing of rounds is told."},
        "display": {"description": "How pages and papers of the event look."},
        "prizes": {"description": "The prizes, and how they are shared."},
    }

    slug: Annotated[str, _SLUG, "The end of the event's address."]
    former_slugs: Annotated[tuple[str, ...], SortedTexts(Slug(80)), "Addresses that still lead to it."] = ()
    name: Annotated[str, Text(200, filled=True), "The full name."]
    series: Annotated[str, _WHERE, "What its editions have in common: Chess Olympiad."] = ""
    congress: Annotated[str, _WHERE, "What it was played in together with others: Open, Women, groups."] = ""
    section: Annotated[str, Text(60), "Which part of the congress it is: Open, Women, U16."] = ""
    place: Annotated[str, _WHERE, "The town."] = ""
    country: Annotated[str, Text(3), "The federation's code of the country."] = ""
    start: Annotated[str, Date(), "The first day, or the year alone."] = ""
    end: Annotated[str, Date(), "The last day, or the year alone."] = ""
    time_zone: Annotated[
        str, TimeZoneName(), "By whose clocks the rounds start; an IANA name: Europe/Amsterdam."
    ] = ""
    state: Annotated[str, Choice.of(EventState), "Who sees it, and whether it is over."] = "final"
    discipline: Annotated[str, Text(30, filled=True), "Such as chess, draughts-100, draughts-64 or frisian."]
    entrants: Annotated[str, Choice.of(Entrants), "Who is ranked."]
    teams_are: Annotated[str, Choice.of(TeamsAre), "Team events only."] = "nations"
    schedule: Annotated[str, Choice.of(Schedule), "By what the pairings are made."]
    planned_rounds: Annotated[int, KeyPath("rounds"), Whole(most=1000), "How many rounds are planned."]
    unknown: Annotated[
        tuple[str, ...],
        SortedTexts(Choice.of(UnknownFact)),
        "What no source gives: `colours`, `round_order` (the rounds are only an arrangement), or `results`; "
        "without these the schedule, the scoring and the system can be derived by the import.",
    ] = ()
    boards: Annotated[int | None, Whole(most=1000), "Team events only."] = None
    board_order: Annotated[
        str, Choice.of(BoardOrder), "Of a team's players in a match; team events only."
    ] = "fixed"
    game_win: GamePoints
    game_draw: GamePoints
    game_loss: GamePoints
    game_results: Annotated[
        str,
        KeyPath("scoring", "results"),
        ListedResults(),
        "Every result that a game can have, instead of `game`.",
    ] = ""
    match_win: MatchPoints = 4
    match_draw: MatchPoints = 2
    match_loss: MatchPoints = 0
    system: Annotated[str, Text(40, filled=True), "The code of the ranking system (/criteria/)."]
    criteria: Annotated[
        tuple[str, ...], Texts(_CODE), "Open systems; frozen ones under an override only."
    ] = ()
    primary: Annotated[
        str,
        KeyPath("rules", "primary"),
        Choice(("match", "game")),
        "Which points come first in a team event.",
    ] = ""
    bye_game: Annotated[
        int | None,
        KeyPath("rules", "bye", "game"),
        POINTS,
        "Game points of a bye; left out: a win in a Swiss, nothing in a round robin.",
    ] = None
    bye_match: Annotated[
        int | None, KeyPath("rules", "bye", "match"), POINTS, "Match points of a bye; left out: likewise."
    ] = None
    wins_count_byes: Annotated[
        bool, KeyPath("rules", "wins_count_byes"), Truth(), "A bye counts among the wins."
    ] = False
    withdrawal_at_half: Annotated[
        str,
        KeyPath("rules", "withdrawal_at_half"),
        Choice.of(WithdrawalAtHalf),
        "What becomes of the games of somebody who left a round robin at its half.",
    ] = "forfeit"
    unplayed: Annotated[
        str,
        KeyPath("rules", "unplayed"),
        Text(20),
        "By which rules unplayed rounds count in tie-breaks; left out: the system's.",
    ] = ""
    unrated: Annotated[
        str,
        KeyPath("rules", "unrated"),
        UnratedRule(),
        "The rating that unrated competitors have in tie-breaks on ratings, or `drop`.",
    ] = ""
    officials: Annotated[tuple[Official, ...], NestedList(Official), "Who runs the event."] = ()
    time_control: Annotated[str, Text(200), "In words: 90 minutes for 40 moves …"] = ""
    time_code: Annotated[str, Text(60), "By FIDE's code: 40/5400+30:1800+30."] = ""
    rated_as: Annotated[str, Choice.of(RatedAs), "The list that the games are rated for."] = ""
    ratings_from: Annotated[
        str, Choice.of(RatingsFrom), "The list that the ratings are from; left out: that of `rated_as`."
    ] = ""
    start_order: Annotated[
        str, KeyPath("pairing", "start_order"), Choice.of(StartOrder), "By what the start numbers are given."
    ] = ""
    start_seed: Annotated[
        str, KeyPath("pairing", "start_seed"), Text(40), "Of the lots: the same seed gives the same order."
    ] = ""
    initial_colour: Annotated[
        str, KeyPath("pairing", "initial_colour"), Choice.of(Colour), "Of number 1 in the first round."
    ] = ""
    acceleration: Annotated[
        str,
        KeyPath("pairing", "acceleration"),
        Choice.of(Acceleration),
        "How the first rounds of a Swiss are accelerated.",
    ] = ""
    accelerated_to: Annotated[
        int | None, KeyPath("pairing", "accelerated_to"), NUMBER, "The last number that is accelerated."
    ] = None
    forbidden_pairs: Annotated[
        tuple[ForbiddenGroup, ...],
        KeyPath("pairing", "forbidden"),
        NestedList(ForbiddenGroup),
        "Groups of competitors who are not to meet each other.",
    ] = ()
    team_colours: Annotated[
        str, KeyPath("pairing", "team_colours"), Choice.of(TeamColours), "Team events only."
    ] = ""
    delayed_points: Annotated[
        str,
        KeyPath("pairing", "delayed_points"),
        Choice.of(DelayedPoints),
        "What a postponed or adjourned game counts for pairing.",
    ] = "draw"
    half_byes: Annotated[
        int | None,
        KeyPath("pairing", "half_byes"),
        Whole(0, 1000),
        "How many each may ask for; left out: any.",
    ] = None
    half_byes_until: Annotated[
        int | None,
        KeyPath("pairing", "half_byes_until"),
        Whole(most=1000),
        "The last round for which; left out: any.",
    ] = None
    places: Annotated[
        str,
        KeyPath("display", "places"),
        Choice.of(Places),
        "How a shared place is printed: left blank, as 3-5, or with =.",
    ] = "blank"
    cell_number: Annotated[
        str,
        KeyPath("display", "cell_number"),
        Choice.of(CellNumber),
        "The number by which cells of a crosstable name the opponent.",
    ] = "place"
    columns: Annotated[
        str,
        KeyPath("display", "columns"),
        Choice.of(ColumnOrder),
        "Which criteria the table shows: those that decide, or as OlimpBase prints them.",
    ] = "deciding"
    language: Annotated[
        str,
        KeyPath("display", "language"),
        Choice.of(Language),
        "Of printed sheets; English where it is not said.",
    ] = ""
    categories: Annotated[tuple[EventCategory, ...], NestedList(EventCategory), "In their order."] = ()
    prizes: Annotated[
        tuple[EventPrize, ...], KeyPath("prizes", "list"), NestedList(EventPrize), "Each prize, by place."
    ] = ()
    prize_currency: Annotated[str, KeyPath("prizes", "currency"), Text(3), "Such as EUR."] = ""
    prize_sharing: Annotated[
        str,
        KeyPath("prizes", "sharing"),
        Choice.of(Sharing),
        "The rule by which level competitors share money.",
    ] = "equal"
    prizes_cumulative: Annotated[bool, KeyPath("prizes", "cumulative"), Truth(), "One may have several."] = (
        False
    )
    prize_step: Annotated[
        int,
        KeyPath("prizes", "step"),
        Whole(1, LARGEST_AMOUNT),
        "Amounts are rounded down to so many hundredths.",
    ] = 1
    prizes_public: Annotated[
        bool, KeyPath("prizes", "public"), Truth(), "The prize list is shown before the event is final."
    ] = False
    sources: Annotated[tuple[str, ...], Texts(_SOURCE, is_spread=True), "Where the results come from."] = ()
    licence: Annotated[
        str, Text(200), "What may be done with the data: an SPDX id such as CC-BY-4.0, or words."
    ] = ""
    doi: Annotated[str, Doi(), "What names the data of the event for ever: 10.5281/zenodo.1234567."] = ""
    notes: Annotated[str, Text(100_000, prose=True), "What readers are told of the event."] = ""
    trf: Annotated[
        tuple[str, ...],
        Texts(Text(20_000), is_spread=True),
        "Lines of a tournament report that nothing else here says (docs/trf.md).",
    ] = ()

    @property
    def is_team(self) -> bool:
        return self.entrants == "teams"

    @property
    def has_nations(self) -> bool:
        """Return whether codes are those of countries, so that the flag can be omitted."""
        return self.teams_are == "nations"

    @property
    def is_round_robin(self) -> bool:
        return self.schedule != "swiss"

    @classmethod
    def from_file(cls, values: Object) -> "EventEntry":
        return cls(**_with_scores(values))

    def in_file(self) -> Mapping[str, Any]:
        match = [POINTS.write(each) for each in (self.match_win, self.match_draw, self.match_loss)]
        return {
            **({"scoring.game": None} if self.game_results else {}),
            **({"scoring.match": match} if self.is_team else {}),
        }


def _with_scores(values: Object) -> Object:
    if not values.get("game_results"):
        return values
    scores = win_draw_loss(results_of_text(values["game_results"]))
    return values | dict(zip(("game_win", "game_draw", "game_loss"), scores, strict=True))


_CHANGEABLE = frozenset({
    "entrants", "schedule", "boards", "game_win", "game_results", "match_win", "system", "criteria",
    "primary", "bye_game", "bye_match", "wins_count_byes", "withdrawal_at_half", "unplayed",
    "unrated",
})  # fmt: skip


def _of_changed_rules(raw: Object) -> tuple[list[Fault], Object]:
    """Refuse `boards` without `entrants`."""
    if "boards" not in raw or "entrants" in raw:
        return [], raw
    return [Fault("missing-key", "The key “entrants” is missing beside the boards. Add it.", ("boards",))], {
        key: value for key, value in raw.items() if key != "boards"
    }


class ChangedRules(FileObject):
    """Settings of the event that were changed after the first result; blank: the system's default.

    They have the keys of the event except for the group `rules`; the document has a dict of them.
    """

    limits: ClassVar[Mapping[str, Limits]] = {"": _of_changed_rules, "scoring": _of_scoring}
    conditions: ClassVar[Mapping[str, Schema]] = {
        "": {
            "description": "Settings that were changed after the first result; blank: as the system has it.",
            "dependentRequired": {"boards": ["entrants"]},
        },
        "scoring": {
            "description": "What a game and a match give.",
            "not": {"required": ["game", "results"]},
        },
        "bye": {"description": "What a bye gives."},
    }

    @staticmethod
    def declared() -> Iterator[Key]:
        for key in file_keys(EventEntry):
            if key.names[0] in _CHANGEABLE:
                kind = Choice(("", "match", "game")) if key.name == "primary" else key.kind
                keys = key.keys[1:] if key.keys[0] == "rules" else key.keys
                default = None if len(key.names) == 1 else (None,) * len(key.names)
                yield replace(key, keys=keys, kind=kind, default=default)

    @classmethod
    def from_file(cls, values: Object) -> Object:
        settings = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value is not None or name.startswith("bye_")
        }
        if "entrants" in settings:
            settings.setdefault("boards", None)
        if "game_win" in settings:
            settings["game_results"] = ""
        return _with_scores(settings)


class _Settings(Nested):
    """Changed rules; blank and False values are written too."""

    def write(self, value: Mapping[str, Any]) -> Object:
        written: Object = {}
        for key in file_keys(ChangedRules):
            values = tuple(value.get(name) for name in key.names)
            if key.keys[0] == "bye" and key.name in value:
                written.setdefault("bye", {})
            is_other = key.name in {"game", "game_results"} and (key.name == "game") == bool(
                value.get("game_results")
            )
            if values[0] is not None and not is_other:
                set_path(written, key.keys, key.kind.write(values if len(values) > 1 else values[0]))
        return written


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideEntry(FileObject):
    """A manual change to what the system gives; a check requires the keys of its kind."""

    conditions: ClassVar[Mapping[str, Schema]] = {
        "": {
            "allOf": [
                _needing("pairing", round={}, table={}),
                _needing("value", competitor={}, criterion={"minLength": 1}, levels=_SOME),
                _needing("place", competitor={}, place={}),
                _needing("criteria", criteria=_SOME),
                _needing("rules", **{"from": {"minProperties": 1}, "to": {"minProperties": 1}}),
                _needing("undo", undoes={}),
                _needing("rewind", round={}),
                {
                    "if": {"properties": {"kind": {"enum": ["rules", "undo"]}}},
                    "else": {"properties": {"moved": _EMPTY_LIST}},
                },
            ]
        }
    }

    number: Annotated[int, KeyPath("id"), NUMBER, "A number of its own, by which another can undo it."]
    kind: Annotated[str, Choice.of(OverrideKind), "What is changed by hand."]
    round: Annotated[int | None, NUMBER, "The round of the pairing, or the one gone back before."] = None
    table: Annotated[int | None, NUMBER, "The table of the pairing."] = None
    competitor: Annotated[int | None, NUMBER, "The number of the competitor."] = None
    criterion: Annotated[str, _CODE, "The code of the criterion whose value is set."] = ""
    levels: Annotated[tuple[str, ...], Texts(Text(40)), "Exact figures as text: 372.5, 6/4."] = ()
    place: Annotated[int | None, NUMBER, "The place that is given."] = None
    criteria: Annotated[tuple[str, ...], Texts(_CODE), "The list of criteria instead of the system's."] = ()
    rules_from: Annotated[
        dict[str, Any], KeyPath("from"), _Settings(ChangedRules), "The rules before, as far as they differ."
    ] = field(default_factory=dict)
    rules_to: Annotated[
        dict[str, Any], KeyPath("to"), _Settings(ChangedRules), "The rules after, with the same keys."
    ] = field(default_factory=dict)
    undoes: Annotated[int | None, NUMBER, "The id of another override."] = None
    was: Annotated[str, Text(200), "What stood there before, in words."] = ""
    after: Annotated[int | None, Whole(0), "The round in which it begins."] = None
    reason: Annotated[str, _REASON, "Why, in words that readers see."]
    by: Annotated[str, _BY, "Who decided."]
    at: Annotated[datetime, _AT, "When it was decided."]
    moved: Annotated[tuple[tuple[int, int | None, int | None], ...], Moved(), "Whom it moved."] = ()
    pinned: bool = field(default=False, compare=False)  # the file left out `after`


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeEntry(FileObject):
    """An entry of the public change log."""

    round: Annotated[int, NUMBER, "The round of the result."]
    table: Annotated[int, NUMBER, "The table of the result."]
    was: Annotated[str, _RESULT, "The result before."]
    now: Annotated[str, _RESULT, "The result after."]
    reason: Annotated[str, _REASON, "Why, in words that readers see."]
    by: Annotated[str, _BY, "Who changed it."]
    at: Annotated[datetime, _AT, "When it was changed."]
    moved: Annotated[tuple[tuple[int, int | None, int | None], ...], Moved(), "Whom it moved."] = ()
    paired: Annotated[
        tuple[int, ...],
        RoundNumbers(),
        "The published rounds that had been paired from the result before.",
    ] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AcknowledgementEntry(FileObject):
    """A warning that somebody looked at and accepts."""

    finding: Annotated[str, Text(60, filled=True), "The code of the warning."]
    round: Annotated[int | None, NUMBER, "The round that it is about."] = None
    table: Annotated[int | None, NUMBER, "The table that it is about."] = None
    reason: Annotated[str, _REASON, "Why it is accepted."]
    by: Annotated[str, _BY, "Who accepted it."]
    at: Annotated[datetime, _AT, "When it was accepted."]


PublishedOrder = Annotated[
    list[list[int]],
    Order(),
    "Numbers of competitors by place, those who share one together; it may end early.",
]
Columns = dict[str, dict[str, str]]
_FIGURES, _LABELLED = Keyed(Figure()), "Label as printed → competitor number → figure."


class PublishedTable(TypedDict, total=False):
    """The standings after a round as the source printed them."""

    order: PublishedOrder
    columns: Annotated[Columns, Keyed(_FIGURES, by_label=True), _LABELLED]
    source: Annotated[str, _SOURCE, "Where it was printed."]


class KnownDifference(TypedDict):
    """A difference between published and computed standings that is understood."""

    what: Annotated[str, _NAME, "The label of the column, or `order`."]
    competitors: Annotated[list[int], NumberList(), "The numbers of those concerned."]
    why: Annotated[str, _REASON, "How the difference came about."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedEntry(FileObject):
    """The standings as the source printed them: plain data in the form of the model's JSON fields.

    `publisher`: printed them, at `source`. `taken`: the day on which they were copied.
    """

    is_spread: ClassVar = True

    order: PublishedOrder = field(default_factory=list)
    columns: Annotated[Columns, Keyed(_FIGURES, by_label=True, is_spread=True), _LABELLED] = field(
        default_factory=dict
    )
    after_round: Annotated[
        dict[str, PublishedTable],
        Keyed(Nested(PublishedTable), is_spread=True),
        "By the number of the round.",
    ] = field(default_factory=dict)
    publisher: Annotated[str, Text(200), "Who printed them."] = ""
    source: Annotated[str, _SOURCE, "Where they were printed."] = ""
    taken: Annotated[str, Day(), "The day on which they were taken from the source."] = ""
    known: Annotated[
        list[KnownDifference], NestedList(KnownDifference), "Differences from ours that are understood."
    ] = field(default_factory=list)

    @classmethod
    def from_file(cls, values: Object) -> "PublishedEntry | None":
        found = cls(**values | {"known": list(values.get("known", ()))})
        return None if found == cls() else found


def _of_all_pairings(keys: Schema) -> Schema:
    pairings = {"pairings": {"items": {"properties": keys}}}
    return {"properties": {"rounds": {"items": {"properties": pairings}}}}


@dataclass(frozen=True, slots=True)
class Document(FileObject):
    """One event, whole."""

    is_spread: ClassVar = True
    conditions: ClassVar[Mapping[str, Schema]] = {
        "": {
            "if": {"properties": {"event": {"properties": {"entrants": {"const": Entrants.TEAMS}}}}},
            "then": _of_all_pairings({"games_played": False}),
            "else": {
                "properties": {
                    "competitors": {"items": {"properties": {"players": _EMPTY_LIST}}},
                    **_of_all_pairings({"match_points": False, "games": _EMPTY_LIST})["properties"],
                }
            },
        }
    }
    further: ClassVar[Mapping[str, FurtherKeys]] = {
        "": {
            "format": (Constant(FORMAT), "By this an event file is known."),
            "version": (Constant(VERSION), "The version of the format, a whole number."),
        }
    }

    event: Annotated[EventEntry, Nested(EventEntry), "The event itself, and the rules by which it is ranked."]
    competitors: Annotated[
        tuple[CompetitorEntry, ...], NestedList(CompetitorEntry, required=True), "Who takes part."
    ] = ()
    rounds: Annotated[
        tuple[RoundEntry, ...],
        NestedList(RoundEntry, required=True),
        "The rounds that are paired, with their results.",
    ] = ()
    overrides: Annotated[tuple[OverrideEntry, ...], NestedList(OverrideEntry), "What was ruled by hand."] = ()
    changes: Annotated[
        tuple[ChangeEntry, ...], NestedList(ChangeEntry), "The public log of results that were corrected."
    ] = ()
    acknowledged: Annotated[
        tuple[AcknowledgementEntry, ...],
        NestedList(AcknowledgementEntry),
        "Warnings that somebody looked at and accepts.",
    ] = ()
    published: Annotated[
        PublishedEntry | None, Nested(PublishedEntry), "The standings as the source printed them."
    ] = None

    @classmethod
    def from_file(cls, values: Object) -> "Document":
        return cls(**{name: value for name, value in values.items() if name not in {"format", "version"}})

    def in_file(self) -> Mapping[str, Any]:
        return {"format": FORMAT, "version": VERSION}

    def pairings(self) -> Iterator[tuple[int, PairingEntry]]:
        return ((each.number, pairing) for each in self.rounds for pairing in each.pairings)

    def pairing_numbers(self, round_number: int | None = None) -> dict[int, int]:
        """Return the pairing numbers by start number, of today or those from which a round was paired."""
        of_round = next((each.pairing_numbers for each in self.rounds if each.number == round_number), {})
        return {each.number: of_round.get(str(each.number), each.paired_as) for each in self.competitors}

    def without_result(self) -> Iterator[tuple[int, PairingEntry]]:
        """Return the pairings that need a result, by round: a withdrawal decides games of a round robin."""
        last = {each.number: each.withdrawn_after for each in self.competitors if self.event.is_round_robin}
        for number, pairing in self.pairings():
            ends = (last.get(each) for each in pairing.numbers)
            if pairing.kind == "pending" and not any(end is not None and end < number for end in ends):
                yield number, pairing

    def without_drafts(self) -> "Document":
        """Return the document without draft rounds and without the warnings accepted in them."""
        drafts = {each.number for each in self.rounds if each.is_draft}
        if not drafts:
            return self
        return replace(
            self,
            rounds=tuple(each for each in self.rounds if each.number not in drafts),
            acknowledged=tuple(each for each in self.acknowledged if each.round not in drafts),
        )


def player_order(player: PlayerEntry) -> tuple[bool, int, str, int]:
    """Return the sort key of the board order: players without a board last, by name and id."""
    return player.board is None, player.board or 0, player.name, player.fide_id or 0


def own_flag(code: str, flag: str) -> str:
    """Return the flag; blank if it equals the code without trailing digits."""
    return "" if flag == code.rstrip("0123456789") else flag
