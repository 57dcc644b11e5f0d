"""The captains' links of a round: creating, printing and revoking them, and the line-ups that were sent."""

from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view, may_organise
from tournaments.admin.results.sheet import round_of
from tournaments.event.numbers import whole_number
from tournaments.hall.links import captain_address, qr_code
from tournaments.models import Competitor, Event, Round
from tournaments.recording.refusal import Refused
from tournaments.recording.teams.board_orders import team_rosters
from tournaments.recording.teams.from_captains import (
    LONGEST_TIME,
    call_lineups,
    call_of,
    end_call,
    lineups_sent_in,
    links_in,
    matches_by_table,
    renew_link,
    revoke_link,
    why_no_links,
    works,
)
from tournaments.recording.teams.match_scores import decided_in

USUAL_MINUTES = 30
MINUTE = timedelta(minutes=1)


@desk_view()
def captains(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    round_ = round_of(event, number)
    if not event.is_team:
        raise Http404
    refusal = ""
    if request.method == "POST":
        refusal = refusal_of(lambda: _execute_action(request, round_))
        if not refusal:
            is_call = request.POST["act"] == "call"
            messages.success(request, _("Each team has a link.") if is_call else _("The links are changed."))
            return redirect(request.path)
    call = call_of(round_)
    return page(
        request,
        event,
        "results_captains",
        _("Captains' links of round %(round)s") % {"round": number},
        _(
            "A link for each team: its captain can send a line-up without an account. You check each "
            "line-up before it counts."
        ),
        **of_round(round_, refusal=refusal),
        call=call,
        seen=call.due.isoformat() if call else "",
        is_over=call is not None and call.due <= timezone.now(),
        minutes=USUAL_MINUTES,
        most_minutes=LONGEST_TIME // MINUTE,
        teams=_team_links(request, round_, are_working=works(round_, call)),
        why_no_links=why_no_links(round_),
        may_publish=may_organise(who(request), event),
    )


def _execute_action(request: HttpRequest, round_: Round) -> None:
    posted, seen = request.POST, request.POST.get("seen", "")
    act, team = posted.get("act", ""), whole_number(posted.get("team", "")) or 0
    if act == "call":
        minutes = whole_number(posted.get("minutes", ""), LONGEST_TIME // MINUTE) or 0
        call_lineups(round_, timezone.now() + minutes * MINUTE, seen, who(request))
    elif act == "end":
        end_call(round_, seen, who(request))
    elif act == "renew":
        renew_link(round_, team, who(request))
    elif act == "revoke":
        revoke_link(round_, team)
    else:
        raise Refused(_("No action was chosen. Press a button of this form."))


def _team_links(request: HttpRequest, round_: Round, *, are_working: bool) -> list[dict[str, Any]]:
    """Return the teams by table, the first team of a match first; five queries."""
    matches = matches_by_table(round_)
    links, sent, decided = links_in(round_), lineups_sent_in(round_, matches), decided_in(round_)
    rosters = team_rosters(round_.event, sent)
    teams = []
    for match in matches:
        for team, opponent in ((match.first, match.second), (match.second, match.first)):
            assert team is not None  # noqa: S101 - `matches_of` finds matches of two
            assert opponent is not None  # noqa: S101 - the same
            link, line_up = links.get(team.pk), sent.get(team.pk)
            is_decided = match.pk in decided
            # Blank if the link does not work.
            address = captain_address(request, link) if link and are_working and not is_decided else ""
            teams.append(
                {
                    "team": team,
                    "opponent": opponent,
                    "table": match.table,
                    "is_revoked": link is None,
                    "is_decided": is_decided,
                    "address": address,
                    "mail": _mailto_address(round_, team, address) if address else "",
                    "picture": qr_code(address) if address else "",
                    "sent": line_up,
                    "names": rosters[team.pk].names(tuple(line_up.players)) if line_up else [],
                }
            )
    return teams


def _mailto_address(round_: Round, team: Competitor, address: str) -> str:
    """Return a `mailto:` address with subject and body, without a recipient: no addresses are stored."""
    values = {"event": round_.event.name, "round": round_.number, "team": team.name}
    subject = _("%(event)s, round %(round)s: line-up of %(team)s") % values
    return "mailto:?" + urlencode({"subject": subject, "body": address}, quote_via=quote)
