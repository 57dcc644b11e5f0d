"""Bundles, many files at once: what came together, and what became of each."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from tournaments.models.desk import Upload


class Bundle(models.Model):
    """Files that came together in an archive, each to be imported on its own.

    `whole` says that all of them arrived; `stopped` that somebody ended the work on them, which can go on.
    """

    name = models.CharField(max_length=255)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    whole = models.BooleanField(default=False)
    stopped = models.BooleanField(default=False)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return self.name


class BundleFile(models.Model):
    """A file of a bundle, and how far it is.

    `chosen` is what the manifest says of it, by the fields of the preview's form; `summary` and `findings`
    are those of the last trial, and `token` binds an import to it. `attempts` counts those
    that ended with the worker. There is no `upload` once housekeeping
    has dropped what was not imported, or where the file could not be taken out of the archive.
    """

    class State(models.TextChoices):
        """The stages of a file."""

        WAITING = "waiting", gettext_lazy("waits to be read")
        READY = "ready", gettext_lazy("ready to be imported")
        UNCHANGED = "unchanged", gettext_lazy("changes nothing")
        OBJECTED = "objected", gettext_lazy("needs your reason")
        FAULTY = "faulty", gettext_lazy("has errors")
        CHOSEN = "chosen", gettext_lazy("waits to be imported")
        IMPORTED = "imported", gettext_lazy("imported")

    bundle = models.ForeignKey(Bundle, on_delete=models.CASCADE, related_name="files")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=500)
    chosen = models.JSONField(default=dict)
    upload = models.OneToOneField(Upload, on_delete=models.SET_NULL, null=True, related_name="bundle_file")
    attempts = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    summary = models.TextField(blank=True)
    findings = models.JSONField(default=list)
    token = models.TextField(blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["bundle", "position"], name="one_file_at_a_position"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"
