from django.db import migrations, models

from tournaments.operations.compatibility import KeepsOlderPrograms


def store_links(apps, _editor):
    links = apps.get_model("tournaments", "PersonLink").objects.filter(person__hidden=True)
    for side in ("competitor", "player"):
        rows = apps.get_model("tournaments", "WithheldRow").objects.filter(table=side)
        rows.update(link=models.Subquery(links.filter(**{side: models.OuterRef("key")}).values("pk")[:1]))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0058_release_1_0")]

    operations = [
        migrations.AddField("withheldrow", "link", models.PositiveBigIntegerField(editable=False, null=True)),
        migrations.RunPython(store_links, migrations.RunPython.noop),
        KeepsOlderPrograms("0059_link_of_withheld_values"),
    ]
