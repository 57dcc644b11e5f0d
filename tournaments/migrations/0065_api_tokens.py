import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from tournaments.operations.compatibility import KeepsOlderPrograms


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0064_states_of_files"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            "ApiToken",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(help_text="The program or computer that uses it.", max_length=80, verbose_name="name")),
                ("digest", models.CharField(editable=False, max_length=64, unique=True, verbose_name="SHA-256")),
                ("actions", models.JSONField(default=list, verbose_name="actions")),
                ("all_events", models.BooleanField(default=False, verbose_name="all events of the account")),
                ("created", models.DateTimeField(default=django.utils.timezone.now, verbose_name="created")),
                ("ends", models.DateField(blank=True, help_text="In UTC. Blank: no end.", null=True, verbose_name="last day")),
                ("last_used", models.DateTimeField(help_text="Within a minute.", null=True, verbose_name="last used")),
                ("revoked", models.DateTimeField(null=True, verbose_name="revoked")),
                (
                    "events",
                    models.ManyToManyField(
                        blank=True, related_name="+", to="tournaments.event", verbose_name="or only these"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
            ],
            options={"verbose_name": "API token", "ordering": ["-created"]},
        ),
        KeepsOlderPrograms("0065_api_tokens"),
    ]
