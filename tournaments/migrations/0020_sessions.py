"""Sessions with the account in their row; those of Django's own table go on, and the table goes."""

from datetime import timedelta

import django.db.models.deletion
from django.conf import settings
from django.apps.registry import Apps
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations, models
from django.utils import timezone

BATCH = 1000
GONE = "django_session"


class Meta:
    apps = Apps()
    app_label = "sessions"
    db_table = GONE
    managed = False


FormerSession = type(
    "FormerSession",
    (models.Model,),
    {
        "session_key": models.CharField(max_length=40, primary_key=True),
        "session_data": models.TextField(),
        "expire_date": models.DateTimeField(),
        "Meta": Meta,
        "__module__": __name__,
    },
)


def go_on(apps, schema_editor):
    """Copy the sessions of accounts that have not ended: nobody has to log in again."""
    connection = schema_editor.connection
    if GONE not in connection.introspection.table_names():
        return
    label, name = settings.AUTH_USER_MODEL.split(".")
    accounts = set(apps.get_model(label, name)._base_manager.using(connection.alias).values_list("pk", flat=True))
    Session = apps.get_model("tournaments", "Session")
    former = FormerSession._base_manager.using(connection.alias).filter(expire_date__gt=timezone.now())
    age = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    rows = []
    for each in former.order_by("pk"):
        account = SessionStore().decode(each.session_data).get(SESSION_KEY)
        if account and int(account) in accounts:
            rows.append(
                Session(
                    session_key=each.session_key,
                    session_data=each.session_data,
                    expire_date=each.expire_date,
                    seen=each.expire_date - age,
                    place="",
                    browser="",
                    user_id=int(account),
                )
            )
    Session._base_manager.using(connection.alias).bulk_create(rows, batch_size=BATCH)


def drop_table(apps, schema_editor):
    """Drop the table of Django's own sessions."""
    if GONE in schema_editor.connection.introspection.table_names():
        schema_editor.execute(f"DROP TABLE {schema_editor.quote_name(GONE)}")


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0019_epoch'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('started', models.DateTimeField(help_text='Null: before it was recorded.', null=True, verbose_name='logged in')),
                ('seen', models.DateTimeField(help_text='Within some minutes.', verbose_name='last seen')),
                ('place', models.CharField(help_text='The beginning of the address.', max_length=45, verbose_name='from')),
                ('browser', models.CharField(help_text='As it calls itself.', max_length=255, verbose_name='browser')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.RunPython(go_on, migrations.RunPython.noop),
        migrations.RunPython(drop_table, migrations.RunPython.noop),
    ]
