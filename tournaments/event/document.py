"""An event as a tree: the one shape between the event file, the database, the checks and the engine.

It is declared here once. The fields say, in canonical order, what stands in the event file: `declaring`
makes of them what reads and writes it, its JSON Schema and the table of its keys. Every attribute is named
as in the models. Scores are half-points. Everything stands in canonical order: competitors and rounds by
number, pairings by table, games by board, players by `player_order`.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Annotated, Any, ClassVar, TypedDict

from tournaments.event.choices import (
    ALONE,
    BOARD_KINDS,
    DECIDED,
    REQUESTED,
    SCORELESS,
    CellNumber,
    ColumnOrder,
    Entrants,
    EventState,
    Kind,
    OverrideKind,
    PairingSide,
    Places,
    RoundState,
    Schedule,
    Sex,
    TeamsAre,
    WithdrawalAtHalf,
)
from tournaments.event.declaring import At, InFile, Key, Limits, Many, Object, One, keys_of, put
from tournaments.event.numbers import results_of_text, win_draw_loss
from tournaments.event.values import (
    NUMBER,
    POINTS,
    Categories,
    Choice,
    Constant,
    Date,
    Day,
    Fault,
    Figure,
    FileValue,
    FormerSlugs,
    Keyed,
    ListedResults,
    Moment,
    Moved,
    NumberList,
    Order,
    Schema,
    ScoreValue,
    SignedPoints,
    Slug,
    Text,
    Texts,
    Truth,
    UnratedRule,
    Whole,
    WinDrawLoss,
    missing,
)

FORMAT, VERSION = "crosstable-event", 1

LONGEST_CATEGORY = 20

# Kinds of value that stand in several places.
_SLUG, _CODE, _RATING, _ID = Slug(80, filled=True), Text(60), Whole(0), Whole(most=10**17)
_NAME, _WHERE, _TITLE, _SOURCE = Text(120, filled=True), Text(120), Text(8), Text(2000)
_RESULT, _CATEGORIES = Text(200, filled=True), Categories(Text(LONGEST_CATEGORY))
_REASON, _BY, _AT = Text(10_000, filled=True, prose=True), Text(120, filled=True), Moment()
_SIDE, _ROUND_OR_0 = Choice.of(PairingSide), Whole(0)

ScoreSide = Annotated[int | None, At("score"), ScoreValue()]
MatchPointsSide = Annotated[int | None, At("match_points"), ScoreValue()]
GamePoints = Annotated[int, At("scoring", "game"), WinDrawLoss()]
MatchPoints = Annotated[int, At("scoring", "match"), WinDrawLoss()]
Born = Annotated[str, Date(), "A day, or a year alone; the public is told the year."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerEntry(InFile):
    """A member of a team; blank where nothing is known."""

    board: Annotated[int | None, NUMBER] = None
    name: Annotated[str, _NAME]
    title: Annotated[str, _TITLE] = ""
    rating: Annotated[int | None, _RATING] = None
    club: Annotated[str, _WHERE] = ""
    city: Annotated[str, _WHERE] = ""
    sex: Annotated[str, Choice.of(Sex)] = ""
    born: Born = ""
    categories: Annotated[tuple[str, ...], _CATEGORIES, "Such as U20 or W, each once."] = ()
    fide_id: Annotated[int | None, _ID] = None
    fmjd_id: Annotated[int | None, _ID] = None

    @property
    def identity(self) -> int | str:
        """Return the FIDE id, else the name: it tells a player from the others of the team."""
        return self.name if self.fide_id is None else self.fide_id


class PointsAdjustment(TypedDict, total=False):
    """Points that a competitor was given or lost beside his results, as plain data; points are half-points.

    They count in the own score from that round on (0: from the first), and never in what opponents have of
    it; `final` ones in the last standing alone, in no tie-break.
    """

    round: Annotated[int, _ROUND_OR_0, "From this round on; left out: from the first."]
    game: Annotated[int, SignedPoints()]
    match: Annotated[int, SignedPoints()]
    final: Annotated[bool, Truth(), "Counts in the final standing alone, in no tie-break."]
    reason: Annotated[str, Text(200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitorEntry(InFile):
    """A team or a player of the event."""

    number: Annotated[int, NUMBER]
    name: Annotated[str, _NAME]
    code: Annotated[str, _TITLE] = ""
    flag: Annotated[str, Text(3), "Left out where it is the code without its digits."] = ""
    title: Annotated[str, _TITLE] = ""
    rating: Annotated[int | None, _RATING] = None
    rating_class: Annotated[str, Text(1)] = ""
    club: Annotated[str, _WHERE] = ""
    city: Annotated[str, _WHERE] = ""
    sex: Annotated[str, Choice.of(Sex)] = ""
    born: Born = ""
    categories: Annotated[tuple[str, ...], _CATEGORIES, "Such as U20 or W, each once."] = ()
    fide_id: Annotated[int | None, _ID] = None
    fmjd_id: Annotated[int | None, _ID] = None
    outside: Annotated[bool, Truth(), "Plays outside the competition."] = False
    withdrawn_after: Annotated[int | None, _ROUND_OR_0] = None
    requested_byes: Annotated[
        dict[str, str], Keyed(Choice.of(REQUESTED)), "The kind of bye asked for, by the number of its round."
    ] = field(default_factory=dict)
    adjustments: Annotated[
        tuple[PointsAdjustment, ...], Many(PointsAdjustment), "Bonus and penalty points."
    ] = ()
    manual: Annotated[int | None, Whole(-(2**31), 2**31 - 1), "The manual tie-break."] = None
    manual_after: Annotated[int | None, _ROUND_OR_0] = None
    players: Annotated[tuple[PlayerEntry, ...], Many(PlayerEntry)] = ()
    manual_pinned: bool = field(default=False, compare=False)  # the file left `manual_after` out


def _suited_to_kind(raw: Object, *, has_second: bool) -> tuple[list[Fault], Object]:
    """Hold an object to its kind: which has an opponent, and which has scores."""
    kind, faults, suited = raw.get("kind"), list[Fault](), dict(raw)
    known = Kind.values if has_second else BOARD_KINDS
    kind = kind if kind in known else "played"
    for key in ("score", "match_points") if has_second else ("score",):
        if key not in raw:
            continue
        if kind in SCORELESS:
            text = f"A {kind} result has no {key}. Take one of the two out."
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
        faults.append(missing("score"))
    if has_second and kind in ALONE and "second" in raw:
        text = f"A {kind} has no opponent, yet there is a second. Take it out, or correct the kind."
        faults.append(Fault("opponent-of-a-bye", text, ("second",)))
        del suited["second"]
    elif has_second and kind not in ALONE and "second" not in raw:
        faults.append(missing("second"))
    return faults, suited


def _is_kind(kinds: Collection[str], **then: Any) -> Schema:
    """Return a condition of the JSON Schema: what holds for these kinds."""
    known = [kind for kind in Kind.values if kind in kinds]
    needed = {} if "played" in kinds else {"required": ["kind"]}  # which is the kind where none is written
    return {"if": {**needed, "properties": {"kind": {"enum": known}}}, "then": then}


_TWO_SIDES: Schema = {"prefixItems": [True, POINTS.schema()]}
_ONE_SIDE: Schema = {"prefixItems": [True, {"type": "null"}]}


def _scores_of(entry: "PairingEntry | GameEntry") -> Any:
    """Return both scores as the file has them, None where it has none."""
    if entry.kind in SCORELESS or (entry.kind in {"zero-bye", "absent"} and not entry.first_score):
        return None
    return [POINTS.write(entry.first_score), POINTS.write(entry.second_score)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEntry(InFile):
    """One board of a match; the players are members of the two teams, None where the source names nobody."""

    further: ClassVar[Mapping[str, Mapping[str, FileValue]]] = {
        "board": {"first": _WHERE, "second": _WHERE, "first_fide_id": _ID, "second_fide_id": _ID}
    }
    limits: ClassVar[Mapping[str, Limits]] = {"": partial(_suited_to_kind, has_second=False)}
    conditions: ClassVar[Mapping[str, Schema]] = {
        "": {
            "allOf": [
                _is_kind(DECIDED, required=["score"], properties={"score": _TWO_SIDES}),
                _is_kind(SCORELESS, properties={"score": False}),
            ]
        }
    }

    board: Annotated[int, NUMBER]
    first_player: PlayerEntry | None = None
    second_player: PlayerEntry | None = None
    white: Annotated[str, _SIDE] = ""
    first_score: ScoreSide = None
    second_score: ScoreSide = None
    kind: Annotated[str, Choice.of(BOARD_KINDS)] = "played"
    advantage: Annotated[str, _SIDE, "Who drew with an advantage: 1+ in draughts."] = ""
    games_played: Annotated[int | None, NUMBER, "Of a micro-match."] = None

    @classmethod
    def from_file(cls, values: Object) -> "GameEntry":
        """Return the game with its players as it names them; a blank name where only the id is given."""
        for side in ("first", "second"):
            name, number = values.pop(side, ""), values.pop(f"{side}_fide_id", None)
            if name or number is not None:
                values[f"{side}_player"] = PlayerEntry(name=name, fide_id=number)
        return cls(**values)

    def in_file(self) -> Mapping[str, Any]:
        """Return the names and ids of the players, and the score."""
        first, second = self.first_player, self.second_player
        return {
            "first": first and first.name,
            "second": second and second.name,
            "first_fide_id": first and first.fide_id,
            "second_fide_id": second and second.fide_id,
            "score": _scores_of(self),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingEntry(InFile):
    """Two competitors in a round, or one without an opponent. `first` and `second` are competitor numbers."""

    limits: ClassVar[Mapping[str, Limits]] = {"": partial(_suited_to_kind, has_second=True)}
    conditions: ClassVar[Mapping[str, Schema]] = {
        "": {
            "allOf": [
                _is_kind(
                    DECIDED,
                    required=["second", "score"],
                    properties={"score": _TWO_SIDES, "match_points": _TWO_SIDES},
                ),
                _is_kind(SCORELESS, required=["second"], properties={"score": False, "match_points": False}),
                _is_kind(ALONE, properties={"second": False, "score": _ONE_SIDE, "match_points": _ONE_SIDE}),
            ]
        }
    }

    table: Annotated[int, NUMBER]
    first: Annotated[int, NUMBER]
    second: Annotated[int | None, NUMBER] = None
    kind: Annotated[str, Choice.of(Kind)] = "played"
    first_score: ScoreSide = None
    second_score: ScoreSide = None
    first_match_points: MatchPointsSide = None  # both None where they follow from the score
    second_match_points: MatchPointsSide = None
    advantage: Annotated[str, _SIDE, "Who drew with an advantage: 1+ in draughts."] = ""
    games_played: Annotated[int | None, NUMBER, "Of a micro-match."] = None
    games: Annotated[tuple[GameEntry, ...], Many(GameEntry)] = ()
    note: Annotated[str, Text(10_000, prose=True)] = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the competitors that sit here."""
        return (self.first,) if self.second is None else (self.first, self.second)

    def in_file(self) -> Mapping[str, Any]:
        """Return the score, which a file may have where it is the default of a kind."""
        return {"score": _scores_of(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEntry(InFile):
    """One round. In a file it is closed unless it says otherwise."""

    number: Annotated[int, NUMBER]
    date: Annotated[str, Date()] = ""
    state: Annotated[str, Choice.of(RoundState, {"open": "published"}), "`open` is read as `published`."] = (
        "closed"
    )
    pairings: Annotated[tuple[PairingEntry, ...], Many(PairingEntry, required=True)] = ()

    @property
    def is_draft(self) -> bool:
        """Say whether its pairings are still being made."""
        return self.state == "draft"


def _of_scoring(raw: Object) -> tuple[list[Fault], Object]:
    """Refuse what a game scores beside the results that it can have, which count."""
    if "results" not in raw or "game" not in raw:
        return [], raw
    text = "Beside “results” nothing of “game” counts. Keep one of them."
    return [Fault("scoring-twice", text, ("results",))], {
        key: value for key, value in raw.items() if key != "game"
    }


def _of_event_scoring(raw: Object) -> tuple[list[Fault], Object]:
    """Hold the scoring of an event to one of the two."""
    if "results" not in raw and "game" not in raw:
        return [missing("game")], raw
    return _of_scoring(raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventEntry(InFile):
    """The event itself, and the rules by which it is ranked. Points are half-points."""

    is_spread: ClassVar = True
    limits: ClassVar[Mapping[str, Limits]] = {"scoring": _of_event_scoring}
    conditions: ClassVar[Mapping[str, Schema]] = {
        "scoring": {"oneOf": [{"required": ["game"]}, {"required": ["results"]}]}
    }

    slug: Annotated[str, _SLUG]
    former_slugs: Annotated[tuple[str, ...], FormerSlugs(Slug(80))] = ()
    name: Annotated[str, Text(200, filled=True)]
    series: Annotated[str, _WHERE] = ""
    place: Annotated[str, _WHERE] = ""
    country: Annotated[str, Text(3)] = ""
    start: Annotated[str, Date()] = ""
    end: Annotated[str, Date()] = ""
    state: Annotated[str, Choice.of(EventState)] = "final"
    discipline: Annotated[str, Text(30, filled=True)]
    entrants: Annotated[str, Choice.of(Entrants)]
    teams_are: Annotated[str, Choice.of(TeamsAre), "Team events only."] = "nations"
    schedule: Annotated[str, Choice.of(Schedule)]
    planned_rounds: Annotated[int, At("rounds"), Whole(most=1000)]
    boards: Annotated[int | None, Whole(most=1000), "Team events only."] = None
    game_win: GamePoints
    game_draw: GamePoints
    game_loss: GamePoints
    game_results: Annotated[str, At("scoring", "results"), ListedResults()] = ""
    match_win: MatchPoints = 4
    match_draw: MatchPoints = 2
    match_loss: MatchPoints = 0
    system: Annotated[str, Text(40, filled=True)]
    criteria: Annotated[
        tuple[str, ...], Texts(_CODE), "Open systems; frozen ones under an override only."
    ] = ()
    primary: Annotated[str, At("rules", "primary"), Choice(("match", "game"))] = ""
    bye_game: Annotated[int | None, At("rules", "bye", "game"), POINTS] = None
    bye_match: Annotated[int | None, At("rules", "bye", "match"), POINTS] = None
    wins_count_byes: Annotated[bool, At("rules", "wins_count_byes"), Truth()] = False
    withdrawal_at_half: Annotated[str, At("rules", "withdrawal_at_half"), Choice.of(WithdrawalAtHalf)] = (
        "forfeit"
    )
    unplayed: Annotated[str, At("rules", "unplayed"), Text(20)] = ""
    unrated: Annotated[
        str,
        At("rules", "unrated"),
        UnratedRule(),
        "The rating that unrated competitors have in tie-breaks on ratings, or `drop`.",
    ] = ""
    places: Annotated[str, At("display", "places"), Choice.of(Places)] = "blank"
    cell_number: Annotated[str, At("display", "cell_number"), Choice.of(CellNumber)] = "place"
    columns: Annotated[str, At("display", "columns"), Choice.of(ColumnOrder)] = "deciding"
    sources: Annotated[tuple[str, ...], Texts(_SOURCE, is_spread=True)] = ()
    licence: Annotated[str, Text(200)] = ""
    notes: Annotated[str, Text(100_000, prose=True)] = ""
    trf: Annotated[
        tuple[str, ...],
        Texts(Text(20_000), is_spread=True),
        "Lines of a tournament report that nothing else here says (docs/trf.md).",
    ] = ()

    @property
    def is_team(self) -> bool:
        """Say whether the competitors are teams."""
        return self.entrants == "teams"

    @property
    def has_nations(self) -> bool:
        """Say whether a competitor's code is its country's, so that the flag needs no saying."""
        return self.teams_are == "nations"

    @property
    def is_round_robin(self) -> bool:
        """Say whether everybody meets everybody, once or twice."""
        return self.schedule != "swiss"

    @classmethod
    def from_file(cls, values: Object) -> "EventEntry":
        """Return the event; what a bye gives follows from the results where they are listed."""
        return cls(**_with_scores(values))

    def in_file(self) -> Mapping[str, Any]:
        """Return the scoring: of a game in one way, of a match wherever there are some."""
        match = [POINTS.write(each) for each in (self.match_win, self.match_draw, self.match_loss)]
        return {
            **({"scoring.game": None} if self.game_results else {}),
            **({"scoring.match": match} if self.is_team else {}),
        }


def _with_scores(values: Object) -> Object:
    """Return settings with what a game won, drawn and lost gives, where its results are listed."""
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
    """Refuse a number of boards without who plays on them."""
    if "boards" not in raw or "entrants" in raw:
        return [], raw
    return [Fault("missing-key", "The key “entrants” is missing beside the boards. Add it.", ("boards",))], {
        key: value for key, value in raw.items() if key != "boards"
    }


class ChangedRules(InFile):
    """Settings of the event that were changed after the first result; blank: as the system has it.

    They are the event's, at the same keys but for the group `rules`; the document has a dict of them.
    """

    limits: ClassVar[Mapping[str, Limits]] = {"": _of_changed_rules, "scoring": _of_scoring}
    conditions: ClassVar[Mapping[str, Schema]] = {
        "": {
            "description": "Settings that were changed after the first result; blank: as the system has it.",
            "dependentRequired": {"boards": ["entrants"]},
        },
        "scoring": {"not": {"required": ["game", "results"]}},
    }

    @staticmethod
    def declared() -> Iterator[Key]:
        """Yield the keys: those of the event, none of which must be there."""
        for key in keys_of(EventEntry):
            if key.names[0] in _CHANGEABLE:
                kind = Choice(("", "match", "game")) if key.name == "primary" else key.kind
                keys = key.keys[1:] if key.keys[0] == "rules" else key.keys
                default = None if len(key.names) == 1 else (None,) * len(key.names)
                yield replace(key, keys=keys, kind=kind, default=default, description="")

    @classmethod
    def from_file(cls, values: Object) -> Object:
        """Return the settings that are told; who plays and what a bye gives are told whole."""
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


class _Settings(One):
    """Changed rules; what is blank or False is told, too."""

    def write(self, value: Mapping[str, Any]) -> Object:
        written: Object = {}
        for key in keys_of(ChangedRules):
            values = tuple(value.get(name) for name in key.names)
            if key.keys[0] == "bye" and key.name in value:
                written.setdefault("bye", {})
            is_other = key.name in {"game", "game_results"} and (key.name == "game") == bool(
                value.get("game_results")
            )
            if values[0] is not None and not is_other:
                put(written, key.keys, key.kind.write(values if len(values) > 1 else values[0]))
        return written


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideEntry(InFile):
    """A manual change to what the system gives; which keys its kind needs is a check."""

    number: Annotated[int, At("id"), NUMBER]
    kind: Annotated[str, Choice.of(OverrideKind)]
    round: Annotated[int | None, NUMBER] = None
    table: Annotated[int | None, NUMBER] = None
    competitor: Annotated[int | None, NUMBER] = None
    criterion: Annotated[str, _CODE] = ""
    levels: Annotated[tuple[str, ...], Texts(Text(40)), "Exact figures as text: 372.5, 6/4."] = ()
    place: Annotated[int | None, NUMBER] = None
    criteria: Annotated[tuple[str, ...], Texts(_CODE)] = ()
    rules_from: Annotated[dict[str, Any], At("from"), _Settings(ChangedRules)] = field(default_factory=dict)
    rules_to: Annotated[dict[str, Any], At("to"), _Settings(ChangedRules)] = field(default_factory=dict)
    undoes: Annotated[int | None, NUMBER, "The id of another override."] = None
    was: Annotated[str, Text(200)] = ""
    after: Annotated[int | None, Whole(0), "The round in which it begins."] = None
    reason: Annotated[str, _REASON]
    by: Annotated[str, _BY]
    at: Annotated[datetime, _AT]
    moved: Annotated[tuple[tuple[int, int | None, int | None], ...], Moved()] = ()
    pinned: bool = field(default=False, compare=False)  # the file left `after` out


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeEntry(InFile):
    """An entry of the public change log."""

    round: Annotated[int, NUMBER]
    table: Annotated[int, NUMBER]
    was: Annotated[str, _RESULT]
    now: Annotated[str, _RESULT]
    reason: Annotated[str, _REASON]
    by: Annotated[str, _BY]
    at: Annotated[datetime, _AT]
    moved: Annotated[tuple[tuple[int, int | None, int | None], ...], Moved()] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AcknowledgementEntry(InFile):
    """A warning that somebody looked at and accepts."""

    finding: Annotated[str, Text(60, filled=True)]
    round: Annotated[int | None, NUMBER] = None
    table: Annotated[int | None, NUMBER] = None
    reason: Annotated[str, _REASON]
    by: Annotated[str, _BY]
    at: Annotated[datetime, _AT]


PublishedOrder = Annotated[list[list[int]], Order()]
Columns = dict[str, dict[str, str]]
_FIGURES, _LABELLED = Keyed(Figure()), "Label as printed → competitor number → figure."


class PublishedTable(TypedDict, total=False):
    """The standings after a round as the source printed them."""

    order: PublishedOrder
    columns: Annotated[Columns, Keyed(_FIGURES, by_label=True), _LABELLED]
    source: Annotated[str, _SOURCE]


class KnownDifference(TypedDict):
    """A difference between published and computed standings that is understood."""

    what: Annotated[str, _NAME]
    competitors: Annotated[list[int], NumberList()]
    why: Annotated[str, _REASON]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedEntry(InFile):
    """The standings as the source printed them: plain data, shaped as the model's JSON fields are.

    `publisher` printed them, at `source`; `taken` is the day on which they were taken from there.
    """

    is_spread: ClassVar = True

    order: PublishedOrder = field(default_factory=list)
    columns: Annotated[Columns, Keyed(_FIGURES, by_label=True, is_spread=True), _LABELLED] = field(
        default_factory=dict
    )
    after_round: Annotated[
        dict[str, PublishedTable], Keyed(One(PublishedTable), is_spread=True), "By the number of the round."
    ] = field(default_factory=dict)
    publisher: Annotated[str, Text(200)] = ""
    source: Annotated[str, _SOURCE] = ""
    taken: Annotated[str, Day(), "The day on which they were taken from the source."] = ""
    known: Annotated[list[KnownDifference], Many(KnownDifference)] = field(default_factory=list)

    @classmethod
    def from_file(cls, values: Object) -> "PublishedEntry | None":
        """Return the published standings, None where nothing is told of them."""
        found = cls(**values | {"known": list(values.get("known", ()))})
        return None if found == cls() else found


@dataclass(frozen=True, slots=True)
class Document(InFile):
    """One event, whole."""

    is_spread: ClassVar = True
    further: ClassVar[Mapping[str, Mapping[str, FileValue]]] = {
        "": {"format": Constant(FORMAT), "version": Constant(VERSION)}
    }

    event: Annotated[EventEntry, One(EventEntry)]
    competitors: Annotated[tuple[CompetitorEntry, ...], Many(CompetitorEntry, required=True)] = ()
    rounds: Annotated[tuple[RoundEntry, ...], Many(RoundEntry, required=True)] = ()
    overrides: Annotated[tuple[OverrideEntry, ...], Many(OverrideEntry)] = ()
    changes: Annotated[tuple[ChangeEntry, ...], Many(ChangeEntry)] = ()
    acknowledged: Annotated[tuple[AcknowledgementEntry, ...], Many(AcknowledgementEntry)] = ()
    published: Annotated[PublishedEntry | None, One(PublishedEntry)] = None

    @classmethod
    def from_file(cls, values: Object) -> "Document":
        """Return the document without what the file begins with."""
        return cls(**{name: value for name, value in values.items() if name not in {"format", "version"}})

    def in_file(self) -> Mapping[str, Any]:
        """Return what a file begins with."""
        return {"format": FORMAT, "version": VERSION}

    def pairings(self) -> Iterator[tuple[int, PairingEntry]]:
        """Return every pairing with the number of its round."""
        return ((each.number, pairing) for each in self.rounds for pairing in each.pairings)

    def without_drafts(self) -> "Document":
        """Return the document without rounds that are drafts, and without warnings accepted in them."""
        drafts = {each.number for each in self.rounds if each.is_draft}
        if not drafts:
            return self
        return replace(
            self,
            rounds=tuple(each for each in self.rounds if each.number not in drafts),
            acknowledged=tuple(each for each in self.acknowledged if each.round not in drafts),
        )


def player_order(player: PlayerEntry) -> tuple[bool, int, str, int]:
    """Return the key of the board order; those without a board come last, by name and id."""
    return player.board is None, player.board or 0, player.name, player.fide_id or 0


def own_flag(code: str, flag: str) -> str:
    """Return the flag, blank where it is the code without its trailing digits and so needs no saying."""
    return "" if flag == code.rstrip("0123456789") else flag
