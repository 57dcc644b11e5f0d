"""Internal data of the desk: attendance, receipts, backups, uploads and column mappings."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournaments.event.choices import Presence
from tournaments.models.competitor import Competitor
from tournaments.models.event import Event


class Attendance(models.Model):
    """An attendance mark before a round. The last mark of a competitor and round counts.

    Rows are only added, so they are their own history, and the key of the last one is the version.
    """

    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, related_name="attendances")
    round = models.PositiveSmallIntegerField()
    # Blank removes the mark.
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
    """A processed entry with its client id. If the entry is sent again, the same outcome is returned."""

    # Created by the client, so that a repeated entry finds its outcome.
    id = models.UUIDField(primary_key=True)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="receipts")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    # The outcome at that time, which a later entry may have superseded.
    outcome = models.JSONField()

    class Meta:
        ordering = ["at"]

    def __str__(self) -> str:
        return str(self.id)


class Backup(models.Model):
    """An event file with the reason of the backup."""

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
    """An uploaded file with its event. `applied`: None until it is imported.

    `user`: who uploaded it, None for a command, which `by` names. `accepted`: the overridden `objections`,
    the `reason`, the `answers` (reading options) and who gave them (`by`); empty if there were none.
    """

    # None until a new event is imported from it.
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="uploads")
    name = models.CharField(max_length=255)
    file = models.BinaryField()
    # Stays if the file is deleted. None for files deleted before the column was added.
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
        if self._state.adding:
            self.size = len(self.file)
        super().save(*args, **kwargs)


class ColumnMapping(models.Model):
    """The last chosen fields for the columns of tables with the same heading."""

    # Hash of the heading only, because the next table has other rows and the same columns.
    signature = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=12, blank=True)
    columns = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.role or "not read"
