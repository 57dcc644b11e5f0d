from django.db import migrations, models

from tournaments.compatibility import KeepsOlderPrograms


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0055_prize_rule_of_us_chess'),
    ]

    operations = [
        migrations.AddField(
            model_name='proposal',
            name='competitors',
            field=models.JSONField(null=True),
        ),
        KeepsOlderPrograms("0056_competitors_of_proposals"),
    ]
