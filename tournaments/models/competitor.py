"""Competitors of events (teams or players), and the players of teams."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from tournaments.event.choices import Sex
from tournaments.event.dates import partial_date
from tournaments.event.values import FIXED_TABLE
from tournaments.models.event import Event
from tournaments.models.versioned import Versioned, past


class Particulars(models.Model):
    """Personal data of a competitor or a player. The public sees only the year of birth."""

    club = models.CharField(max_length=120, blank=True)
    city = models.CharField(max_length=120, blank=True)
    sex = models.CharField(max_length=1, choices=Sex, blank=True)
    born = models.CharField(
        max_length=10,
        blank=True,
        validators=[partial_date],
        help_text="A day or a year; public pages and files tell the year only.",
    )
    categories = models.JSONField(default=list, blank=True, help_text="Such as U20 or W.")
    fide_id = models.PositiveBigIntegerField("FIDE id", null=True, blank=True)
    fmjd_id = models.PositiveBigIntegerField("FMJD id", null=True, blank=True)

    class Meta:
        abstract = True


class Competitor(Particulars, Versioned):
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="competitors")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    # None if it is the number. The number itself stays, because addresses and links contain it.
    pairing_number = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text="The number for the pairing."
    )
    name = models.CharField(max_length=120)
    code = models.CharField(max_length=8, blank=True, help_text="Short code, such as GEO2.")
    flag = models.CharField(
        max_length=3, blank=True, help_text="Federation or country code where it differs from the code."
    )
    title = models.CharField(max_length=8, blank=True)
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    rating_class = models.CharField(max_length=1, blank=True)
    fixed_table = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(FIXED_TABLE.most)],
        help_text="Table of a competitor who cannot move. Never public.",
    )
    outside = models.BooleanField(default=False, help_text="Plays outside the competition.")
    withdrawn_after = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The last round before the withdrawal."
    )
    requested_byes = models.JSONField(
        default=dict, blank=True, help_text="Kinds of bye by the number of the round: half-bye or zero-bye."
    )
    adjustments = models.JSONField(
        default=list, blank=True, help_text="Bonus and penalty points, as the event file has them."
    )
    category_decisions = models.JSONField(
        default=list, blank=True, help_text="Categories decided by hand, as the event file has them."
    )
    awards = models.JSONField(default=list, blank=True, help_text="The names of special prizes.")
    history = past()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="competitor_number_once_an_event"),
            models.CheckConstraint(condition=Q(number__gte=1), name="competitors_count_from_one"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def paired_as(self) -> int:
        return self.pairing_number or self.number


class Player(Particulars, Versioned):
    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, related_name="players")
    board = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Place in the board order.")
    name = models.CharField(max_length=120)
    title = models.CharField(max_length=8, blank=True)
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    history = past()

    class Meta:
        ordering = [models.F("board").asc(nulls_last=True), "pk"]
        constraints = [
            models.UniqueConstraint(fields=["competitor", "board"], name="one_player_a_place_in_the_order"),
            models.UniqueConstraint(fields=["competitor", "fide_id"], name="player_once_a_team"),
            models.UniqueConstraint(
                fields=["competitor", "name"],
                condition=models.Q(fide_id__isnull=True),
                name="name_tells_a_player_without_an_id",
            ),
        ]

    def __str__(self) -> str:
        return self.name
