"""The line-ups of all matches of a round on one screen: a field a team, its order typed as `1245`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.fields import pasted_block
from tournaments.admin.frame import of_round, page, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.event.choices import PairingSide
from tournaments.event.numbers import whole_number
from tournaments.models import Competitor, Event, Game, LineupSent, Pairing, Round
from tournaments.recording.boardorders import Order, TeamRoster, last_orders, rosters_of
from tournaments.recording.captains import call_of, lineups_sent_in, matches_of
from tournaments.recording.lineups import BoardSeats, line_up
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results import white_at

ROSTER, LAST, SENT = "roster", "last", "sent"
"""Where an order is taken from that is not stored yet."""

ORDER = "order-"
"""How the names of the fields begin."""

LABELLED = re.compile(r"(?P<team>[^:;\t]++)[:;\t]\s*+(?P<order>.+)")
"""A line of a pasted block: a team, and its order."""


@dataclass(frozen=True, slots=True)
class TeamField:
    """The field of one team: its text, the players that it names, and from where it is.

    `orders` are what keys put into it: by the roster, as last round, as sent. `fault` says what is wrong;
    one against the board order alone `may_stand`, where somebody ticks that it is meant.
    """

    name: str
    team: Competitor
    roster: TeamRoster
    text: str
    names: list[str]
    orders: Mapping[str, str]
    sent: LineupSent | None
    is_stored: bool
    fault: str = ""
    may_stand: bool = False


@dataclass(frozen=True, slots=True)
class MatchFields:
    """The fields of a match, under the versions of its boards; `fault` says why it is not saved."""

    match: Pairing
    seen: str
    sides: tuple[TeamField, TeamField]
    fault: str = ""

    @property
    def has_fault(self) -> bool:
        """Say whether something of it is not saved."""
        return bool(self.fault) or any(side.fault for side in self.sides)


class LineupScreen:
    """The matches of a round with what is known of their line-ups, in six queries."""

    def __init__(self, round_: Round, source: str) -> None:
        self.round, self.event = round_, round_.event
        self.boards = self.event.boards or 0
        self.matches = matches_of(round_)
        teams = [key for match in self.matches for key in (match.first_id, match.second_id) if key]
        self.rosters = rosters_of(self.event, teams)
        self.last = last_orders(round_, self.boards)
        self.call = call_of(round_)
        self.is_over = self.call is not None and self.call.due <= timezone.now()
        self.sent = lineups_sent_in(round_, self.matches)
        self.games: dict[int, dict[int, Game]] = {match.pk: {} for match in self.matches}
        for game in Game.objects.filter(pairing__in=self.matches):
            self.games[game.pairing_id][game.board] = game
        # What captains sent is not public before their time is over, and saving would make it so.
        self.source = source or (SENT if self.is_over else ROSTER)

    def fields(self, typed: Mapping[str, str] | None = None) -> list[MatchFields]:
        """Return the fields of all matches: as stored, as proposed, or as typed."""
        return [
            MatchFields(
                match,
                self._seen(match),
                (self._field(match, "first", typed or {}), self._field(match, "second", typed or {})),
            )
            for match in self.matches
        ]

    def seats(self, fields: MatchFields, orders: tuple[Order, Order], seen: str) -> Iterator[BoardSeats]:
        """Yield the boards of a match as they are to be stored, under the versions that were shown."""
        versions = [whole_number(each) or 0 for each in seen.split()]
        games = self.games[fields.match.pk]
        for board, first, second in zip(range(1, self.boards + 1), *orders, strict=True):
            white = games[board].white if board in games else white_at(board)
            version = versions[board - 1] if board <= len(versions) else 0
            yield BoardSeats(board, version, first, second, white)

    def read(self, field: TeamField, *, is_meant: bool) -> tuple[TeamField, Order]:
        """Return a field with what is wrong with its text, and the order that it says."""
        read = field.roster.read(field.text, self.boards)
        if read.fault:
            return replace(field, fault=read.fault, names=[]), read.order
        against = field.roster.out_of_order(self.event, read.order)
        # What was stored in that order was meant then.
        stands = is_meant or read.order == self._stored(field)
        fault = "" if stands else against
        return replace(field, fault=fault, may_stand=bool(against)), read.order

    def _field(self, match: Pairing, side: str, typed: Mapping[str, str]) -> TeamField:
        team = match.first if side == PairingSide.FIRST else match.second
        assert team is not None  # noqa: S101 - `matches_of` finds matches of two
        roster, name = self.rosters[team.pk], f"{match.pk}-{side}"
        sent = self.sent.get(team.pk)
        orders = {ROSTER: roster.default(self.boards), LAST: self.last.get(team.pk, ())}
        orders[SENT] = tuple(sent.players) if sent else ()
        stored = self._order(match, side)
        proposed = orders.get(self.source) or orders[ROSTER]
        text = roster.text(stored) or roster.text(proposed)
        text = typed.get(name, text)
        return TeamField(
            name,
            team,
            roster,
            text,
            roster.names(roster.read(text, self.boards).order),
            {source: roster.text(order) for source, order in orders.items()},
            sent,
            any(stored),
        )

    def _order(self, match: Pairing, side: str) -> Order:
        games = self.games[match.pk]
        return tuple(
            getattr(games[board], f"{side}_player_id") if board in games else None
            for board in range(1, self.boards + 1)
        )

    def _stored(self, field: TeamField) -> Order:
        key, _dash, side = field.name.partition("-")
        return self._order(next(each for each in self.matches if str(each.pk) == key), side)

    def _seen(self, match: Pairing) -> str:
        games = self.games[match.pk]
        return " ".join(
            str(games[board].version if board in games else 0) for board in range(1, self.boards + 1)
        )


@desk_view()
def lineups(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the fields; after a post save each match whose line-ups are right, and show the others again."""
    round_ = round_of(event, number)
    screen = LineupScreen(round_, request.GET.get("from", ""))
    fields, faults = screen.fields(), list[str]()
    if "read" in request.POST:
        typed, faults = _pasted(screen, pasted_block(request, "block"))
        fields = [_checked(screen, each) for each in screen.fields(typed)]
    elif request.method == "POST":
        fields = _save(request, screen)
        if not any(each.has_fault for each in fields):
            return redirect("admin:results", event.pk, number)
    return page(
        request,
        event,
        "results_lineups",
        _("Line-ups of round %(round)s") % {"round": number},
        _("Who plays on which board, all matches at once. What is not typed over stands as it is shown."),
        **of_round(round_, reason=request.POST.get("reason", "")),
        matches=fields,
        faults=faults,
        block=request.POST.get("block", "") if faults else "",
        call=screen.call,
        is_over=screen.is_over,
        source=screen.source,
    )


def _save(request: HttpRequest, screen: LineupScreen) -> list[MatchFields]:
    """Save the matches that can be, each for itself, and return all: those that cannot with their faults."""
    named = [name for name in request.POST if name.startswith(ORDER)]
    typed = {name.removeprefix(ORDER): request.POST[name] for name in named}
    tried = [_save_match(request, screen, each) for each in screen.fields(typed)]
    if saved := sum(is_saved for _fields, is_saved in tried):
        text = ngettext("%(count)s match is saved.", "%(count)s matches are saved.", saved)
        messages.success(request, text % {"count": saved})
    return [fields for fields, _is_saved in tried]


def _save_match(request: HttpRequest, screen: LineupScreen, fields: MatchFields) -> tuple[MatchFields, bool]:
    """Save the line-up of a match; return it with its faults, and whether anything of it was saved."""
    posted, match = request.POST, fields.match
    (first, of_first), (second, of_second) = (
        screen.read(side, is_meant=f"anyway-{side.name}" in posted) for side in fields.sides
    )
    checked = replace(fields, sides=(first, second))
    seen = posted.get(f"seen-{match.pk}")
    # A match that was paired since the form was opened is not in it.
    if seen is None or checked.has_fault:
        return checked, False
    match.round = screen.round
    boards = list(screen.seats(fields, (of_first, of_second), seen))
    try:
        return checked, bool(line_up(match, boards, who(request), posted.get("reason", "")))
    except (Refused, Conflict) as fault:
        return replace(checked, fault=str(fault)), False


def _checked(screen: LineupScreen, fields: MatchFields) -> MatchFields:
    first, second = (screen.read(side, is_meant=False)[0] for side in fields.sides)
    return replace(fields, sides=(first, second))


def _pasted(screen: LineupScreen, block: str) -> tuple[dict[str, str], list[str]]:
    """Return the texts of a pasted block by the names of their fields, and the lines that are none."""
    fields = _fields_by_name(side for match in screen.fields() for side in match.sides)
    typed: dict[str, str] = {}
    faults: list[str] = []
    for number, line in enumerate(block.splitlines(), start=1):
        if not line.strip():
            continue
        found = LABELLED.fullmatch(line.strip())
        field = fields.get(found["team"].strip().casefold()) if found else None
        if found is None or field is None:
            faults.append(
                _("Line %(number)s, “%(text)s”: no team of this round. Write Reds: 1 2 4 5.")
                % {"number": number, "text": line.strip()}
            )
            continue
        typed[field.name] = found["order"]
    return typed, faults


def _fields_by_name(fields: Iterable[TeamField]) -> dict[str, TeamField]:
    """Return the fields by number, code and name of their teams; the first wins."""
    found: dict[str, TeamField] = {}
    for each in fields:
        for name in (str(each.team.number), each.team.code.casefold(), each.team.name.casefold()):
            found.setdefault(name, each)
    return found
