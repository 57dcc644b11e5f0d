"""Write the edition of FIDE's rules into events that name none, so that no stored table changes.

Until now such an event was ranked by the newest edition. Files are now read with the edition of the event's start.
"""

from typing import Any

from django.db import migrations

SYSTEMS = ("fide-swiss", "fide-round-robin", "fide-team-swiss", "fide-team-round-robin")
NEWEST = "fide-2026"


def write_edition(apps: Any, _schema_editor: Any) -> None:
    """Change the events; one whose rules were changed by hand keeps the record of that as it is."""
    Event = apps.get_model("tournaments", "Event")
    Override = apps.get_model("tournaments", "Override")
    changed = Override.objects.filter(kind="rules").values("event")
    Event.objects.filter(system__in=SYSTEMS, unplayed="").exclude(pk__in=changed).update(unplayed=NEWEST)


class Migration(migrations.Migration):
    """Nothing is undone: the edition that was meant is the one that is written."""

    dependencies = [("tournaments", "0052_unknown_facts")]

    operations = [migrations.RunPython(write_edition, migrations.RunPython.noop)]
