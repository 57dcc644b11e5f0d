from django.db import migrations, models

from tournaments.operations.compatibility import KeepsOlderPrograms


def write_sponsors(apps, _editor):
    apps.get_model("tournaments", "Event").objects.update(sponsor=models.F("place"))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "9001_sponsor")]

    operations = [
        migrations.RunPython(write_sponsors, migrations.RunPython.noop),
        migrations.AddField("round", "sponsor", models.CharField(max_length=80, null=True)),
        KeepsOlderPrograms("9002_sponsor_of_the_place"),
    ]
