"""Decisions and published data: tie-breaks, overrides, changes, acknowledgements, published standings."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournaments.event.choices import OverrideKind
from tournaments.event.dates import whole_day
from tournaments.models.competitor import Competitor
from tournaments.models.event import Event
from tournaments.models.versioned import Versioned, past


class ManualTiebreak(Versioned):
    """Tie-break number entered by an arbiter (criterion `manual`). Higher is better, no number is 0."""

    competitor = models.OneToOneField(Competitor, on_delete=models.CASCADE, related_name="manual_tiebreak")
    number = models.IntegerField()
    after = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The first round whose standings it touches; blank: the last one."
    )
    history = past()

    def __str__(self) -> str:
        return f"manual {self.number}"


class Ruling(models.Model):
    """Common base of decisions with author, time and reason."""

    reason = models.TextField()
    # A name instead of an account, because commands have no account and records outlive accounts.
    by = models.CharField(max_length=120)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True


class Override(Ruling):
    """A manual change of a computed value (rules § 3). Never changed; undone by another override.

    Kind `rules`: a change of the ranking rules after the first result. The rules in force are in the
    event's settings. Kind `criteria` occurs only in older records.
    """

    Kind = OverrideKind

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="overrides")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    # Computed when the override was added, because later rounds change the value.
    was = models.CharField(max_length=200, blank=True, help_text="What the system would have given.")
    after = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The first round whose standings it touches."
    )
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    competitor = models.ForeignKey(
        Competitor, on_delete=models.CASCADE, null=True, blank=True, related_name="overrides"
    )
    criterion = models.CharField(max_length=60, blank=True)
    # Text, because JSON numbers become floats and levels must be exact.
    levels = models.JSONField(default=list, blank=True, help_text="Exact decimals as text, in points.")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    criteria = models.JSONField(default=list, blank=True)
    rules_from = models.JSONField(
        default=dict,
        blank=True,
        help_text="The settings that were changed, as they were; points are half-points.",
    )
    rules_to = models.JSONField(default=dict, blank=True, help_text="The same settings as they became.")
    moved = models.JSONField(
        default=list, blank=True, help_text="Lists of number, place before, place after; of rules only."
    )
    # One to one, because an override can be undone only once.
    undoes = models.OneToOneField(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="undone_by"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="override_number_once_an_event"),
            models.CheckConstraint(
                condition=Q(kind="pairing", round__isnull=False, table__isnull=False)
                | Q(kind="criteria")
                | Q(kind="rules")
                | (Q(kind="value", competitor__isnull=False) & ~Q(criterion=""))
                | Q(kind="place", competitor__isnull=False, place__isnull=False, place__gte=1)
                | Q(kind="undo", undoes__isnull=False)
                | Q(kind="rewind", round__isnull=False),
                name="override_says_what_it_changes",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="override_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"override {self.number}"

    @property
    def tells_moves(self) -> bool:
        """Return whether it has moved places: a change of the rules, or an undo of one."""
        undone = self.undoes.kind if self.undoes else self.kind
        return undone == self.Kind.RULES


class Change(Ruling):
    """An entry of the public change log: a corrected result, and the places that it moved."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="changes")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    was = models.CharField(max_length=200)
    now = models.CharField(max_length=200)
    moved = models.JSONField(
        default=list, blank=True, help_text="Lists of number, place before, place after."
    )
    paired = models.JSONField(
        default=list,
        db_default=[],
        blank=True,
        help_text="The published rounds that had been paired from the result before.",
    )

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table}: {self.was} became {self.now}"


class Acknowledgement(Ruling):
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="acknowledgements")
    finding = models.CharField(max_length=60)
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    table = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.finding} acknowledged"


class Published(Versioned):
    """The published standings. Values are exact decimals as text, by competitor number."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="published")
    order = models.JSONField(default=list, blank=True, help_text="Lists of numbers that share a place.")
    columns = models.JSONField(default=dict, blank=True)
    after_round = models.JSONField(default=dict, blank=True)
    publisher = models.CharField(max_length=200, blank=True, help_text="Who printed them.")
    source = models.TextField(blank=True, help_text="Where: an address, a bulletin, a file.")
    taken = models.CharField(
        max_length=10,
        blank=True,
        validators=[whole_day],
        help_text="The day on which they were taken from there; empty where that is not known.",
    )
    known = models.JSONField(default=list, blank=True)
    history = past()

    class Meta:
        verbose_name_plural = "published standings"

    def __str__(self) -> str:
        return "published standings"
