"""Pairings proposed by an engine, and checks of published pairings by an engine."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournaments.models.event import Event, Round


class Proposal(models.Model):
    """A requested proposal for a round, with all data to compute it again.

    `input`: report for the engine, blank after housekeeping. `sha256`: checksum of the entire input.
    `options`: input except the report. `competitors`: primary keys of the competitors whose numbers are in
    `options`, in the same order. `draft`: checksum of the pairings at that time, which are replaced only
    if it still matches. `pairs`: computed pairs. `problem`: error message. Proposals are internal to the
    desk: event files, clones and restored copies do not contain them.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="proposals")
    engine = models.CharField(max_length=20)
    version = models.CharField(max_length=40, blank=True)
    options = models.JSONField(default=dict)
    # None in rows of earlier releases.
    competitors = models.JSONField(null=True)
    input = models.TextField()
    sha256 = models.CharField(max_length=64)
    draft = models.CharField(max_length=64)
    pairs = models.JSONField(default=list)
    problem = models.TextField(blank=True)
    # None until the engine has finished.
    seconds = models.FloatField(null=True)
    # None if it was not applied, because it failed or the draft was changed.
    applied = models.DateTimeField(null=True)
    by = models.CharField(max_length=120)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}: {self.engine} {self.version}"


class PairingsCheck(models.Model):
    """Result of checking the pairings of an event, valid for one state of the event.

    `subject`: checksum of the input, so that a changed name needs no new check. `rounds`: result for each
    round. `problem`: reason why there is no result.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="pairings_check")
    subject = models.CharField(max_length=64)
    engine = models.CharField(max_length=60)
    rounds = models.JSONField(default=list)
    problem = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}: {self.engine}"
