"""Link the competitors of all events to persons, for a database from before persons."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from tournaments.models import Event, LinkProposal, Person
from tournaments.people.services.linking import link_entries

BY = "manage.py link_people"


class Command(BaseCommand):
    """Link by id, and suggest links by name, event by event. Can run repeatedly."""

    help = "Links the entries of all events to persons and teams by their ids, and proposes namesakes."

    def handle(self, *_: Any, **__: Any) -> None:
        """Oldest event first, in a transaction per event."""
        for key in Event.objects.order_by("start", "pk").values_list("pk", flat=True):
            with transaction.atomic():
                event = Event.objects.select_for_update(of=("self",), no_key=True).filter(pk=key).first()
                if event:  # None if the event was deleted in the meantime
                    link_entries(event, BY)
        told = f"{Person.objects.count()} persons, {LinkProposal.objects.count()} links are proposed."
        self.stdout.write(told)
