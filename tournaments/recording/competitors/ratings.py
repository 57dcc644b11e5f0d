"""Compare competitors with a rating list, and adopt values that a user selects."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.dates import parse_year
from tournaments.event.document import own_flag
from tournaments.interchange.ratinglists.folder import RatingList
from tournaments.interchange.ratinglists.lookup import namesakes_in, players_in
from tournaments.interchange.ratinglists.players import RatedPlayer
from tournaments.models import Competitor, Event, Player
from tournaments.people.services.linking import link_entries
from tournaments.recording.events.rules import is_frozen
from tournaments.recording.locking import lock_event, lock_row, name_of_user, save
from tournaments.recording.refusal import Refused, required

FIELDS = ("rating", "title", "name", "code", "born", "sex")
"""Compared fields, in addition to the id of a player who was found by name."""


Row = Competitor | Player


@dataclass(frozen=True, slots=True)
class RatedDifference:
    """A competitor or player whose values differ from the list.

    `fields`: own and listed value by field name. `by_name`: the player was found only by name.
    """

    row: Row
    player: RatedPlayer
    fields: dict[str, tuple[Any, Any]]
    by_name: bool

    @property
    def competitor(self) -> Competitor:
        return self.row if isinstance(self.row, Competitor) else self.row.competitor

    @property
    def key(self) -> str:
        """Return `c` or `p` and the primary key."""
        return f"{'c' if isinstance(self.row, Competitor) else 'p'}{self.row.pk}"


@dataclass(frozen=True, slots=True)
class RatedComparison:
    """Comparison of an event with a list: differences, number of equal rows, and rows without a unique match.

    `unknown`: names that are not in the list. `several`: names with more than one match.
    """

    differences: tuple[RatedDifference, ...]
    same: int
    unknown: tuple[str, ...]
    several: tuple[tuple[str, tuple[RatedPlayer, ...]], ...]


def compare_ratings(event: Event, rating_list: RatingList, kind: str = "") -> RatedComparison:
    """Compare competitors, or the players of teams, with a list. At most two queries."""
    players = Player.objects.filter(competitor__event=event).select_related("competitor")
    ordered_players = players.order_by("competitor__number", "board", "pk")
    rows: list[Row] = [*(ordered_players if event.is_team else event.competitors.order_by("number"))]
    attribute = f"{rating_list.source}_id"
    ids = {number for row in rows if (number := getattr(row, attribute))}
    listed = players_in(rating_list, ids)
    differences: list[RatedDifference] = []
    unknown: list[str] = []
    several: list[tuple[str, tuple[RatedPlayer, ...]]] = []
    same = 0
    for row in rows:
        found = possible_players(row, getattr(row, attribute), listed, rating_list)
        if not found:
            unknown.append(row.name)
        elif len(found) > 1:
            several.append((row.name, tuple(found[:5])))
        elif fields := _differing_fields(row, found[0].particulars(rating_list.source, kind)):
            by_name = not getattr(row, attribute)
            differences.append(RatedDifference(row, found[0], fields, by_name))
        else:
            same += 1
    return RatedComparison(tuple(differences), same, tuple(unknown), tuple(several))


def reason_needed(event: Event) -> str:
    """Return why adopting ratings needs a reason. Blank if it does not. At most four queries."""
    if not is_frozen(event):
        return ""
    return _("The event has results, and ratings may decide places. Give a reason for the history.")


def take_over_ratings(
    event: Event,
    rating_list: RatingList,
    seen: Mapping[str, int],
    fields: Collection[str],
    by: User,
    *,
    kind: str = "",
    reason: str = "",
) -> int:
    """Adopt listed values of the selected rows. Return how many rows changed.

    `seen`: version of each row by key. `fields`: fields to adopt; the id of a player found by name is
    always adopted. All or nothing: raise Conflict if a row was saved since, Refused if there are results
    and no reason.
    """
    with lock_event(event) as now:
        why = reason_needed(now)
        history_reason = f"{_('Rating list %(list)s') % {'list': rating_list}}"
        if why:
            history_reason = f"{history_reason}: {required(reason, why)}"
        changed = 0
        for each in compare_ratings(now, rating_list, kind).differences:
            if each.key not in seen:
                continue
            row = lock_row(type(each.row), each.row.pk, seen[each.key])
            adopted = {
                name: new
                for name, (_was, new) in each.fields.items()
                if name in fields or name == f"{rating_list.source}_id"
            }
            if adopted:
                _set_values(row, adopted)
                save(row, by, history_reason)
                changed += 1
        if not changed:
            raise Refused(_("You chose no values that differ. Choose rows and the values to update."))
        link_entries(now, name_of_user(by))
    return changed


def possible_players(
    row: Row, number: int | None, listed: Mapping[int, RatedPlayer], rating_list: RatingList
) -> list[RatedPlayer]:
    if number:
        return [listed[number]] if number in listed else []
    born, code = parse_year(row.born), _federation_of(row)
    return [
        player
        for player in namesakes_in(rating_list, row.name)
        if (not born or player.born in (None, born)) and (not code or player.federation in ("", code))
    ]


def _federation_of(row: Row) -> str:
    return row.flag or row.code if isinstance(row, Competitor) else ""


def _differing_fields(row: Row, particulars: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    fields: dict[str, tuple[Any, Any]] = {}
    for name, new in particulars.items():
        if new in (None, "") or (name == "code" and isinstance(row, Player)):
            continue
        was = _federation_of(row) if name == "code" else getattr(row, name)
        # The list has the year only; a full date of that year is more precise.
        is_same = parse_year(was) == parse_year(new) if name == "born" else was == new
        if not is_same:
            fields[name] = (was, new)
    return fields


def _set_values(row: Row, taken: Mapping[str, Any]) -> None:
    for name, value in taken.items():
        if name == "code" and isinstance(row, Competitor):
            # A player's code is the federation's. A separate flag stays if both are set.
            if row.code and row.flag:
                row.flag = own_flag(row.code, value)
            else:
                row.code = value
        else:
            setattr(row, name, value)
