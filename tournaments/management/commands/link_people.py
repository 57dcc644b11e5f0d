"""Link the entries of all events, as imports do: for a database that is older than persons."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from tournaments.models import Event, LinkProposal, Person
from tournaments.recording.people.linking import link_entries

BY = "manage.py link_people"


class Command(BaseCommand):
    """Link by id and propose by name, event by event, any number of times."""

    help = "Links the entries of all events to persons and teams by their ids, and proposes namesakes."

    def handle(self, *_: Any, **__: Any) -> None:
        """Link event by event, each in a transaction of its own, the oldest first."""
        for key in Event.objects.order_by("start", "pk").values_list("pk", flat=True):
            with transaction.atomic():
                event = Event.objects.select_for_update(of=("self",), no_key=True).filter(pk=key).first()
                if event:  # else it was removed meanwhile
                    link_entries(event, BY)
        told = f"{Person.objects.count()} persons, {LinkProposal.objects.count()} links are proposed."
        self.stdout.write(told)
