"""Line-ups that captains send by a link: asked for by the desk, kept beside the record until it takes them.

A link is of one team in one round. It works while the round is published, the event live and the time not
over; nothing that comes by it becomes a line-up by itself: somebody at the desk looks at it and saves it.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from tournaments.event.choices import PairingSide
from tournaments.models import CaptainLink, Competitor, Event, LineupCall, LineupSent, Pairing, Round
from tournaments.recording.boardorders import Order, TeamRoster
from tournaments.recording.playersentry import refuse_flood
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.turns import in_turn, name_of

MOST_OF_A_TEAM = 20
"""How often a team may send for one round: a line-up, and changes of it."""

MOST_A_MINUTE = 60
"""How many line-ups come from one network in a minute at most."""

LONGEST_TIME = timedelta(days=14)
BYTES_OF_A_KEY = 12


@dataclass(frozen=True, slots=True)
class CaptainsMatch:
    """The match that a captain's link is for, seen from that team's side."""

    link: CaptainLink
    match: Pairing
    call: LineupCall

    @property
    def event(self) -> Event:
        """Return the event."""
        return self.link.round.event

    @property
    def side(self) -> str:
        """Return the side of the team."""
        return PairingSide.FIRST if self.match.first_id == self.link.team_id else PairingSide.SECOND

    @property
    def opponent(self) -> Competitor:
        """Return the other team."""
        other = self.match.second if self.side == PairingSide.FIRST else self.match.first
        assert other is not None  # noqa: S101 - `match_of` finds matches of two only
        return other


# --- at the desk ------------------------------------------------------------------------------------------


def call_of(round_: Round) -> LineupCall | None:
    """Return the time until which captains may send, None where they were not asked; one query."""
    return LineupCall.objects.select_related("by").filter(round=round_).first()


def call_lineups(round_: Round, due: datetime, seen: str, by: User) -> LineupCall:
    """Ask the captains of a round for line-ups until `due`, or change the time; every team gets its link.

    Conflict where somebody has changed the time since it was shown as `seen` (ISO, blank for none).
    Refused for a round that is not open, an event that is not live, and a time that is over or too far ahead.
    """
    with in_turn(round_.event) as event:
        now = _open(event, round_)
        _refuse_hidden(event)
        if not timezone.now() < due <= timezone.now() + LONGEST_TIME:
            raise Refused(_("Give the captains some time: from a minute to fourteen days."))
        return _set_due(now, due, seen, by)


def end_call(round_: Round, seen: str, by: User) -> LineupCall:
    """End the time for line-ups now; Conflict as for a change of it."""
    with in_turn(round_.event) as event:
        return _set_due(_open(event, round_), timezone.now(), seen, by)


def renew_link(round_: Round, team: int, by: User) -> CaptainLink:
    """Revoke the link of a team, given by its key, and make another; what came by the old one stays."""
    with in_turn(round_.event) as event:
        now = _open(event, round_)
        _refuse_hidden(event)
        if team not in _teams(now):
            raise Refused(_("This team has no match in round %(round)s.") % {"round": now.number})
        _revoke(now, team)
        return _new_link(now, team, by)


def revoke_link(round_: Round, team: int) -> None:
    """Revoke the link of a team, given by its key; nothing where it has none."""
    with in_turn(round_.event) as event:
        _revoke(_open(event, round_), team)


def links_in(round_: Round) -> dict[int, CaptainLink]:
    """Return the links of a round that work, by the key of the team; one query."""
    links = CaptainLink.objects.filter(round=round_, revoked=None).select_related("team")
    return {link.team_id: link for link in links}


def lineups_sent_in(round_: Round, matches: list[Pairing]) -> Mapping[int, LineupSent]:
    """Return the last line-up of each team against its opponent of now, by the team's key; one query."""
    opponents = {match.first_id: match.second_id for match in matches}
    opponents |= {match.second_id: match.first_id for match in matches if match.second_id}
    rows = LineupSent.objects.filter(round=round_).order_by("number")
    return {row.team_id: row for row in rows if opponents.get(row.team_id) == row.opponent_id}


def matches_of(round_: Round) -> list[Pairing]:
    """Return the matches of a round by table; one query."""
    matches = round_.pairings.filter(second__isnull=False).select_related("first", "second")
    return list(matches.order_by("table"))


def _set_due(round_: Round, due: datetime, seen: str, by: User) -> LineupCall:
    call = call_of(round_)
    if (call.due.isoformat() if call else "") != seen:
        raise Conflict(0, name_of(call.by) if call and call.by else "")
    call = call or LineupCall(round=round_)
    call.due, call.by, call.at = due, by, timezone.now()
    call.save()
    links = links_in(round_)
    for team in _teams(round_):
        if team not in links:
            _new_link(round_, team, by)
    return call


def _teams(round_: Round) -> list[int]:
    return [key for match in matches_of(round_) for key in (match.first_id, match.second_id) if key]


def _new_link(round_: Round, team: int, by: User) -> CaptainLink:
    key = secrets.token_urlsafe(BYTES_OF_A_KEY)
    return CaptainLink.objects.create(round=round_, team_id=team, key=key, by=by)


def _revoke(round_: Round, team: int) -> None:
    CaptainLink.objects.filter(round=round_, team=team, revoked=None).update(revoked=timezone.now())


def why_no_link_works(event: Event) -> str:
    """Return why no captain can open a link of the event, in a sentence; blank if they can."""
    return "" if event.state == Event.State.LIVE else _("The event is not live, so no link works.")


def _refuse_hidden(event: Event) -> None:
    if why := why_no_link_works(event):
        raise Refused(why)


def _open(event: Event, round_: Round) -> Round:
    now = event.rounds.filter(pk=round_.pk, state=Round.State.PUBLISHED).first()
    if now is None or not event.is_team:
        raise Refused(_("Captains send line-ups of a published round of a team event."))
    now.event = event
    return now


# --- by a link --------------------------------------------------------------------------------------------


def match_of(link: int, key: str) -> CaptainsMatch | None:
    """Return the match that a link is for; None where it does not work (any more). Two queries at most."""
    links = CaptainLink.objects.select_related("round__event", "round__lineup_call", "team")
    found = links.filter(pk=link, revoked=None).first()
    if found is None or not constant_time_compare(found.key, key):
        return None
    round_, call = found.round, getattr(found.round, "lineup_call", None)
    is_open = round_.state == Round.State.PUBLISHED and round_.event.state == Event.State.LIVE
    if not is_open or call is None or call.due <= timezone.now():
        return None
    matches = round_.pairings.filter(Q(first=found.team) | Q(second=found.team), second__isnull=False)
    match = matches.select_related("first", "second").first()
    return CaptainsMatch(found, match, call) if match else None


def last_sent_by(match: CaptainsMatch) -> LineupSent | None:
    """Return the line-up that a team sent last for its match; one query."""
    rows = LineupSent.objects.filter(round=match.link.round, team=match.link.team, opponent=match.opponent)
    return rows.order_by("number").last()


def send_lineup(
    match: CaptainsMatch, roster: TeamRoster, order: Order, seen: int, network: str
) -> LineupSent:
    """Keep the line-up that a captain sends, for the desk to see; the same again is the one that is there.

    `seen` is the number of the last one shown, 0 for none. Refused where it cannot be, or the team has sent
    often enough or meanwhile; TooMany where too much comes from that network.
    """
    fault = roster.fault(order) or roster.out_of_order(match.event, order)
    if fault:
        raise Refused(fault)
    if not any(order):
        raise Refused(_("Nobody is named yet. Choose who plays."))
    before = last_sent_by(match)
    if before and tuple(before.players) == order:
        return before
    if seen != (before.number if before else 0):
        raise Refused(_("Your team has sent another line-up meanwhile. Look at it, then send yours."))
    refuse_flood(LineupSent.objects.filter(network=network), MOST_A_MINUTE)
    number = LineupSent.objects.filter(round=match.link.round, team=match.link.team).count() + 1
    if number > MOST_OF_A_TEAM:
        raise Refused(_("This has been changed often enough. Tell the arbiter your line-up."))
    try:
        with transaction.atomic():
            return LineupSent.objects.create(
                round=match.link.round,
                team=match.link.team,
                opponent=match.opponent,
                number=number,
                players=list(order),
                network=network,
            )
    except IntegrityError as twice:
        raise Refused(_("Two line-ups came at once. Look at what was sent, then send yours.")) from twice
