"""Persons across events, and their links to entries (ADR 0040)."""

from typing import ClassVar

from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from tournaments.event.choices import Sex
from tournaments.event.dates import partial_date

LONGEST_KEY = 160
"""Length of a folded name: some letters are transliterated into two or three."""


class BaseOwner(models.Model):
    """Common base of persons and teams, with a version for forms and the author of the last change."""

    DEPENDENT_ROWS: ClassVar[tuple[str, ...]]
    """Related names of the rows that are edited with the person or team."""

    name = models.CharField(max_length=120)
    key = models.CharField(
        max_length=LONGEST_KEY,
        db_index=True,
        editable=False,
        help_text="The name folded: what `tournaments.people.matching.names.name_key` makes of it.",
    )
    note = models.TextField(blank=True, help_text="For the desk alone.")
    sources = models.JSONField(default=list, blank=True, help_text="Addresses and books, a text each.")
    # PROTECT: a merged number redirects permanently.
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="absorbed", editable=False
    )
    version = models.PositiveIntegerField(default=1, editable=False)
    changed_by = models.CharField(max_length=120, blank=True, editable=False)
    changed_at = models.DateTimeField(editable=False, db_default=Now())

    class Meta:
        abstract = True
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Person(BaseOwner):
    """A person across events. Readers see only what `tournaments.people.public.public_person` returns."""

    DEPENDENT_ROWS = ("names", "federations", "titles", "identifiers")

    sex = models.CharField(max_length=1, choices=Sex, blank=True)
    born = models.CharField(
        max_length=10,
        blank=True,
        validators=[partial_date],
        help_text="A day or a year; public pages and files tell the year only.",
    )
    hidden = models.BooleanField(default=False, help_text="Readers are shown a pseudonym everywhere.")


class PersonName(models.Model):
    """Another name of a person: another script or order, or a former name."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="names")
    name = models.CharField(max_length=120)
    key = models.CharField(max_length=LONGEST_KEY, db_index=True, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["person", "name"], name="name_once_a_person")]

    def __str__(self) -> str:
        return self.name


class Dated(models.Model):
    """A fact with its period. Blank dates are unknown."""

    since = models.CharField(max_length=10, blank=True, validators=[partial_date])
    until = models.CharField(max_length=10, blank=True, validators=[partial_date])

    class Meta:
        abstract = True


class PersonFederation(Dated):
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="federations")
    code = models.CharField(max_length=8)

    class Meta:
        ordering = ["since", "code"]

    def __str__(self) -> str:
        return self.code


class PersonTitle(models.Model):
    """A title of a person, and since when."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="titles")
    title = models.CharField(max_length=8)
    since = models.CharField(max_length=10, blank=True, validators=[partial_date])

    class Meta:
        ordering = ["since", "title"]

    def __str__(self) -> str:
        return self.title


class PersonIdentifier(models.Model):
    """An id of a person: `fide`, `fmjd`, or a national one such as `ned`."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="identifiers")
    scheme = models.CharField(max_length=8, validators=[MinLengthValidator(3)])
    value = models.CharField(max_length=32)

    class Meta:
        ordering = ["scheme", "value"]
        constraints = [models.UniqueConstraint(fields=["scheme", "value"], name="identifier_of_one_person")]

    def __str__(self) -> str:
        return f"{self.scheme} {self.value}"


class EntryLink(models.Model):
    """Common base of links of persons and teams: how the link was made, and the entry's last name.

    If an entry is removed from its event, its link **waits**: `number` and `name` (and `team` of a player)
    identify the entry if it returns (docs/people.md).
    """

    class How(models.TextChoices):
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
    """A link of an entry to a person: a competitor in an event of players, or a player of a team.

    A link without both waits for its entry to return.
    """

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="links")
    event = models.ForeignKey("Event", on_delete=models.CASCADE, related_name="person_links")
    competitor = models.OneToOneField(
        "Competitor", on_delete=models.SET_NULL, null=True, blank=True, related_name="person_link"
    )
    player = models.OneToOneField(
        "Player", on_delete=models.SET_NULL, null=True, blank=True, related_name="person_link"
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

    @property
    def owner(self) -> Person:
        return self.person


class CountedRevision(models.Model):
    """Common base of revisions of persons and teams. Only the database writes `number` and `named`."""

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

    def __str__(self) -> str:
        return f"revision {self.number}"


class PersonRevision(CountedRevision):
    """Number of changes of a person, including dependent rows. Only the database writes it."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, primary_key=True)

    class Meta(CountedRevision.Meta):
        abstract = False
        indexes = [
            models.Index(fields=["person"], condition=Q(named__gt=F("searched")), name="persons_unsearched"),
            models.Index(fields=["person"], condition=Q(number__gt=F("tallied")), name="persons_untallied"),
        ]
