"""Overrides of kind `rules`. A list of criteria that a frozen system never looked at goes: now it would count."""

from typing import Any

from django.db import migrations, models

FROZEN = (
    "fmjd-swiss",
    "fmjd-swiss-truncated",
    "fmjd-swiss-median",
    "fmjd-swiss-rating",
    "olympiad-1976",
    "olympiad-1978",
    "olympiad-2004",
    "olympiad-2008",
    "olympiad-2010",
)


def forget_idle_lists(apps: Any, schema_editor: Any) -> None:
    """Events whose system had criteria of its own were ranked by those alone."""
    events = apps.get_model("tournaments", "Event").objects.using(schema_editor.connection.alias)
    events.filter(system__in=FROZEN).exclude(criteria=[]).update(criteria=[])


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0012_publisher'),
    ]

    operations = [
        migrations.RunPython(forget_idle_lists, migrations.RunPython.noop, elidable=True),
        migrations.RemoveConstraint(
            model_name='override',
            name='override_says_what_it_changes',
        ),
        migrations.AddField(
            model_name='override',
            name='moved',
            field=models.JSONField(blank=True, default=list, help_text='Lists of number, place before, place after; of rules only.'),
        ),
        migrations.AddField(
            model_name='override',
            name='rules_from',
            field=models.JSONField(blank=True, default=dict, help_text='The settings that were changed, as they were; points are half-points.'),
        ),
        migrations.AddField(
            model_name='override',
            name='rules_to',
            field=models.JSONField(blank=True, default=dict, help_text='The same settings as they became.'),
        ),
        migrations.AlterField(
            model_name='override',
            name='kind',
            field=models.CharField(choices=[('pairing', 'Pairing'), ('criteria', 'Criteria'), ('rules', 'Rules'), ('value', 'Value'), ('place', 'Place'), ('undo', 'Undo')], max_length=8),
        ),
        migrations.AddConstraint(
            model_name='override',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'pairing'), ('round__isnull', False), ('table__isnull', False)), ('kind', 'criteria'), ('kind', 'rules'), models.Q(('competitor__isnull', False), ('kind', 'value'), models.Q(('criterion', ''), _negated=True)), models.Q(('competitor__isnull', False), ('kind', 'place'), ('place__gte', 1), ('place__isnull', False)), models.Q(('kind', 'undo'), ('undoes__isnull', False)), _connector='OR'), name='override_says_what_it_changes'),
        ),
    ]
