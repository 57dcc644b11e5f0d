"""Person: somebody over events; PersonLink: which entry of an event is that person (ADR 0040)."""

from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from tournaments.event.choices import Sex
from tournaments.event.dates import partial_date
from tournaments.models.competitor import Competitor, Player
from tournaments.models.event import Event

LONGEST_KEY = 160
"""Signs of a folded name: some letters are written with two or three of ours."""


class Known(models.Model):
    """What persons and teams have alike: a version for forms, who saved it last, and where it has gone."""

    name = models.CharField(max_length=120)
    key = models.CharField(
        max_length=LONGEST_KEY,
        db_index=True,
        editable=False,
        help_text="The name folded: what `tournaments.people.names.name_key` makes of it.",
    )
    note = models.TextField(blank=True, help_text="For the desk alone.")
    sources = models.JSONField(default=list, blank=True, help_text="Addresses and books, a text each.")
    version = models.PositiveIntegerField(default=1, editable=False)
    changed_by = models.CharField(max_length=120, blank=True, editable=False)
    changed_at = models.DateTimeField(editable=False, db_default=Now())

    class Meta:
        abstract = True
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Person(Known):
    """Somebody over events. Readers are told what `tournaments.people.public.public_person` says, no more."""

    sex = models.CharField(max_length=1, choices=Sex, blank=True)
    born = models.CharField(
        max_length=10,
        blank=True,
        validators=[partial_date],
        help_text="A day or a year; public pages and files tell the year only.",
    )
    # PROTECT: an address that leads on leads on for ever.
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="absorbed", editable=False
    )
    hidden = models.BooleanField(default=False, help_text="Readers are shown a pseudonym everywhere.")


class PersonName(models.Model):
    """Another name of a person: another script or order, the name before a marriage."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="names")
    name = models.CharField(max_length=120)
    key = models.CharField(max_length=LONGEST_KEY, db_index=True, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["person", "name"], name="name_once_a_person")]

    def __str__(self) -> str:
        return self.name


class Dated(models.Model):
    """Something that held from one day on and until another; blank where that is not known."""

    since = models.CharField(max_length=10, blank=True, validators=[partial_date])
    until = models.CharField(max_length=10, blank=True, validators=[partial_date])

    class Meta:
        abstract = True


class PersonFederation(Dated):
    """The federation that a person played for."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="federations")
    code = models.CharField(max_length=8)

    class Meta:
        ordering = ["since", "code"]

    def __str__(self) -> str:
        return self.code


class PersonTitle(models.Model):
    """A title that a person has, and since when."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="titles")
    title = models.CharField(max_length=8)
    since = models.CharField(max_length=10, blank=True, validators=[partial_date])

    class Meta:
        ordering = ["since", "title"]

    def __str__(self) -> str:
        return self.title


class PersonIdentifier(models.Model):
    """An id that a federation gave a person: `fide`, `fmjd`, or a national one such as `ned`."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="identifiers")
    scheme = models.CharField(max_length=8, validators=[MinLengthValidator(3)])
    value = models.CharField(max_length=32)

    class Meta:
        ordering = ["scheme", "value"]
        constraints = [models.UniqueConstraint(fields=["scheme", "value"], name="identifier_of_one_person")]

    def __str__(self) -> str:
        return f"{self.scheme} {self.value}"


class EntryLink(models.Model):
    """What links of persons and teams have alike: how they came about, and what the entry was last called.

    An entry that leaves its event leaves its link behind, which **waits**: `number` and `name` (and `team`
    of a player) are what it is recognised by when the entry comes back (docs/people.md).
    """

    class How(models.TextChoices):
        """The ways in which a link comes about."""

        ID = "id", "the same id"
        CONFIRMED = "confirmed", "a proposal was confirmed"
        HAND = "hand", "by hand"

    how = models.CharField(max_length=9, choices=How)
    number = models.PositiveSmallIntegerField(help_text="Of the competitor, when last seen.")
    name = models.CharField(max_length=120, help_text="Of the entry, when last seen.")
    by = models.CharField(max_length=120, blank=True)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(editable=False, db_default=Now())

    class Meta:
        abstract = True


class PersonLink(EntryLink):
    """An entry that is a person: a competitor of an event of players, or a player of a team.

    With neither of the two it waits for the entry to come back.
    """

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="links")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="person_links")
    competitor = models.OneToOneField(
        Competitor, on_delete=models.SET_NULL, null=True, blank=True, related_name="person_link"
    )
    player = models.OneToOneField(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="person_link"
    )
    team = models.CharField(max_length=120, blank=True, help_text="Of a player, when last seen.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(competitor__isnull=True) | Q(player__isnull=True), name="person_link_of_one_entry"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} in {self.event_id}"


class CountedRevision(models.Model):
    """What revisions of persons and of teams have alike. Only the database writes `number` and `named`."""

    number = models.PositiveBigIntegerField(editable=False)
    named = models.PositiveBigIntegerField(
        editable=False, db_default=1, help_text="The number at the last change of what a search looks up."
    )
    searched = models.PositiveBigIntegerField(
        editable=False, db_default=0, help_text="What a search looks up was made at this `named`."
    )
    tallied = models.PositiveBigIntegerField(
        editable=False, db_default=0, help_text="What a list says was tallied at this number."
    )

    class Meta:
        abstract = True


class PersonRevision(CountedRevision):
    """How often a person has changed, with all that hangs on it. Only the database writes it."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, primary_key=True)

    class Meta(CountedRevision.Meta):
        abstract = False
        indexes = [
            models.Index(fields=["person"], condition=Q(named__gt=F("searched")), name="persons_unsearched"),
            models.Index(fields=["person"], condition=Q(number__gt=F("tallied")), name="persons_untallied"),
        ]

    def __str__(self) -> str:
        return f"revision {self.number}"
