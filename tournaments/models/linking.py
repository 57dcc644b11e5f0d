"""What links rest on: folded names of entries, links proposed and refused, and who did what (ADR 0040)."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from tournaments.models.competitor import Competitor, Player
from tournaments.models.event import Event
from tournaments.models.person import LONGEST_KEY, Person
from tournaments.models.team import Team

LONGEST_SIDE = 260
"""Signs of a side of a proposal: an event's key, a folded name and a folded team."""


class EntryName(models.Model):
    """The folded name of an entry, by which namesakes are found; written after each import and edit.

    An entry is a competitor (a player, or a team) or a player of a team.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    competitor = models.OneToOneField(Competitor, on_delete=models.CASCADE, null=True, related_name="+")
    player = models.OneToOneField(Player, on_delete=models.CASCADE, null=True, related_name="+")
    is_team = models.BooleanField(default=False)
    key = models.CharField(max_length=LONGEST_KEY)

    class Meta:
        # The newest of a name are found without looking at the others of that name.
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
    """An entry that may be a person or a team, or the same as another entry; it waits to be looked at.

    What speaks for it and against it is read anew whenever it is looked at
    (`tournaments.people.weighing.evidence_of`). It goes with its entries, and when it is confirmed or
    refused.
    """

    class Why(models.TextChoices):
        """The reasons for which a link is proposed and not made."""

        NAME = "name", "the same name"
        CONTRADICTION = "contradiction", "the same id, and something that contradicts it"
        RENAMED = "renamed", "the entry was linked and has another name now"
        CODE = "code", "the same code under another name"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, null=True, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="+")
    # What the entry may be: one of these four.
    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, related_name="proposals")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="proposals")
    other_competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, null=True, related_name="+")
    other_player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="+")
    why = models.CharField(max_length=13, choices=Why)
    weight = models.SmallIntegerField(default=0, help_text="What agrees less what differs.")
    # The two sides as texts that outlive rows (`tournaments.people.sides`), the lesser first.
    one = models.CharField(max_length=LONGEST_SIDE, editable=False)
    other = models.CharField(max_length=LONGEST_SIDE, editable=False)
    at = models.DateTimeField(editable=False, db_default=Now())

    class Meta:
        ordering = ["-weight", "pk"]
        constraints = [models.UniqueConstraint(fields=["one", "other"], name="link_proposed_once")]

    def __str__(self) -> str:
        return f"{self.one} = {self.other}?"


class StandingRefusals(models.Manager["LinkRefusal"]):
    """Refusals that hold: those that people made, and what follows from one that stands."""

    def get_queryset(self) -> models.QuerySet["LinkRefusal"]:
        """Return them without what follows from a refusal that was undone."""
        rows = super().get_queryset()
        return rows.filter(Q(follows=None) | Q(follows__in=rows.values("pk")))


class LinkRefusal(models.Model):
    """Two sides that somebody said are not the same: they are never proposed again, nor linked by an id.

    Texts and no keys: an entry that is imported anew is the same entry. Each act that refuses has a row of
    its own, so that undoing one takes back no other. What was refused of an entry is refused of the person
    that it is linked to, which is a row too: it `follows` from the first one, and holds as long as that does.
    """

    one = models.CharField(max_length=LONGEST_SIDE, db_index=True)
    other = models.CharField(max_length=LONGEST_SIDE, db_index=True)
    by = models.CharField(max_length=120, blank=True)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(editable=False, db_default=Now())
    # A number and no foreign key: the row that it names goes when it is undone, and comes back under it.
    follows = models.PositiveBigIntegerField(null=True, editable=False)

    objects = models.Manager["LinkRefusal"]()
    standing = StandingRefusals()

    def __str__(self) -> str:
        return f"{self.one} ≠ {self.other}"


class PeopleAct(models.Model):
    """What somebody did to persons, teams and their links: who, when, why, and every value that it changed.

    `changes` has a list for each row: the model, the key, the values before and after; None for a row that
    was not there. An act is undone by another, which names it in `undoes`, so an undoing is undone alike.
    """

    class Kind(models.TextChoices):
        """The acts."""

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
    """A person or a team that an act was about, by number: an act outlives a person that it made."""

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
