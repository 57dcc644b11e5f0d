"""Work that takes longer than a request may: asked for by a page, done by the worker."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournaments.models.desk import Upload


class Job(models.Model):
    """A long work that somebody asked for, and how far it is.

    `key` names what is worked on: there is never more than one open job of a key. `told` is the last sign of
    life of a job that runs; `result` is what it gave, or why it was refused; `failure` says in a line what
    went wrong.
    """

    class State(models.TextChoices):
        """The stages of a job."""

        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    class Kind(models.TextChoices):
        """The sorts of work; standings/management/commands/work.py says who does each."""

        ARCHIVE = "archive"
        TRIAL = "trial"
        IMPORT = "import"
        PROPOSAL = "proposal"
        PAIRINGS_CHECK = "pairings"
        RATINGS = "ratings"
        BUNDLE = "bundle"

    kind = models.CharField(max_length=12, choices=Kind)
    key = models.CharField(max_length=120)
    arguments = models.JSONField(default=dict)
    # No event: a foreign key to it would have readers who ask for an archive wait for the arbiters' lock.
    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, null=True, related_name="jobs")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    # The lower goes first.
    turn = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)
    asked = models.DateTimeField(default=timezone.now)
    told = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)
    result = models.JSONField(default=dict)
    failure = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["turn", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["key"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="one_open_job_of_a_key",
            )
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.state}"

    @property
    def is_open(self) -> bool:
        """Say whether it waits or runs."""
        return self.state in {Job.State.WAITING, Job.State.RUNNING}
