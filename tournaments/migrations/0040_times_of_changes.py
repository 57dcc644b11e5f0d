from datetime import datetime

from django.db import migrations, models
from django.db.models import Min, OuterRef, Subquery
from django.db.models.functions import Now
from django.utils import timezone

PUBLIC = ("live", "final", "archived")


def tell_times(apps, schema_editor):
    """Give every event a time of its last change, and every one that was public the time it became so.

    Nobody counted the time of changes before: all are told as changed now, so that no copy is missed.
    """
    # Never a whole second: SQLite compares times as texts.
    now: datetime = timezone.now().replace(microsecond=1)
    revisions = apps.get_model("tournaments", "Revision").objects.using(schema_editor.connection.alias)
    past = apps.get_model("tournaments", "HistoricalEvent").objects
    first = past.filter(id=OuterRef("event_id"), state__in=PUBLIC).order_by().values("id")
    first = first.annotate(first=Min("history_date")).values("first")
    revisions.update(changed_at=now)
    revisions.update(public_at=Subquery(first))
    revisions.filter(event__state__in=PUBLIC, public_at=None).update(public_at=now)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0039_bundles"),
    ]

    operations = [
        migrations.AddField(
            model_name="revision",
            name="changed_at",
            field=models.DateTimeField(db_default=Now(), editable=False),
        ),
        migrations.AddField(
            model_name="revision",
            name="public_at",
            field=models.DateTimeField(
                editable=False,
                help_text="When readers could first see the event.",
                null=True,
            ),
        ),
        migrations.RunPython(tell_times, migrations.RunPython.noop),
    ]
