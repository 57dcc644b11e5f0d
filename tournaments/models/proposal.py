"""Pairings as an engine proposed them, and what it found of those that were made."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournaments.models.event import Event, Round


class Proposal(models.Model):
    """Pairings of a round that somebody asked an engine for, with all that it takes to make them again.

    `input` is the report that the engine read, blank once housekeeping took it; `sha256` is the checksum of
    all that it was told, `options` what it was asked beside the report. `competitors` are the primary keys of
    the competitors whose numbers `options` has, in the same order. `draft` is a checksum of the pairings
    that stood then: they are replaced only while they are the same. `pairs` are what came out, `problem` why
    nothing did, in words. Neither event files nor clones nor restored copies have proposals: they are the
    desk's, and what came of them are the pairings.
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
    # None until an engine has ended.
    seconds = models.FloatField(null=True)
    # None where it was not taken over: it failed, or the draft was changed meanwhile.
    applied = models.DateTimeField(null=True)
    by = models.CharField(max_length=120)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}: {self.engine} {self.version}"


class PairingsCheck(models.Model):
    """What an engine found of the pairings of an event, at one state of the event: kept until it changes.

    `subject` is a checksum of what the engine read, so that a change of a name asks for no further check.
    `rounds` is a list of what it said of each round; `problem` is why it said nothing.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="pairings_check")
    subject = models.CharField(max_length=64)
    engine = models.CharField(max_length=60)
    rounds = models.JSONField(default=list)
    problem = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}: {self.engine}"
