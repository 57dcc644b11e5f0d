"""Teams across events, and their links to competitors (ADR 0040)."""

from django.db import models
from django.db.models import F, Q

from tournaments.event.choices import TeamsAre
from tournaments.people.models.person import LONGEST_KEY, BaseOwner, CountedRevision, Dated, EntryLink, Person


class Team(BaseOwner):
    """A team across events: a nation, or a club with all its names."""

    DEPENDENT_ROWS = ("names", "codes")

    kind = models.CharField(max_length=7, choices=TeamsAre, default=TeamsAre.NATIONS)


Owner = Person | Team
"""A person or a team: the owner of entries."""


class TeamName(Dated):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="names")
    name = models.CharField(max_length=120)
    key = models.CharField(max_length=LONGEST_KEY, db_index=True, editable=False)

    class Meta:
        ordering = ["since", "name"]
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="name_once_a_team")]

    def __str__(self) -> str:
        return self.name


class TeamCode(Dated):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="codes")
    code = models.CharField(max_length=8)

    class Meta:
        ordering = ["since", "code"]

    def __str__(self) -> str:
        return self.code


class TeamLink(EntryLink):
    """A link of a competitor in a team event to a team. Without a competitor it waits for its return."""

    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="links")
    event = models.ForeignKey("Event", on_delete=models.CASCADE, related_name="team_links")
    competitor = models.OneToOneField(
        "Competitor", on_delete=models.SET_NULL, null=True, blank=True, related_name="team_link"
    )

    def __str__(self) -> str:
        return f"{self.name} in {self.event_id}"

    @property
    def owner(self) -> Team:
        return self.team


class TeamRevision(CountedRevision):
    """Number of changes of a team, including dependent rows. Only the database writes it."""

    team = models.OneToOneField(Team, on_delete=models.CASCADE, primary_key=True)

    class Meta(CountedRevision.Meta):
        abstract = False
        indexes = [
            models.Index(fields=["team"], condition=Q(named__gt=F("searched")), name="teams_unsearched"),
            models.Index(fields=["team"], condition=Q(number__gt=F("tallied")), name="teams_untallied"),
        ]
