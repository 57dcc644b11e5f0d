from django.db import migrations, models

from tournaments.compatibility import KeepsOlderPrograms


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0056_competitors_of_proposals'),
    ]

    operations = [
        migrations.AddField(
            model_name='change',
            name='paired',
            field=models.JSONField(blank=True, db_default=[], default=list, help_text='The published rounds that had been paired from the result before.'),
        ),
        KeepsOlderPrograms("0057_change_paired"),
    ]
