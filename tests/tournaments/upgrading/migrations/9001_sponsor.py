from django.db import migrations, models

from tournaments.operations.compatibility import KeepsOlderPrograms


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0059_link_of_withheld_values")]

    operations = [
        migrations.AddField("event", "sponsor", models.CharField(max_length=80, db_default="")),
        KeepsOlderPrograms("9001_sponsor"),
    ]
