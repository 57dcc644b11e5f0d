"""What kept lines of reports say of people goes into the people's own fields, and out of the lines.

The lines are public, and of a birth the public is told the year.
"""

import logging
import re
from collections import defaultdict
from datetime import date

from django.db import migrations
from django.utils import timezone

log = logging.getLogger(__name__)

_YEAR_FIRST = re.compile(r"([0-9]{4})[-/. ]([0-9]{1,2})[-/. ]([0-9]{1,2})")
_DAY_FIRST = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})")
_YEAR = re.compile(r"(?<![0-9])([0-9]{4})(?![0-9])")
_WHY = "What lines of a tournament report say of people went into the people's own fields."


def _born(text):
    """A birth as the record writes it: the day where it is certain, else the year; blank for none."""
    found, order = _YEAR_FIRST.fullmatch(text), (1, 2, 3)
    if not found:
        found, order = _DAY_FIRST.fullmatch(text), (3, 2, 1)
    if found:
        try:
            return date(*(int(found[at]) for at in order)).isoformat()
        except ValueError:
            pass
    found = _YEAR.search(text)
    return found[1] if found and found[1] > "0000" else ""


def _taken_apart(lines):
    """What the lines say by start number (sex, birth, FIDE id), and the lines without it."""
    told, kept = {}, []
    for line in lines:
        number = line[4:8].strip() if line.startswith("001 ") else ""
        if not number.isdigit():
            kept.append(line)
            continue
        sex = {"m": "m", "w": "w", "f": "w"}.get(line[9:10].lower(), "")
        born, fide_id = _born(line[69:79].strip()), line[57:68].strip()
        has_id = fide_id.isdigit() and int(fide_id) > 0
        text = line[:9] + (" " if sex else line[9:10]) + line[10:57]
        text += " " * 11 if has_id else line[57:68]
        rest = f"{text}{line[79:].rjust(len(line[79:]) + 10) if line[79:] else ''}".rstrip()
        kept += [rest] if rest[8:].strip() else []
        told[int(number)] = (sex, born, int(fide_id) if has_id else None)
    return told, kept


def _players_by_start_number(apps, event, using):
    """The players of teams as a report numbers them; a board that is filled in has a number too."""
    without_games = apps.get_model("tournaments", "Pairing").objects.using(using).filter(
        round__event=event, second__isnull=False, games__isnull=True
    )
    filled = {number for pair in without_games.values_list("first_id", "second_id") for number in pair}
    members = defaultdict(list)
    for player in apps.get_model("tournaments", "Player").objects.using(using).filter(competitor__event=event):
        members[player.competitor_id].append(player)
    number, found = 0, {}
    teams = apps.get_model("tournaments", "Competitor").objects.using(using).filter(event=event)
    for team in teams.order_by("number"):
        players = sorted(
            members[team.pk],
            key=lambda each: (each.board is None, each.board or 0, each.name, each.fide_id or 0),
        )
        for at, player in enumerate(players, start=1):
            found[number + at] = player
        number += max(len(players), (event.boards or 1) if team.pk in filled else 0)
    return found


def move(apps, schema_editor):
    """Take the lines of each event apart, with a row of history for whatever changes."""
    using = schema_editor.connection.alias
    for event in apps.get_model("tournaments", "Event").objects.using(using).exclude(trf=[]).iterator():
        told, kept = _taken_apart(event.trf)
        if not told:
            continue
        is_team = event.entrants == "teams"
        model = "Player" if is_team else "Competitor"
        rows = apps.get_model("tournaments", "Competitor").objects.using(using).filter(event=event)
        people = (
            _players_by_start_number(apps, event, using) if is_team else {each.number: each for each in rows}
        )
        count = 0
        for number, (sex, born, fide_id) in sorted(told.items()):
            person = people.get(number)
            values = {"sex": sex, "born": born} | ({} if is_team else {"fide_id": fide_id})
            new = {name: value for name, value in values.items() if value and person and not getattr(person, name)}
            if new:
                _store(apps, model, person, new, using)
                count += 1
        _store(apps, "Event", event, {"trf": kept}, using)
        log.warning("%s: particulars of %d people taken out of lines of its report.", event.slug, count)


def _store(apps, name, row, values, using):
    values["version"] = row.version + 1
    model = apps.get_model("tournaments", name)
    model.objects.using(using).filter(pk=row.pk).update(**values)
    for field, value in values.items():
        setattr(row, field, value)
    columns = [field.attname for field in model._meta.concrete_fields]
    apps.get_model("tournaments", f"Historical{name}").objects.using(using).create(
        **{each: getattr(row, each) for each in columns},
        history_type="~",
        history_date=timezone.now(),
        history_change_reason=_WHY,
    )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_states_of_rounds")]

    operations = [migrations.RunPython(move, migrations.RunPython.noop, elidable=True)]
