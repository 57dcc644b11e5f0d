"""The rows that the desk keeps for itself: attendance, receipts, backups, uploads and their columns."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournaments.event.choices import Presence
from tournaments.models.competitor import Competitor
from tournaments.models.event import Event


class Attendance(models.Model):
    """A mark made at the door: who was there before a round. The last one of a competitor and round holds.

    Rows are added and never changed, so they are their own history, and the key of the last one its version.
    """

    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, related_name="attendances")
    round = models.PositiveSmallIntegerField()
    # Blank takes a mark back.
    state = models.CharField(max_length=7, choices=Presence, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(round__gte=1), name="attendance_counts_rounds_from_one"),
            models.CheckConstraint(condition=Q(state__in=["", *Presence.values]), name="presence_known"),
        ]

    def __str__(self) -> str:
        return self.state


class Receipt(models.Model):
    """An entry that was taken in, under the id its client made: sent again, it gets the same answer."""

    # Made by the client, so that an entry sent again finds its answer.
    id = models.UUIDField(primary_key=True)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="receipts")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    # The answer as it was given then, which another entry may have overtaken.
    outcome = models.JSONField()

    class Meta:
        ordering = ["at"]

    def __str__(self) -> str:
        return str(self.id)


class Backup(models.Model):
    """An event as it was: the bytes of its event file, and why they were kept."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="backups")
    file = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    reason = models.TextField()
    by = models.CharField(max_length=120)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}: {self.reason}"


class Upload(models.Model):
    """A file as it came in, kept with the event it was imported into; `applied` is None until it is.

    `user` is who uploaded it, None for a command, which `by` names. `accepted` has the
    `objections` to the file and the `reason` why it was imported nevertheless; it is empty without any.
    """

    # None until a new event is imported from it.
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="uploads")
    name = models.CharField(max_length=255)
    file = models.BinaryField()
    # Stays when the bytes go; None where they had gone before it was written down.
    size = models.PositiveBigIntegerField(null=True, editable=False)
    sha256 = models.CharField(max_length=64)
    by = models.CharField(max_length=120)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    applied = models.DateTimeField(null=True)
    accepted = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the size of the file down with it."""
        if self._state.adding:
            self.size = len(self.file)
        super().save(*args, **kwargs)


class ColumnMapping(models.Model):
    """The fields that the columns of tables with a certain heading were taken for last, by column."""

    # Of the heading alone: next week's table has other rows and the same columns.
    signature = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=12, blank=True)
    columns = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.role or "not read"
