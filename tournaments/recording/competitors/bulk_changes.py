"""Change many competitors or players at once, with the checks of an imported file."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.event.checks import check_document
from tournaments.event.document import Document
from tournaments.event.finding import Finding, Severity, added_findings, errors
from tournaments.models import Competitor, Event, Game, Pairing, Player
from tournaments.people.services.linking import link_entries
from tournaments.recording.competitors.checks import next_number
from tournaments.recording.competitors.ratings import Row
from tournaments.recording.competitors.start_numbers import number_late_entries
from tournaments.recording.locking import add, lock_event, name_of_user, remove_row, save
from tournaments.stored import stored

PLACE = re.compile(r"competitors\[(\d+)\](?:\.players\[(\d+)\])?(?:\.(?!players)(\w+))?")
"""The place of a finding: the indexes of the competitor and of the player, and the field."""


@dataclass(slots=True)
class RegisterRow:
    """A row with its new values. `key`: its name on the screen."""

    key: str
    row: Row
    is_new: bool = False
    is_removed: bool = False


@dataclass(slots=True)
class CellFinding:
    """A finding about a cell. `name`: its field, or blank for the row."""

    name: str
    message: str
    is_error: bool


def findings_by_row(event: Event) -> dict[Row, list[CellFinding]]:
    """Return the findings about competitors and players, in a fixed number of queries."""
    document = stored(event).document
    return _by_row(event, document, check_document(document))


def fixed_rows(event: Event, *, players: bool) -> set[int]:
    """Return the keys of the rows that other data refer to, so that they cannot be deleted. Four queries."""
    if players:
        games = Game.objects.filter(pairing__round__event=event)
        played = games.values_list("first_player_id", "second_player_id")
        return {key for each in played for key in each if key}
    seats = Pairing.objects.filter(round__event=event).values_list("first_id", "second_id")
    paired = {key for each in seats for key in each if key}
    moves = (event.changes.values_list("moved", flat=True), event.overrides.values_list("moved", flat=True))
    moved = {number for each in chain(*moves) for number, *_places in each}
    named = event.competitors.filter(number__in=moved).values_list("pk", flat=True)
    return (
        paired
        | set(named)
        | set(event.overrides.exclude(competitor=None).values_list("competitor_id", flat=True))
    )


Faults = dict[str, list[CellFinding]]
"""The findings about rows that cannot be stored, by key."""


def enter_rows(event: Event, rows: Sequence[RegisterRow], by: User) -> Faults:
    """Store the rows without errors, independent of each other. Return the faults of the others.

    The values must be valid for their fields, and the versions compared under the same lock. New
    competitors get the next numbers.
    """
    with lock_event(event) as now:
        before = check_document(stored(now).document)
        faults = _faults_of_removals(now, rows)
        while waiting := [each for each in rows if each.key not in faults]:
            new_faults = _try_rows(now, waiting, by, before)
            if not new_faults:
                break
            faults |= new_faults
        new = [each.row for each in waiting if each.is_new and isinstance(each.row, Competitor)]
        number_late_entries(now, new, by)
        if waiting:
            link_entries(now, name_of_user(by))
    return faults


def _faults_of_removals(event: Event, rows: Sequence[RegisterRow]) -> Faults:
    removed = [each for each in rows if each.is_removed]
    if not removed:
        return {}
    fixed = {players: fixed_rows(event, players=players) for players in (False, True)}
    text = _("%(name)s has been paired, and stays in the record. Withdraw them instead.")
    return {
        each.key: [CellFinding("", text % {"name": each.row.name}, is_error=True)]
        for each in removed
        if each.row.pk in fixed[isinstance(each.row, Player)]
    }


def _try_rows(event: Event, rows: Sequence[RegisterRow], by: User, before: Sequence[Finding]) -> Faults:
    faults: Faults = {}
    versions = [(each.row, each.row.pk, each.row.version) for each in rows]
    try:
        with transaction.atomic():
            _write_rows(event, rows, by)
            document = stored(event).document
            if found := added_findings(errors(check_document(document)), before):
                keys = {each.row: each.key for each in rows if not each.is_removed}
                for row, cells in _by_row(event, document, found).items():
                    if row in keys:
                        faults[keys[row]] = cells
                if not faults:  # errors of the whole event, which cannot be assigned to a row
                    cells = [CellFinding("", each.message, is_error=True) for each in found]
                    faults = {each.key: cells for each in rows}
                transaction.set_rollback(True)
    except IntegrityError:
        faults = _duplicate_faults(rows)
    if faults:
        for row, key, version in versions:
            row.pk, row.version = key, version
    return faults


def _write_rows(event: Event, rows: Sequence[RegisterRow], by: User) -> None:
    numbers = count(next_number(event))
    # Cleared first: the database refuses a board twice, even while two players swap boards.
    Player.objects.filter(pk__in=[each.row.pk for each in rows if isinstance(each.row, Player)]).update(
        board=None
    )
    for each in rows:
        if each.is_removed:
            remove_row(each.row, by)
        elif each.is_new:
            if isinstance(each.row, Competitor):
                each.row.number = next(numbers)
            add(each.row, by)
        else:
            save(each.row, by)


def _duplicate_faults(rows: Sequence[RegisterRow]) -> Faults:
    faults: Faults = {}
    players = [(each.key, each.row) for each in rows if isinstance(each.row, Player) and not each.is_removed]
    teams = {row.competitor_id for _key, row in players}
    keys = [each.row.pk for each in rows if not each.is_new]
    others = Player.objects.filter(competitor__in=teams).exclude(pk__in=keys)
    for key, row in players:
        team_mates = [*others, *(other for _key, other in players if other is not row)]
        same = next((each for each in team_mates if _is_same_row(each, row)), None)
        if same:
            text = _("%(name)s is in this team already, or has this board.") % {"name": same.name}
            faults[key] = [CellFinding("", text, is_error=True)]
    text = _("These rows cannot be saved together. Save them one by one.")
    return faults or {each.key: [CellFinding("", text, is_error=True)] for each in rows}


def _is_same_row(one: Player, other: Player) -> bool:
    if one.competitor_id != other.competitor_id:
        return False
    has_board = one.board is not None and one.board == other.board
    has_id = one.fide_id is not None and one.fide_id == other.fide_id
    has_name = one.fide_id is None and other.fide_id is None and one.name == other.name
    return has_board or has_id or has_name


def _by_row(event: Event, document: Document, found: Iterable[Finding]) -> dict[Row, list[CellFinding]]:
    numbered = {each.number: each for each in event.competitors.all()}
    members: Mapping[tuple[int, str, int | None], Player] = {
        (each.competitor_id, each.name, each.fide_id): each
        for each in Player.objects.filter(competitor__event=event)
    }
    by_row: dict[Row, list[CellFinding]] = {}
    for each in found:
        at = PLACE.match(each.where)
        if at is None:
            continue
        entry = document.competitors[int(at[1])]
        row: Row | None = numbered.get(entry.number)
        if row and at[2]:
            player = entry.players[int(at[2])]
            row = members.get((row.pk, player.name, player.fide_id))
        if row:
            cell = CellFinding(at[3] or "", each.message, each.severity is Severity.ERROR)
            by_row.setdefault(row, []).append(cell)
    return by_row
