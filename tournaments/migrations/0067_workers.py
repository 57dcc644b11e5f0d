from django.db import migrations, models

from tournaments.operations.compatibility import KeepsOlderPrograms


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0066_home_of_events")]

    operations = [
        migrations.CreateModel(
            "Worker",
            fields=[
                ("name", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("seen", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            "job", "owner", models.CharField(db_default="", default="", editable=False, max_length=60)
        ),
        KeepsOlderPrograms("0067_workers"),
    ]
