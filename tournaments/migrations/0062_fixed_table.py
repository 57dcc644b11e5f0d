from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models

from tournaments.operations.compatibility import KeepsOlderPrograms

HELP = "Table of a competitor who cannot move. Never public."
LIMITS = [MinValueValidator(1), MaxValueValidator(999)]
FIXED_TABLE = models.PositiveSmallIntegerField(blank=True, null=True, help_text=HELP, validators=LIMITS)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0061_delayed_games")]

    operations = [
        migrations.AddField("competitor", "fixed_table", FIXED_TABLE),
        migrations.AddField("historicalcompetitor", "fixed_table", FIXED_TABLE.clone()),
        KeepsOlderPrograms("0062_fixed_table"),
    ]
