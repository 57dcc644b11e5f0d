"""Uploads keep the objections to them, and why they were imported nevertheless."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_particulars")]

    operations = [
        migrations.AddField("upload", "accepted", models.JSONField(blank=True, default=dict)),
    ]
