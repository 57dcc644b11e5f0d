from django.db import migrations, models

from tournaments.search.engines import ENGINES


def install(apps, schema_editor):
    for statement in ENGINES[schema_editor.connection.vendor].installed:
        schema_editor.execute(statement)


def remove(apps, schema_editor):
    for statement in ENGINES[schema_editor.connection.vendor].removed:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    """Full text of the database instead of words in a table; all of it is made of the record afterwards."""

    dependencies = [("tournaments", "0046_medals")]

    operations = [
        migrations.DeleteModel(name="SearchWord"),
        migrations.DeleteModel(name="SearchEntry"),
        migrations.CreateModel(
            name="SearchEntry",
            fields=[
                ("key", models.BigIntegerField(primary_key=True, serialize=False)),
                ("words", models.TextField()),
                ("folded", models.TextField()),
                ("shown", models.TextField()),
            ],
        ),
        migrations.RunPython(install, remove),
        migrations.AddField(
            model_name="personrevision",
            name="named",
            field=models.PositiveBigIntegerField(
                db_default=1,
                editable=False,
                help_text="The number at the last change of what a search looks up.",
            ),
        ),
        migrations.AddField(
            model_name="personrevision",
            name="searched",
            field=models.PositiveBigIntegerField(
                db_default=0, editable=False, help_text="What a search looks up was made at this `named`."
            ),
        ),
        migrations.AddIndex(
            model_name="personrevision",
            index=models.Index(
                condition=models.Q(("named__gt", models.F("searched"))), fields=["person"], name="persons_unsearched"
            ),
        ),
        migrations.AddField(
            model_name="teamrevision",
            name="named",
            field=models.PositiveBigIntegerField(
                db_default=1,
                editable=False,
                help_text="The number at the last change of what a search looks up.",
            ),
        ),
        migrations.AddField(
            model_name="teamrevision",
            name="searched",
            field=models.PositiveBigIntegerField(
                db_default=0, editable=False, help_text="What a search looks up was made at this `named`."
            ),
        ),
        migrations.AddIndex(
            model_name="teamrevision",
            index=models.Index(
                condition=models.Q(("named__gt", models.F("searched"))), fields=["team"], name="teams_unsearched"
            ),
        ),
    ]
