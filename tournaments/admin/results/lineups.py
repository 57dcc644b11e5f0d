"""Line-ups: of a match, and of all matches of a round, where the order of each team is typed as `1245`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.fields import pasted_block
from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.event.choices import PairingSide, is_settled
from tournaments.event.finding import Finding
from tournaments.event.numbers import whole_number
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Competitor, Event, Game, LineupSent, Pairing, Round
from tournaments.recording.events.rulings import findings_in
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.storing import white_at
from tournaments.recording.teams.board_orders import Order, TeamRoster, last_orders, team_rosters
from tournaments.recording.teams.from_captains import call_of, lineups_sent_in, matches_by_table
from tournaments.recording.teams.lineups import BoardSeats, line_up
from tournaments.recording.teams.match_scores import has_result

ROSTER, LAST, SENT = "roster", "last", "sent"
"""Sources of an order that is not stored yet."""

ORDER = "order-"
"""Prefix of field names."""

LABELLED = re.compile(r"(?P<team>[^:;\t]++)[:;\t]\s*+(?P<order>.+)")
"""A line of pasted text: team, then order."""


@dataclass(frozen=True, slots=True)
class TeamField:
    """The field of a team: text, players and source.

    `orders`: texts by source, which keys insert. `fault`: what is wrong with the text. `may_stand`: the fault
    is only the board order, which the user can confirm.
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
    """The fields of a match. `seen`: versions of its boards. `fault`: why the match was not saved."""

    match: Pairing
    seen: str
    sides: tuple[TeamField, TeamField]
    fault: str = ""

    @property
    def has_fault(self) -> bool:
        return bool(self.fault) or any(side.fault for side in self.sides)


class LineupScreen:
    """The matches of a round and their line-ups; six queries."""

    def __init__(self, round_: Round, source: str) -> None:
        self.round, self.event = round_, round_.event
        self.boards = self.event.boards or 0
        self.matches = matches_by_table(round_)
        teams = [key for match in self.matches for key in (match.first_id, match.second_id) if key]
        self.rosters = team_rosters(self.event, teams)
        self.last = last_orders(round_, self.boards)
        self.call = call_of(round_)
        self.is_over = self.call is not None and self.call.due <= timezone.now()
        self.sent = lineups_sent_in(round_, self.matches)
        self.games: dict[int, dict[int, Game]] = {match.pk: {} for match in self.matches}
        for game in Game.objects.filter(pairing__in=self.matches):
            self.games[game.pairing_id][game.board] = game
        # Line-ups from captains are secret until the deadline, and saving would publish them.
        self.source = source or (SENT if self.is_over else ROSTER)

    def fields(self, typed: Mapping[str, str] | None = None) -> list[MatchFields]:
        """Return the fields of all matches: as stored, as proposed, or as typed."""
        sides = ((self._team_field(each, side, typed or {}) for side in PairingSide) for each in self.matches)
        return [
            MatchFields(each, self._versions(each), (first, second))
            for each, (first, second) in zip(self.matches, sides, strict=True)
        ]

    def seats(self, fields: MatchFields, orders: tuple[Order, Order], seen: str) -> Iterator[BoardSeats]:
        versions = [whole_number(each) or 0 for each in seen.split()]
        games = self.games[fields.match.pk]
        for board, first, second in zip(range(1, self.boards + 1), *orders, strict=True):
            white = games[board].white if board in games else white_at(board)
            version = versions[board - 1] if board <= len(versions) else 0
            yield BoardSeats(board, version, first, second, white)

    def read(self, field: TeamField, *, is_confirmed: bool) -> tuple[TeamField, Order]:
        read = field.roster.read(field.text, self.boards)
        if read.fault:
            return replace(field, fault=read.fault, names=[]), read.order
        against = field.roster.out_of_order(self.event, read.order)
        # A stored order was confirmed when it was saved.
        is_confirmed = is_confirmed or read.order == self._stored_order(field)
        fault = "" if is_confirmed else against
        return replace(field, fault=fault, may_stand=bool(against)), read.order

    def _team_field(self, match: Pairing, side: str, typed: Mapping[str, str]) -> TeamField:
        team = match.first if side == PairingSide.FIRST else match.second
        assert team is not None  # noqa: S101 - `matches_of` finds matches of two
        roster, name = self.rosters[team.pk], f"{match.pk}-{side}"
        sent = self.sent.get(team.pk)
        orders = {ROSTER: roster.default(self.boards), LAST: self.last.get(team.pk, ())}
        orders[SENT] = tuple(sent.players) if sent else ()
        stored = self._order_of(match, side)
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

    def _order_of(self, match: Pairing, side: str) -> Order:
        games = self.games[match.pk]
        return tuple(
            getattr(games[board], f"{side}_player_id") if board in games else None
            for board in range(1, self.boards + 1)
        )

    def _stored_order(self, field: TeamField) -> Order:
        key, _dash, side = field.name.partition("-")
        return self._order_of(next(each for each in self.matches if str(each.pk) == key), side)

    def _versions(self, match: Pairing) -> str:
        games = self.games[match.pk]
        return " ".join(
            str(games[board].version if board in games else 0) for board in range(1, self.boards + 1)
        )


@desk_view()
def lineups(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the fields. A POST saves each match with correct line-ups and shows the others again."""
    round_ = round_of(event, number)
    screen = LineupScreen(round_, request.GET.get("from", ""))
    fields, faults = screen.fields(), list[str]()
    absent = {whole_number(key) or 0 for key in request.POST.getlist("absent")}
    if "fill" in request.POST:
        typed = _typed_orders(request)
        orders = {
            side.name: side.roster.text(side.roster.without(read.order, absent))
            for match in screen.fields(typed)
            for side in match.sides
            if absent & side.roster.by_key.keys()
            and not (read := side.roster.read(side.text, screen.boards)).fault
        }
        fields = screen.fields(typed | orders)
    elif "read" in request.POST:
        typed, faults = _read_block(screen, pasted_block(request, "block"))
        fields = [_checked_fields(screen, each) for each in screen.fields(typed)]
    elif request.method == "POST":
        results = [_save_match(request, screen, each) for each in screen.fields(_typed_orders(request))]
        if count := sum(is_saved for _fields, is_saved in results):
            text = ngettext("%(count)s match is saved.", "%(count)s matches are saved.", count)
            messages.success(request, text % {"count": count})
        fields = [each for each, _is_saved in results]
        if not any(each.has_fault for each in fields):
            return redirect("admin:results", event.pk, number)
        # Saving has raised the versions of the boards of the other matches.
        saved = {each.match.pk: each for each in LineupScreen(round_, screen.source).fields()}
        fields = [each if each.has_fault else saved.get(each.match.pk, each) for each in fields]
    return page(
        request,
        event,
        "results_lineups",
        _("Line-ups of round %(round)s") % {"round": number},
        _("The players of each board, for all matches. Fields that you do not change keep their value."),
        **of_round(round_, reason=request.POST.get("reason", "")),
        matches=fields,
        absent=absent,
        boards=screen.boards,
        faults=faults,
        block=request.POST.get("block", "") if faults else "",
        call=screen.call,
        is_over=screen.is_over,
        source=screen.source,
    )


def _typed_orders(request: HttpRequest) -> dict[str, str]:
    names = [name for name in request.POST if name.startswith(ORDER)]
    return {name.removeprefix(ORDER): request.POST[name] for name in names}


def _save_match(request: HttpRequest, screen: LineupScreen, fields: MatchFields) -> tuple[MatchFields, bool]:
    posted, match = request.POST, fields.match
    (first, first_order), (second, second_order) = (
        screen.read(side, is_confirmed=f"anyway-{side.name}" in posted) for side in fields.sides
    )
    checked = replace(fields, sides=(first, second))
    seen = posted.get(f"seen-{match.pk}")
    # A match that was paired after the form was opened is not in the form.
    if seen is None or checked.has_fault:
        return checked, False
    match.round = screen.round
    boards = list(screen.seats(fields, (first_order, second_order), seen))
    try:
        return checked, bool(line_up(match, boards, who(request), posted.get("reason", "")))
    except (Refused, Conflict) as fault:
        return replace(checked, fault=str(fault)), False


def _checked_fields(screen: LineupScreen, fields: MatchFields) -> MatchFields:
    first, second = (screen.read(side, is_confirmed=False)[0] for side in fields.sides)
    return replace(fields, sides=(first, second))


def _read_block(screen: LineupScreen, block: str) -> tuple[dict[str, str], list[str]]:
    """Return the pasted orders by field name, and errors of the lines that were not understood."""
    fields: dict[str, TeamField] = {}
    for each in (side for match in screen.fields() for side in match.sides):
        for name in (str(each.team.number), each.team.code.casefold(), each.team.name.casefold()):
            fields.setdefault(name, each)  # the first team with a name has it
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


@desk_view()
def lineup(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    round_ = round_of(event, number)
    if not event.is_team:
        raise Http404
    matches = round_.pairings.select_related("first", "second")
    match = get_object_or_404(matches, table=table, second__isnull=False)
    match.round = round_
    rosters = list(team_rosters(event, [match.first_id, match.second_id or 0]).values())
    refusal, typed = "", None
    if request.method == "POST":
        boards = typed = list(_posted_boards(event, request))
        reason = request.POST.get("reason", "")
        refusal = refusal_of(lambda: line_up(match, boards, who(request), reason))
        if not refusal:
            messages.success(request, _("The line-up is saved."))
            # A wrong board order is best noticed while the captains are present.
            for each in _match_findings(round_, table):
                messages.warning(request, each.message)
            return redirect(reverse("admin:results", args=[event.pk, number]) + f"#result-{table}")
    return page(
        request,
        event,
        "results_lineup",
        _("Line-up of %(first)s against %(second)s") % {"first": match.first.name, "second": match.second},
        _("The players of each board, and who has White. Results do not change."),
        **of_round(round_, refusal=refusal, reason=request.POST.get("reason", "")),
        match=match,
        findings=_match_findings(round_, table),
        seats=list(_board_fields(event, match, typed, rosters)),
        rosters=[roster.players for roster in rosters],
    )


def _match_findings(round_: Round, table: int) -> list[Finding]:
    return [each for each in findings_in(round_) if each.table == table]


def _posted_boards(event: Event, request: HttpRequest) -> Iterator[BoardSeats]:
    for board in range(1, (event.boards or 0) + 1):
        values = {
            name: request.POST.get(f"{name}-{board}", "") for name in ("seen", "first", "second", "white")
        }
        first, second = (whole_number(values[side]) for side in ("first", "second"))
        yield BoardSeats(board, whole_number(values["seen"]) or 0, first, second, values["white"])


def _board_fields(
    event: Event, match: Pairing, typed: list[BoardSeats] | None, rosters: list[TeamRoster]
) -> Iterator[dict[str, Any]]:
    """Yield the boards. `note`: a text about the stored players, if they differ from the chosen ones."""
    games = {game.board: game for game in match.games.select_related("first_player", "second_player")}
    boards = event.boards or 0
    defaults = [roster.default(boards) for roster in rosters]
    # Once a match is played, a player who is not stored is unknown.
    is_played = has_result(match) or is_settled(event.state, match.round.state)
    for at, side in enumerate(("first_player", "second_player")):
        if is_played or any(getattr(game, side) for game in games.values()):
            defaults[at] = (None,) * boards
    for number, first, second in zip(range(1, boards + 1), *defaults, strict=True):
        game = games.get(number)
        stored, result = BoardSeats(number, 0, None, None, white_at(number)), ""
        if game:
            players = game.first_player_id, game.second_player_id
            stored = BoardSeats(number, game.version, *players, game.white)
            result = recorded_text(event, game)
        proposed = replace(stored, first=stored.first or first, second=stored.second or second)
        typed_seats = next((each for each in typed or [] if each.board == number), proposed)
        # With the current version: the form shows typed and stored players, so saving again is deliberate.
        chosen = BoardSeats(number, stored.seen, typed_seats.first, typed_seats.second, typed_seats.white)
        note = "" if chosen == stored else _("Not saved yet.")
        if note and game and typed:
            names = {side: getattr(game, f"{side}_player") or _("no name") for side in PairingSide.values}
            note = _("Stored now: %(first)s against %(second)s.") % names
        yield {"chosen": chosen, "result": result, "note": note}
