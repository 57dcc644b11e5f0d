from django.db import migrations, models

from tournaments.operations.compatibility import KeepsOlderPrograms


def store_links(apps, _editor):
    links = apps.get_model("tournaments", "PersonLink").objects.filter(person__hidden=True)
    rows = apps.get_model("tournaments", "WithheldRow").objects
    for side in ("competitor", "player"):
        there = links.filter(**{side: models.OuterRef("key")}).values("pk")[:1]
        linked = rows.filter(table=side, key__in=links.exclude(**{side: None}).values(side))
        linked.update(link=models.Subquery(there))
    # The entry may be gone: then the values wait (key 0) for that of the only absent link with their name.
    waiting = list(links.filter(competitor=None, player=None))
    for row in rows.filter(table__in=("competitor", "player"), link=None):
        found = [each.pk for each in waiting if (each.event_id, each.name) == (row.event_id, row.before.get("name"))]
        if len(found) == 1:
            rows.filter(pk=row.pk).update(link=found[0], key=0)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0058_release_1_0")]

    operations = [
        migrations.AddField("withheldrow", "link", models.PositiveBigIntegerField(editable=False, null=True)),
        migrations.RunPython(store_links, migrations.RunPython.noop),
        KeepsOlderPrograms("0059_link_of_withheld_values"),
    ]
