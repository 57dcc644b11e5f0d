"""The epoch of the site, in the row of its revision."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0018_logins")]

    operations = [
        migrations.AddField(
            model_name="siterevision",
            name="epoch",
            field=models.CharField(db_default="", editable=False, max_length=16),
        ),
    ]
