"""Line-ups sent by captains, and results sent by players.

Only the desk sees them. They are not in event files, clones or restored events and do not raise the
revision, because nothing counts before the desk accepts it.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournaments.event.choices import PairingSide
from tournaments.models.competitor import Competitor
from tournaments.models.event import Round
from tournaments.models.pairing import Pairing

LONGEST_KEY = 22
LONGEST_NETWORK = 45


class LineupCall(models.Model):
    """The deadline of captains for line-ups of a round, and who set it last."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="lineup_call")
    due = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"line-ups of {self.round} until {self.due:%Y-%m-%d %H:%M}"


class CaptainLink(models.Model):
    """A captain's link for line-ups of a team in a round. `revoked`: None while it works."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="captain_links")
    team = models.ForeignKey(Competitor, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=LONGEST_KEY, help_text="At random; a new link has another one.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    revoked = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "team"], condition=models.Q(revoked=None), name="one_captain_link_a_team"
            )
        ]

    def __str__(self) -> str:
        return f"{self.team}, {self.round}"


class LineupSent(models.Model):
    """A line-up as sent. The one with the highest `number` is the current one.

    `players`: keys from board 1, None for an empty board. `opponent`: the opponent at that time; the
    line-up is outdated if the team has another one.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="lineups_sent")
    team = models.ForeignKey(Competitor, on_delete=models.CASCADE, related_name="+")
    opponent = models.ForeignKey(Competitor, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveSmallIntegerField(help_text="Counts what the team sent for the round.")
    players = models.JSONField()
    at = models.DateTimeField(default=timezone.now)
    network = models.CharField(max_length=LONGEST_NETWORK, help_text="The beginning of the address.")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "team", "number"], name="lineup_sent_once_a_number")
        ]
        indexes = [models.Index(fields=["network", "at"], name="lineup_sent_from")]

    def __str__(self) -> str:
        return f"{self.team}, {self.round}: {self.number}"


class ResultSent(models.Model):
    """A result as sent by one side of a game. The one with the highest `number` is the current one.

    `side`: blank if both sides share a link. `board`: 0 if the pairing is the game. `seats`: the
    competitors at that time (`recording.results.from_players.seats_key`); the result is outdated if they
    have changed.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="results_sent")
    board = models.PositiveSmallIntegerField(default=0)
    side = models.CharField(max_length=6, blank=True, choices=PairingSide)
    seats = models.CharField(max_length=45)
    text = models.CharField(max_length=20, help_text="As it would be typed.")
    number = models.PositiveSmallIntegerField(help_text="Counts what the side sent for the game.")
    at = models.DateTimeField(default=timezone.now)
    network = models.CharField(max_length=LONGEST_NETWORK, help_text="The beginning of the address.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["pairing", "board", "side", "number"], name="result_sent_once_a_number"
            )
        ]
        indexes = [models.Index(fields=["network", "at"], name="result_sent_from")]

    def __str__(self) -> str:
        return f"{self.pairing}, board {self.board}: {self.text}"
