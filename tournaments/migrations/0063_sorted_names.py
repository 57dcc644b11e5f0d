from django.db import migrations, models

from tournaments.people.models.tallies import SortKeyField

GOLD = ["-first", "-second", "-third"]
TEAMS_GOLD = ["-team_first", "-team_second", "-team_third"]
PERSONS = models.Index(fields=[*GOLD, *TEAMS_GOLD, "-events", "name", "person"], name="persons_by_medals")
TEAMS = models.Index(fields=[*GOLD, "-events", "name", "team"], name="teams_by_medals")


class Migration(migrations.Migration):
    # The keys themselves are written after `migrate`, because the code that folds names has changed.
    dependencies = [("tournaments", "0062_fixed_table")]

    operations = [
        migrations.RemoveIndex("persontally", "persons_by_gold"),
        migrations.RemoveIndex("teamtally", "teams_by_gold"),
        migrations.AlterField("persontally", "name", SortKeyField(max_length=300)),
        migrations.AlterField("teamtally", "name", SortKeyField(max_length=300)),
        migrations.AddIndex("persontally", PERSONS),
        migrations.AddIndex("teamtally", TEAMS),
    ]
