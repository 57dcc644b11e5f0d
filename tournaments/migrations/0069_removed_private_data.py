from django.db import migrations, models

from tournaments.operations.compatibility import KeepsOlderPrograms

FORM = "The rules by which private data was removed."
AT = "Private data of earlier changes was removed."


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0068_events_by_start")]

    operations = [
        migrations.AddField(
            "siterevision",
            "cleaned_form",
            models.CharField(db_default="", editable=False, help_text=FORM, max_length=16),
        ),
        migrations.AddField(
            "siterevision", "cleaned_at", models.DateTimeField(editable=False, help_text=AT, null=True)
        ),
        KeepsOlderPrograms("0069_removed_private_data"),
    ]
