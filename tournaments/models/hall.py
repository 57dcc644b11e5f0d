"""What comes from the hall: line-ups that captains sent, and results that players did.

The desk alone sees them. Nothing of it is in event files, clones or restored events, and no revision rises
by it: nothing that came from the hall counts before the desk has taken it into the record.
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
    """The time until which captains may send the line-ups of a round, and who set it last."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="lineup_call")
    due = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"line-ups of {self.round} until {self.due:%Y-%m-%d %H:%M}"


class CaptainLink(models.Model):
    """A link by which one team's captain sends line-ups of one round; `revoked` is None while it works."""

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
    """A line-up as a captain sent it; the one with the highest `number` is the team's.

    `players` are their keys from board 1 on, None where nobody sits. It was meant against `opponent`, and
    is out of date once the team has another one.
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
    """A result as one side of a game sent it; the one with the highest `number` is that side's.

    `side` is blank where one link is for both; `board` 0 where the pairing is the game. `seats` says who sat
    there (`tournaments.recording.playersentry.seats_of`): where others sit now, it is out of date.
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
