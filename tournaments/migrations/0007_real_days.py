"""Dates are real days: what is stored and is none keeps its year, and its history says what stood there."""

import logging

from django.db import migrations, models
from django.utils import timezone

import tournaments.event.dates
from tournaments.event.dates import ends_before, is_date

log = logging.getLogger(__name__)


def _year_of(written):
    """The year that a text begins with, blank where it begins with none."""
    return written[:4] if is_date(written[:4]) else ""


def _mended_event(event):
    """What should stand where something impossible does: field, value and why."""
    start, end = event.start, event.end
    if start and not is_date(start):
        start = _year_of(start)
        yield "start", start, f"The first day was stored as “{event.start}”, which is no date"
    if end and not is_date(end):
        end = _year_of(end)
        yield "end", end, f"The last day was stored as “{event.end}”, which is no date"
    if ends_before(start, end):
        year = _year_of(end)
        kept = "" if ends_before(start, year) else year
        yield "end", kept, f"The last day was stored as “{event.end}”, before the first, {start}"


def _mended_round(round_):
    if round_.date and not is_date(round_.date):
        yield "date", _year_of(round_.date), f"The date was stored as “{round_.date}”, which is no date"


def mend(apps, schema_editor):
    """Mend every event and round, with a row of history each, and list them."""
    using = schema_editor.connection.alias
    for name, past, mended in (
        ("Event", "HistoricalEvent", _mended_event),
        ("Round", "HistoricalRound", _mended_round),
    ):
        model, history = apps.get_model("tournaments", name), apps.get_model("tournaments", past)
        for row in model.objects.using(using).iterator():
            found = list(mended(row))
            if found:
                _store(row, found, model, history, using)


def _store(row, found, model, history, using):
    values = {}
    reasons = []
    for field, value, why in found:
        values[field] = value
        reasons.append(f"{why}; {f'its year, {value}, was kept' if value else 'it was left blank'}.")
    values["version"] = row.version + 1
    model.objects.using(using).filter(pk=row.pk).update(**values)
    for field, value in values.items():
        setattr(row, field, value)
    columns = [field.attname for field in model._meta.concrete_fields]
    history.objects.using(using).create(
        **{name: getattr(row, name) for name in columns},
        history_type="~",
        history_date=timezone.now(),
        history_change_reason=" ".join(reasons),
    )
    place = row.slug if hasattr(row, "slug") else f"{row.event.slug}, round {row.number}"
    log.warning("%s: %s", place, " ".join(reasons))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_series_versions")]

    operations = [
        migrations.RunPython(mend, migrations.RunPython.noop, elidable=True),
        *(
            migrations.AlterField(
                model_name=model,
                name=field,
                field=models.CharField(
                    blank=True, max_length=10, validators=[tournaments.event.dates.partial_date]
                ),
            )
            for model, fields in (
                ("event", ("start", "end")),
                ("historicalevent", ("start", "end")),
                ("round", ("date",)),
                ("historicalround", ("date",)),
            )
            for field in fields
        ),
    ]
