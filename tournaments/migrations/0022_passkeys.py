
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0021_jobs'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Passkey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='The human-readable name of this device.', max_length=64)),
                ('confirmed', models.BooleanField(default=True, help_text='Is this device ready for use?')),
                ('host', models.CharField(help_text='The domain it is of; browsers show it.', max_length=255, verbose_name='host')),
                ('credential', models.BinaryField(help_text='Identity and public key.', verbose_name='credential')),
                ('counter', models.PositiveBigIntegerField(default=0, help_text='How often it has signed; 0 of those that do not count.', verbose_name='counter')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
                ('last_used_at', models.DateTimeField(null=True, verbose_name='last used')),
                ('user', models.ForeignKey(help_text='The user that this device belongs to.', on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'passkey',
                'ordering': ['created_at'],
            },
        ),
    ]
