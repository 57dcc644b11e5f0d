from django.db import migrations, models

from tournaments.operations.compatibility import KeepsOlderPrograms


def field(help_text: str) -> "models.CharField[str, str]":
    return models.CharField(
        blank=True, db_default="", default="", editable=False, help_text=help_text, max_length=200
    )


HOME = "The Crosstable where the event is changed; blank: this one."
SHOWN_AT = "The address of the site that lent the event and gets each change of it."


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0065_api_tokens")]

    operations = [
        *(migrations.AddField(model, "home", field(HOME)) for model in ("event", "historicalevent")),
        *(migrations.AddField(model, "shown_at", field(SHOWN_AT)) for model in ("event", "historicalevent")),
        migrations.AddIndex(
            "event", models.Index(fields=["shown_at"], condition=~models.Q(shown_at=""), name="borrowed_events")
        ),
        KeepsOlderPrograms("0066_home_of_events"),
    ]
