from django.db import migrations, models

from tournaments.operations.compatibility import KeepsOlderPrograms


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0067_workers")]

    operations = [
        migrations.AddIndex("event", models.Index(fields=["-start", "name"], name="events_by_start")),
        KeepsOlderPrograms("0068_events_by_start"),
    ]
