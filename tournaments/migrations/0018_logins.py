"""Logins of our own; what django-axes had recorded of them goes into them, and its tables go."""

from ipaddress import ip_address, ip_network

import django.utils.timezone
from django.apps.registry import Apps
from django.db import migrations, models

BATCH = 1000
GONE = ("axes_accessattemptexpiration", "axes_accessattempt", "axes_accesslog", "axes_accessfailurelog")


def recorded_in(table):
    """Return the model of a table of the package, which need not be installed any more."""

    class Recorded(models.Model):
        username = models.CharField(max_length=255, null=True)
        ip_address = models.GenericIPAddressField(null=True)
        user_agent = models.CharField(max_length=255)
        attempt_time = models.DateTimeField()

        class Meta:
            apps = Apps()
            app_label = "axes"
            db_table = table
            managed = False

    return Recorded


def network_of(address):
    """Return an IPv4 address, the /64 of an IPv6 one, or nothing."""
    if not address or ip_address(address).version == 4:
        return address or ""
    return str(ip_network((ip_address(address), 64), strict=False))


def take_over(apps, schema_editor):
    """Copy logins, which make an address known, and failed ones; then drop the tables of the package."""
    connection, Login = schema_editor.connection, apps.get_model("tournaments", "Login")
    tables = set(connection.introspection.table_names())
    for table, outcome in (("axes_accesslog", "in"), ("axes_accessfailurelog", "wrong")):
        if table not in tables:
            continue
        recorded = recorded_in(table)._base_manager.using(connection.alias).order_by("pk")
        Login._base_manager.using(connection.alias).bulk_create(
            (
                Login(
                    at=row.attempt_time,
                    name=(row.username or "").strip().casefold()[:150],
                    address=row.ip_address,
                    network=network_of(row.ip_address),
                    browser=row.user_agent,
                    step="password",
                    outcome=outcome,
                )
                for row in recorded.iterator(BATCH)
            ),
            batch_size=BATCH,
        )


def drop_tables(apps, schema_editor):
    """Drop the tables of the package."""
    tables = set(schema_editor.connection.introspection.table_names())
    for table in GONE:
        if table in tables:
            schema_editor.execute(f"DROP TABLE {schema_editor.quote_name(table)}")


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0017_unrated_and_adjustments'),
    ]

    operations = [
        migrations.CreateModel(
            name='LoginWait',
            fields=[
                ('key', models.CharField(max_length=220, primary_key=True, serialize=False, verbose_name='of')),
                ('failures', models.PositiveIntegerField(default=0, verbose_name='failures')),
                ('last', models.DateTimeField(db_index=True, verbose_name='the last one')),
                ('free_at', models.DateTimeField(help_text='Null: never asked to wait.', null=True, verbose_name='next attempt at')),
            ],
            options={
                'verbose_name': 'wait of logins',
                'verbose_name_plural': 'waits of logins',
                'ordering': ['-last'],
            },
        ),
        migrations.CreateModel(
            name='Login',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, verbose_name='at')),
                ('name', models.CharField(help_text='As it was typed, in small letters.', max_length=150, verbose_name='name')),
                ('address', models.GenericIPAddressField(null=True, verbose_name='address')),
                ('network', models.CharField(help_text='The address, or the /64 of IPv6.', max_length=45, verbose_name='network')),
                ('browser', models.CharField(max_length=255, verbose_name='browser')),
                ('step', models.CharField(choices=[('password', 'password'), ('code', 'code'), ('old-password', 'old password, to change it'), ('passkey', 'passkey'), ('reset', 'asked for a new password')], max_length=12, verbose_name='step')),
                ('outcome', models.CharField(choices=[('in', 'logged in'), ('right', 'right, a step is left'), ('wrong', 'wrong')], max_length=5, verbose_name='outcome')),
            ],
            options={
                'verbose_name': 'login',
                'ordering': ['-at', '-pk'],
                'indexes': [models.Index(fields=['name', 'network', 'outcome', 'at'], name='login_known')],
            },
        ),
        migrations.RunPython(take_over, migrations.RunPython.noop),
        migrations.RunPython(drop_tables, migrations.RunPython.noop),
    ]
