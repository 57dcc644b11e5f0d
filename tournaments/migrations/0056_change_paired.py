from django.db import migrations, models

from tournaments.compatibility import KeepsOlderPrograms


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0055_prize_rule_of_us_chess'),
    ]

    operations = [
        migrations.AddField(
            model_name='change',
            name='paired',
            field=models.JSONField(blank=True, db_default=[], default=list, help_text='The published rounds that had been paired from the result before.'),
        ),
        KeepsOlderPrograms("0056_change_paired"),
    ]
