"""Data for linking: folded names of entries, suggested and refused links, and acts (ADR 0040).

Also the original values of rows that were changed to hide a person (ADR 0041).
"""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from tournaments.people.models.person import LONGEST_KEY, Person
from tournaments.people.models.team import Team

LONGEST_SIDE = 260
"""Length of a side of a suggestion: key of the event, folded name and folded team."""


class EntryName(models.Model):
    """The folded name of an entry, for finding namesakes. Updated after each import and edit.

    An entry is a competitor (a player or a team) or a player of a team.
    """

    event = models.ForeignKey("Event", on_delete=models.CASCADE, related_name="+")
    competitor = models.OneToOneField("Competitor", on_delete=models.CASCADE, null=True, related_name="+")
    player = models.OneToOneField("Player", on_delete=models.CASCADE, null=True, related_name="+")
    is_team = models.BooleanField(default=False)
    key = models.CharField(max_length=LONGEST_KEY)

    class Meta:
        # This index finds the newest entries of a name without reading all of them.
        indexes = [models.Index(fields=["key", "id"], name="newest_of_a_name")]
        constraints = [
            models.CheckConstraint(
                condition=Q(competitor__isnull=True, player__isnull=False)
                | Q(competitor__isnull=False, player__isnull=True),
                name="name_of_one_entry",
            )
        ]

    def __str__(self) -> str:
        return self.key


class LinkProposal(models.Model):
    """A suggestion that an entry is a person or a team, or the same as another entry.

    The evidence is computed for each display (`tournaments.people.matching.weighing.weigh_suggestions`).
    The suggestion is deleted with its entries, or if it is confirmed or refused.
    """

    class Why(models.TextChoices):
        """Reasons for suggesting a link instead of creating it."""

        NAME = "name", "the same name"
        CONTRADICTION = "contradiction", "the same id, and something that contradicts it"
        RENAMED = "renamed", "the entry was linked and has another name now"
        CODE = "code", "the same code under another name"

    event = models.ForeignKey("Event", on_delete=models.CASCADE, related_name="+")
    competitor = models.ForeignKey("Competitor", on_delete=models.CASCADE, null=True, related_name="+")
    player = models.ForeignKey("Player", on_delete=models.CASCADE, null=True, related_name="+")
    # The possible owner or other entry: one of these four.
    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, related_name="proposals")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="proposals")
    other_competitor = models.ForeignKey("Competitor", on_delete=models.CASCADE, null=True, related_name="+")
    other_player = models.ForeignKey("Player", on_delete=models.CASCADE, null=True, related_name="+")
    why = models.CharField(max_length=13, choices=Why)
    weight = models.SmallIntegerField(default=0, help_text="What agrees less what differs.")
    # Both sides as texts that survive deleted rows (`matching.entrants.sides`), the smaller first.
    one = models.CharField(max_length=LONGEST_SIDE, editable=False)
    other = models.CharField(max_length=LONGEST_SIDE, editable=False)
    at = models.DateTimeField(editable=False, db_default=Now())

    class Meta:
        ordering = ["-weight", "pk"]
        constraints = [models.UniqueConstraint(fields=["one", "other"], name="link_proposed_once")]

    def __str__(self) -> str:
        return f"{self.one} = {self.other}?"


class StandingRefusals(models.Manager["LinkRefusal"]):
    """Refusals in force: those by users, and those that follow from one in force."""

    def get_queryset(self) -> models.QuerySet["LinkRefusal"]:
        rows = super().get_queryset()
        return rows.filter(Q(follows=None) | Q(follows__in=rows.values("pk")))


class LinkRefusal(models.Model):
    """A decision that two sides are different. They are neither suggested again nor linked by an id.

    Sides are texts instead of keys, because an entry stays the same after another import. Every act that
    refuses has its own row, so that undoing one does not affect another. A refusal of an entry also
    applies to its person, by another row that `follows` the first and is in force as long as the first is.
    """

    one = models.CharField(max_length=LONGEST_SIDE, db_index=True)
    other = models.CharField(max_length=LONGEST_SIDE, db_index=True)
    by = models.CharField(max_length=120, blank=True)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(editable=False, db_default=Now())
    # A number instead of a foreign key: the row is deleted by an undo and restored with the same number.
    follows = models.PositiveBigIntegerField(null=True, editable=False)

    objects = models.Manager["LinkRefusal"]()
    standing = StandingRefusals()

    def __str__(self) -> str:
        return f"{self.one} ≠ {self.other}"


class PeopleAct(models.Model):
    """A change of persons, teams and their links: author, time, reason, and all changed values.

    `changes`: a list for each row with model, key, and values before and after; None if the row did not
    exist. An act is undone by another act, which refers to it in `undoes`.
    """

    class Kind(models.TextChoices):
        CREATE = "create", "made"
        EDIT = "edit", "changed"
        LINK = "link", "linked"
        UNLINK = "unlink", "link taken away"
        CONFIRM = "confirm", "confirmed"
        REFUSE = "refuse", "refused"
        MERGE = "merge", "merged"
        SPLIT = "split", "split"
        HIDE = "hide", "hidden"
        SHOW = "show", "shown again"
        DOUBT = "doubt", "hidden in doubt"
        UNDO = "undo", "undone"

    kind = models.CharField(max_length=7, choices=Kind)
    by = models.CharField(max_length=120)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(editable=False, db_default=Now())
    changes = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    undoes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="undone_by"
    )

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind} by {self.by}"


class ActSubject(models.Model):
    """A person or a team of an act, by number, because the person may be deleted by an undo."""

    act = models.ForeignKey(PeopleAct, on_delete=models.CASCADE, related_name="subjects")
    is_team = models.BooleanField(default=False)
    number = models.PositiveBigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["act", "is_team", "number"], name="subject_once_an_act")
        ]
        indexes = [models.Index(fields=["is_team", "number"], name="acts_of_a_subject")]

    def __str__(self) -> str:
        return f"{'team' if self.is_team else 'person'} {self.number}"


class WithheldRow(models.Model):
    """The values of a row before and after, by field. Internal to the desk: no page or file shows it.

    Values of an entry belong to a link, which may be removed or waits for the entry to return.
    """

    event = models.ForeignKey("Event", on_delete=models.CASCADE, related_name="+")
    table = models.CharField(max_length=40, help_text="The model of the row.")
    key = models.PositiveBigIntegerField(help_text="The primary key of the row.")
    # A number instead of a foreign key: the link is deleted by an act and restored with the same number.
    link = models.PositiveBigIntegerField(null=True, editable=False)
    before = models.JSONField(encoder=DjangoJSONEncoder)
    after = models.JSONField(encoder=DjangoJSONEncoder)
    at = models.DateTimeField(editable=False, db_default=Now())

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table} {self.key}"
