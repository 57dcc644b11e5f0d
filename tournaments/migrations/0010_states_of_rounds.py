"""A round is a draft, published or closed: what was open is published where its pairings stood."""

from django.db import migrations, models


def name_states(apps, schema_editor):
    """Call an open round a draft, or published where it was set; its history the same."""
    using = schema_editor.connection.alias
    for name in ("Round", "HistoricalRound"):
        open_rounds = apps.get_model("tournaments", name).objects.using(using).filter(state="open")
        open_rounds.filter(is_set=False).update(state="draft")
        open_rounds.update(state="published")


def name_states_as_before(apps, schema_editor):
    """Call what is not closed open, and a draft not set."""
    using = schema_editor.connection.alias
    for name in ("Round", "HistoricalRound"):
        rounds = apps.get_model("tournaments", name).objects.using(using)
        rounds.filter(state="draft").update(state="open", is_set=False)
        rounds.filter(state="published").update(state="open")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_accepted_uploads")]

    operations = [
        *(
            migrations.AlterField(
                model_name=model,
                name="state",
                field=models.CharField(
                    choices=[("draft", "Draft"), ("published", "Published"), ("closed", "Closed")],
                    default="draft",
                    max_length=9,
                ),
            )
            for model in ("round", "historicalround")
        ),
        migrations.RunPython(name_states, name_states_as_before, elidable=True),
        migrations.RemoveField(model_name="round", name="is_set"),
        migrations.RemoveField(model_name="historicalround", name="is_set"),
    ]
