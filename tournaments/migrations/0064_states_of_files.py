from django.db import migrations, models

STATES = [
    ("waiting", "waits to be read"),
    ("ready", "ready to be imported"),
    ("unchanged", "unchanged"),
    ("objected", "needs your answer"),
    ("faulty", "refused: has errors"),
    ("chosen", "waits to be imported"),
    ("imported", "imported"),
    ("unknown", "not a file that can be read"),
    ("skipped", "skipped"),
]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0063_sorted_names")]

    operations = [
        migrations.AlterField(
            "bundlefile", "state", models.CharField(choices=STATES, default="waiting", max_length=9)
        ),
    ]
