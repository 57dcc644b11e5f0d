"""Stored facts of persons and teams, and medals of events, for lists that are sorted by them (ADR 0038).

Written only by `tournaments.people.services.tallies` and `standings.careers.medals`; nothing here is
original data.
"""

from typing import Any

from django.db import models
from django.db.models import Q

from tournaments.people.models.person import Person
from tournaments.people.models.team import Team

SEPARATOR = "\n"
"""Separator of codes and of titles, which contain no line breaks."""


class SortKeyField(models.CharField):  # type: ignore[type-arg]  # cannot be given at runtime
    """A text that is compared by code point, as SQLite does; PostgreSQL has the collation of the server."""

    def db_parameters(self, connection: Any) -> Any:
        own = {"collation": "C"} if connection.vendor == "postgresql" else {}
        return {**super().db_parameters(connection), **own}


class Tally(models.Model):
    """A person or team in the list: not merged, not hidden, and in a public event.

    `name`: its sort key. `codes` and `titles`: all, in display order. Missing values are sorted last in both
    directions, by a separate column.
    """

    name = SortKeyField(max_length=300)
    codes = models.TextField()
    has_no_code = models.BooleanField()
    events = models.PositiveIntegerField()
    first = models.PositiveIntegerField()
    second = models.PositiveIntegerField()
    third = models.PositiveIntegerField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.name}: {self.events}"


class PersonTally(Tally):
    """A person in the list. Titles are ranked, highest first."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, primary_key=True, related_name="tally")
    titles = models.TextField()
    title_rank = models.PositiveSmallIntegerField()
    has_no_title = models.BooleanField()
    team_first = models.PositiveIntegerField()
    team_second = models.PositiveIntegerField()
    team_third = models.PositiveIntegerField()

    class Meta(Tally.Meta):
        abstract = False
        # One index for each order of the list. Some are also used to count codes and titles.
        indexes = [
            models.Index(fields=["name", "person"], name="persons_by_name"),
            models.Index(fields=["-events", "name", "person"], name="persons_by_events"),
            models.Index(fields=["has_no_code", "codes", "name", "person"], name="persons_by_code"),
            models.Index(fields=["has_no_code", "-codes", "name", "person"], name="persons_by_code_turned"),
            models.Index(fields=["has_no_title", "title_rank", "name", "person"], name="persons_by_title"),
            models.Index(
                fields=["has_no_title", "-title_rank", "name", "person"], name="persons_by_title_turned"
            ),
            models.Index(fields=["codes"], name="persons_codes"),
            models.Index(fields=["titles"], condition=Q(has_no_title=False), name="persons_titles"),
            models.Index(
                fields=[
                    *("-first", "-second", "-third"),
                    *("-team_first", "-team_second", "-team_third", "-events", "name", "person"),
                ],
                name="persons_by_medals",
            ),
            models.Index(
                fields=[
                    *("-second", "-first", "-third"),
                    *("-team_first", "-team_second", "-team_third", "name", "person"),
                ],
                name="persons_by_silver",
            ),
            models.Index(
                fields=[
                    *("-third", "-first", "-second"),
                    *("-team_first", "-team_second", "-team_third", "name", "person"),
                ],
                name="persons_by_bronze",
            ),
            models.Index(
                fields=[
                    *("-team_first", "-team_second", "-team_third"),
                    *("-first", "-second", "-third", "name", "person"),
                ],
                name="persons_by_team_medals",
            ),
        ]


class TeamTally(Tally):
    team = models.OneToOneField(Team, on_delete=models.CASCADE, primary_key=True, related_name="tally")

    class Meta(Tally.Meta):
        abstract = False
        indexes = [
            models.Index(fields=["name", "team"], name="teams_by_name"),
            models.Index(fields=["-events", "name", "team"], name="teams_by_events"),
            models.Index(fields=["has_no_code", "codes", "name", "team"], name="teams_by_code"),
            models.Index(fields=["has_no_code", "-codes", "name", "team"], name="teams_by_code_turned"),
            models.Index(fields=["codes"], name="teams_codes"),
            models.Index(
                fields=["-first", "-second", "-third", "-events", "name", "team"], name="teams_by_medals"
            ),
            models.Index(fields=["-second", "-first", "-third", "name", "team"], name="teams_by_silver"),
            models.Index(fields=["-third", "-first", "-second", "name", "team"], name="teams_by_bronze"),
        ]


class Medal(models.Model):
    """A competitor in one of the first three places, at the time of the last count."""

    # No constraint, so that deleting competitors needs no query. The next count deletes the row.
    competitor = models.OneToOneField(
        "Competitor", on_delete=models.DO_NOTHING, db_constraint=False, primary_key=True, related_name="medal"
    )
    event = models.ForeignKey("Event", on_delete=models.CASCADE, related_name="medals")
    place = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.place} in {self.event_id}"


class MedalCount(models.Model):
    """The build that counted the medals of an event, and whether the event was public.

    The revision of the count is `Revision.counted`.
    """

    event = models.OneToOneField(
        "Event", on_delete=models.CASCADE, primary_key=True, related_name="medal_count"
    )
    is_public = models.BooleanField()
    build = models.PositiveBigIntegerField(db_index=True, help_text="The hash of the code, as a number.")

    def __str__(self) -> str:
        return f"counted by build {self.build:x}"
