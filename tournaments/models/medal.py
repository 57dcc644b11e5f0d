"""Medals: the first three of finished events, stored for lists of persons and teams.

Computed from the standings, and written only by `standings.careers.medals`.
"""

from django.db import models

from tournaments.models.competitor import Competitor
from tournaments.models.event import Event


class Medal(models.Model):
    """A competitor in one of the first three places, at the time of the last count."""

    # No constraint, so that deleting competitors needs no query. The next count deletes the row.
    competitor = models.OneToOneField(
        Competitor, on_delete=models.DO_NOTHING, db_constraint=False, primary_key=True, related_name="medal"
    )
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="medals")
    place = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.place} in {self.event_id}"


class MedalCount(models.Model):
    """The build that counted the medals of an event, and whether the event was public.

    The revision of the count is `Revision.counted`.
    """

    event = models.OneToOneField(
        Event, on_delete=models.CASCADE, primary_key=True, related_name="medal_count"
    )
    is_public = models.BooleanField()
    build = models.PositiveBigIntegerField(db_index=True, help_text="The hash of the code, as a number.")

    def __str__(self) -> str:
        return f"counted by build {self.build:x}"
