from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0003_redirects'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='trf',
            field=models.JSONField(blank=True, default=list, help_text='Lines of a tournament report that nothing else here says.'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='trf',
            field=models.JSONField(blank=True, default=list, help_text='Lines of a tournament report that nothing else here says.'),
        ),
    ]
