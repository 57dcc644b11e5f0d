"""Medal: who was among the first three of an event that is over; kept for lists of many persons and teams.

Made of the standings by `standings.careers.medals`, and only there; nothing is recorded here.
"""

from django.db import models

from tournaments.models.competitor import Competitor
from tournaments.models.event import Event


class Medal(models.Model):
    """A competitor at one of the first three places, as the standings had it when they were counted."""

    # Without a constraint: no deletion of competitors has to ask for it. The next count takes the row away.
    competitor = models.OneToOneField(
        Competitor, on_delete=models.DO_NOTHING, db_constraint=False, primary_key=True, related_name="medal"
    )
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="medals")
    place = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.place} in {self.event_id}"


class MedalCount(models.Model):
    """By which build the medals of an event were counted, and whether readers found the event then.

    At which of its revisions is `Revision.counted`.
    """

    event = models.OneToOneField(
        Event, on_delete=models.CASCADE, primary_key=True, related_name="medal_count"
    )
    is_public = models.BooleanField()
    build = models.PositiveBigIntegerField(db_index=True, help_text="The hash of the code, as a number.")

    def __str__(self) -> str:
        return f"counted by build {self.build:x}"
