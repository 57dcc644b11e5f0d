"""Line-ups that captains send by a link: requested by the desk, pending until the desk accepts them.

A link is for one team in a round. It works while the round is published, the event is live, the match has no
result and the time is not over. A sent line-up takes effect only when a user at the desk saves it.
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
from tournaments.recording.locking import lock_event, name_of_user
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.from_players import refuse_flood
from tournaments.recording.teams.board_orders import Order, TeamRoster
from tournaments.recording.teams.match_scores import has_result

MOST_OF_A_TEAM = 20
"""How many line-ups a team may send for a round, changes included."""

MOST_A_MINUTE = 60
"""How many line-ups a network may send per minute."""

LONGEST_TIME = timedelta(days=14)
BYTES_OF_A_KEY = 12


@dataclass(frozen=True, slots=True)
class CaptainsMatch:
    """The match of a captain's link, from the view of that team."""

    link: CaptainLink
    match: Pairing
    call: LineupCall

    @property
    def event(self) -> Event:
        return self.link.round.event

    @property
    def side(self) -> str:
        return PairingSide.FIRST if self.match.first_id == self.link.team_id else PairingSide.SECOND

    @property
    def opponent(self) -> Competitor:
        other = self.match.second if self.side == PairingSide.FIRST else self.match.first
        assert other is not None  # noqa: S101 - `match_of` returns only matches with two teams
        return other


# --- desk -------------------------------------------------------------------------------------------------


def call_of(round_: Round) -> LineupCall | None:
    """Return the deadline for captains, or None if there is no request. A single query."""
    return LineupCall.objects.select_related("by").filter(round=round_).first()


def call_lineups(round_: Round, due: datetime, seen: str, by: User) -> LineupCall:
    """Request line-ups from the captains of a round until `due`, or change the deadline. Every team gets a
    link.

    Raise Conflict if the deadline is not `seen` (ISO, blank for none). Raise Refused if the round is not
    open, the event is not live, or the deadline is over or too far ahead.
    """
    with lock_event(round_.event) as event:
        now = _published_round(event, round_)
        if why := why_no_links(now):
            raise Refused(why)
        if not timezone.now() < due <= timezone.now() + LONGEST_TIME:
            raise Refused(_("Give the captains some time: from a minute to fourteen days."))
        return _set_due(now, due, seen, by)


def end_call(round_: Round, seen: str, by: User) -> LineupCall:
    """End the time for line-ups now. Raise Conflict as `call_lineups` does."""
    with lock_event(round_.event) as event:
        return _set_due(_published_round(event, round_), timezone.now(), seen, by)


def renew_link(round_: Round, team: int, by: User) -> CaptainLink:
    """Replace the link of a team, given by its key. Line-ups sent by the old link are kept."""
    with lock_event(round_.event) as event:
        now = _published_round(event, round_)
        if why := why_no_links(now):
            raise Refused(why)
        if team not in _team_keys(now):
            raise Refused(_("This team has no match in round %(round)s.") % {"round": now.number})
        _revoke(now, team)
        return _new_link(now, team, by)


def revoke_link(round_: Round, team: int) -> None:
    with lock_event(round_.event) as event:
        _revoke(_published_round(event, round_), team)


def links_in(round_: Round) -> dict[int, CaptainLink]:
    """Return the working links of a round by the key of the team. A single query."""
    links = CaptainLink.objects.filter(round=round_, revoked=None).select_related("team")
    return {link.team_id: link for link in links}


def lineups_sent_in(round_: Round, matches: list[Pairing]) -> Mapping[int, LineupSent]:
    """Return the last line-up of each team against its current opponent, by team key. A single query."""
    opponents = {match.first_id: match.second_id for match in matches}
    opponents |= {match.second_id: match.first_id for match in matches if match.second_id}
    rows = LineupSent.objects.filter(round=round_).order_by("number")
    return {row.team_id: row for row in rows if opponents.get(row.team_id) == row.opponent_id}


def matches_by_table(round_: Round) -> list[Pairing]:
    """Return the matches of a round by table. A single query."""
    matches = round_.pairings.filter(second__isnull=False).select_related("first", "second")
    return list(matches.order_by("table"))


def _set_due(round_: Round, due: datetime, seen: str, by: User) -> LineupCall:
    call = call_of(round_)
    if (call.due.isoformat() if call else "") != seen:
        raise Conflict(0, name_of_user(call.by if call else None))
    call = call or LineupCall(round=round_)
    call.due, call.by, call.at = due, by, timezone.now()
    call.save()
    links = links_in(round_)
    for team in _team_keys(round_):
        if team not in links:
            _new_link(round_, team, by)
    return call


def _team_keys(round_: Round) -> list[int]:
    return [key for match in matches_by_table(round_) for key in (match.first_id, match.second_id) if key]


def _new_link(round_: Round, team: int, by: User) -> CaptainLink:
    key = secrets.token_urlsafe(BYTES_OF_A_KEY)
    return CaptainLink.objects.create(round=round_, team_id=team, key=key, by=by)


def _revoke(round_: Round, team: int) -> None:
    CaptainLink.objects.filter(round=round_, team=team, revoked=None).update(revoked=timezone.now())


def why_no_links(round_: Round) -> str:
    """Return why captains can have no links of a round now, and what to do. Blank if they can."""
    if round_.event.state != Event.State.LIVE:
        return _("The event is not live, so no link works.")
    texts = {
        Round.State.DRAFT: _("Round %(round)s is a draft, so no link works. Publish the pairings first."),
        Round.State.CLOSED: _("Round %(round)s is closed, so no link works. Change a line-up on “Line-ups”."),
    }
    return texts.get(Round.State(round_.state), "") % {"round": round_.number}


def works(round_: Round, call: LineupCall | None) -> bool:
    # A link ends earlier if its match has a result.
    return call is not None and call.due > timezone.now() and not why_no_links(round_)


def _published_round(event: Event, round_: Round) -> Round:
    now = event.rounds.filter(pk=round_.pk, state=Round.State.PUBLISHED).first()
    if now is None or not event.is_team:
        raise Refused(_("Captains send line-ups of a published round of a team event."))
    now.event = event
    return now


# --- link -------------------------------------------------------------------------------------------------


def match_of(link: int, key: str) -> CaptainsMatch | None:
    """Return the match of a link, or None if the link does not work. At most three queries."""
    links = CaptainLink.objects.select_related("round__event", "round__lineup_call", "team")
    found = links.filter(pk=link, revoked=None).first()
    if found is None or not constant_time_compare(found.key, key):
        return None
    round_, call = found.round, getattr(found.round, "lineup_call", None)
    if call is None or not works(round_, call):
        return None
    matches = round_.pairings.filter(Q(first=found.team) | Q(second=found.team), second__isnull=False)
    match = matches.select_related("first", "second").first()
    return CaptainsMatch(found, match, call) if match and not has_result(match) else None


def last_sent_by(match: CaptainsMatch) -> LineupSent | None:
    """Return the last line-up of the team for its match. A single query."""
    rows = LineupSent.objects.filter(round=match.link.round, team=match.link.team, opponent=match.opponent)
    return rows.order_by("number").last()


def send_lineup(
    match: CaptainsMatch, roster: TeamRoster, order: Order, seen: int, network: str
) -> LineupSent:
    """Store a line-up for the desk. Return the stored one if it is the same.

    `seen`: number of the last line-up shown, 0 for none. Raise Refused if the line-up is invalid, or if
    the team has sent too many or another one since; TooMany if the network has sent too many.
    """
    fault = roster.fault(order) or roster.out_of_order(match.event, order)
    if fault:
        raise Refused(fault)
    if not any(order):
        raise Refused(_("No players are chosen yet. Choose the line-up."))
    before = last_sent_by(match)
    if before and tuple(before.players) == order:
        return before
    if seen != (before.number if before else 0):
        raise Refused(_("Your team has sent another line-up in the meantime. Check it, then send yours."))
    refuse_flood(LineupSent.objects.filter(network=network), MOST_A_MINUTE)
    number = LineupSent.objects.filter(round=match.link.round, team=match.link.team).count() + 1
    if number > MOST_OF_A_TEAM:
        raise Refused(_("No more changes are possible here. Give your line-up to the arbiter."))
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
        raise Refused(
            _("Two line-ups came at the same time. Check the line-up sent, then send yours.")
        ) from twice
