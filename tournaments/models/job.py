"""Background jobs: requested by a page, run by the worker."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournaments.models.desk import Upload


class Job(models.Model):
    """A background job and its progress.

    `key`: subject of the job; there is at most one open job for a key. `owner`: the process of a worker that
    took it last. `told`: last heartbeat of a running job. `result`: its output, or the reason of a refusal.
    `failure`: error message.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    class Kind(models.TextChoices):
        """Kinds of jobs. standings/management/commands/work.py maps them to functions."""

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
    # No foreign key to the event, because a reader's request for an archive would wait for an arbiter's lock.
    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, null=True, related_name="jobs")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    # Lower values run first.
    turn = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    owner = models.CharField(max_length=60, default="", db_default="", editable=False)
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
        return self.state in {Job.State.WAITING, Job.State.RUNNING}


class Worker(models.Model):
    """A worker that runs, on any machine, and its last heartbeat."""

    name = models.CharField(max_length=60, primary_key=True)
    seen = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
