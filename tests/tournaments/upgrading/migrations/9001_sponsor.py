from pathlib import Path

import tournaments.migrations
from django.db import migrations, models
from tournaments.operations.compatibility import KeepsOlderPrograms

OURS = sorted(path.stem for path in Path(tournaments.migrations.__file__).parent.glob("0*.py"))


class Migration(migrations.Migration):
    dependencies = [("tournaments", OURS[-1])]

    operations = [
        migrations.AddField("event", "sponsor", models.CharField(max_length=80, db_default="")),
        KeepsOlderPrograms("9001_sponsor"),
    ]
