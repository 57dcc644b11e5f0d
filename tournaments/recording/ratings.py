"""What a rating list says of who takes part, beside the record; and taken over where somebody chose it."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.dates import year_of
from tournaments.event.document import own_flag
from tournaments.models import Competitor, Event, Player
from tournaments.ratinglists.folder import RatingList
from tournaments.ratinglists.lookup import namesakes_in, players_in
from tournaments.ratinglists.players import RatedPlayer
from tournaments.recording.people.linking import link_entries
from tournaments.recording.refusal import Refused, required
from tournaments.recording.rules import is_frozen
from tournaments.recording.turns import claim, in_turn, name_of, save

FIELDS = ("rating", "title", "name", "code", "born", "sex")
"""What is compared, besides the id of who was found by name."""


@dataclass(frozen=True, slots=True)
class RatedDifference:
    """Somebody of the event as the record and as the list has them.

    `key` names the row: `c` or `p` before its primary key. `fields` are both values by the name of the field;
    `by_name` says that the name alone told who it is.
    """

    key: str
    number: int
    name: str
    team: str
    seen: int
    player: RatedPlayer
    fields: dict[str, tuple[Any, Any]]
    by_name: bool


@dataclass(frozen=True, slots=True)
class RatedComparison:
    """An event beside a list: who differs, how many are the same, and who cannot be told.

    `unknown` are in no row of the list; of `several` more than one row has the name.
    """

    differences: tuple[RatedDifference, ...]
    same: int
    unknown: tuple[str, ...]
    several: tuple[tuple[str, tuple[RatedPlayer, ...]], ...]


Row = Competitor | Player


def compare_ratings(event: Event, rating_list: RatingList, kind: str = "") -> RatedComparison:
    """Return what a list says otherwise of competitors, or of the players of teams; two queries at most."""
    rows = list(_rows(event))
    attribute = f"{rating_list.source}_id"
    ids = {number for row in rows if (number := getattr(row, attribute))}
    listed = players_in(rating_list, ids)
    differences: list[RatedDifference] = []
    unknown: list[str] = []
    several: list[tuple[str, tuple[RatedPlayer, ...]]] = []
    same = 0
    for row in rows:
        found = _listed(row, getattr(row, attribute), listed, rating_list)
        if not found:
            unknown.append(row.name)
        elif len(found) > 1:
            several.append((row.name, tuple(found[:5])))
        elif fields := _differing(row, found[0].particulars(rating_list.source, kind)):
            differences.append(_difference(row, found[0], fields, by_name=not getattr(row, attribute)))
        else:
            same += 1
    return RatedComparison(tuple(differences), same, tuple(unknown), tuple(several))


def reason_needed(event: Event) -> str:
    """Return why taking ratings over needs a reason; blank where it needs none. Four queries at most."""
    if not is_frozen(event):
        return ""
    return _("Results stand: ratings may decide places, so the history says why they were changed.")


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
    """Take over what a list says of the chosen rows; return how many rows changed.

    `seen` has the version of each row by its key, `fields` are those to be taken; the id of who was found by
    name is always. All or nothing: Conflict where a row was saved since, Refused where results stand and no
    reason is given.
    """
    with in_turn(event) as now:
        why = reason_needed(now)
        told = f"{_('Rating list %(list)s') % {'list': rating_list}}"
        if why:
            told = f"{told}: {required(reason, why)}"
        changed = 0
        for each in compare_ratings(now, rating_list, kind).differences:
            if each.key not in seen:
                continue
            row = _claimed(each.key, seen[each.key])
            taken = {
                name: new
                for name, (_was, new) in each.fields.items()
                if name in fields or name == f"{rating_list.source}_id"
            }
            if taken:
                _write(row, taken)
                save(row, by, told)
                changed += 1
        if not changed:
            raise Refused(_("Nothing was chosen that differs. Choose rows, and what to take of them."))
        link_entries(now, name_of(by))
    return changed


def _claimed(key: str, seen: int) -> Row:
    """Return the row of a key, locked; Conflict where it was saved since."""
    number = int(key[1:])
    return claim(Competitor, number, seen) if key[0] == "c" else claim(Player, number, seen)


def _rows(event: Event) -> Iterator[Row]:
    if event.is_team:
        yield from (
            Player.objects.filter(competitor__event=event)
            .select_related("competitor")
            .order_by("competitor__number", "board", "pk")
        )
    else:
        yield from event.competitors.order_by("number")


def _listed(
    row: Row, number: int | None, listed: Mapping[int, RatedPlayer], rating_list: RatingList
) -> list[RatedPlayer]:
    """Return who it may be: by the id alone where there is one, else by the name, the year and the code."""
    if number:
        return [listed[number]] if number in listed else []
    born, code = year_of(row.born), _code(row)
    return [
        player
        for player in namesakes_in(rating_list, row.name)
        if (not born or player.born in (None, born)) and (not code or player.federation in ("", code))
    ]


def _code(row: Row) -> str:
    return row.flag or row.code if isinstance(row, Competitor) else ""


def _differing(row: Row, particulars: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return both values of each field of which the list says something else; what it leaves blank stays."""
    fields: dict[str, tuple[Any, Any]] = {}
    for name, new in particulars.items():
        if new in (None, "") or (name == "code" and isinstance(row, Player)):
            continue
        was = _code(row) if name == "code" else getattr(row, name)
        # The list has the year; a day of that year says more.
        is_same = year_of(was) == year_of(new) if name == "born" else was == new
        if not is_same:
            fields[name] = (was, new)
    return fields


def _difference(
    row: Row, player: RatedPlayer, fields: dict[str, tuple[Any, Any]], *, by_name: bool
) -> RatedDifference:
    if isinstance(row, Competitor):
        return RatedDifference(f"c{row.pk}", row.number, row.name, "", row.version, player, fields, by_name)
    team = row.competitor
    return RatedDifference(
        f"p{row.pk}", team.number, row.name, team.name, row.version, player, fields, by_name
    )


def _write(row: Row, taken: Mapping[str, Any]) -> None:
    for name, value in taken.items():
        if name == "code" and isinstance(row, Competitor):
            # A player's code is the federation's; a flag beside it stays where both were told.
            if row.code and row.flag:
                row.flag = own_flag(row.code, value)
            else:
                row.code = value
        else:
            setattr(row, name, value)
