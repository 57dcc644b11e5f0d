"""Archives with many files to import, and the state of each file."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from tournaments.models.desk import Upload


class Bundle(models.Model):
    """An uploaded archive whose files are imported one by one.

    `whole`: all files arrived. `stopped`: a user stopped the import, which can be resumed.
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
    """A file of a bundle and its state.

    `chosen`: values of the manifest, by the fields of the preview form. `summary` and `findings`: result
    of the last trial, to which `token` binds the import. `attempts`: number of trials in which the worker
    died. `upload`: None if the housekeeping deleted a file that was not imported, or if the file could not
    be extracted.
    """

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waits to be read")
        READY = "ready", gettext_lazy("ready to be imported")
        UNCHANGED = "unchanged", gettext_lazy("unchanged")
        OBJECTED = "objected", gettext_lazy("needs your answer")
        FAULTY = "faulty", gettext_lazy("refused: has errors")
        CHOSEN = "chosen", gettext_lazy("waits to be imported")
        IMPORTED = "imported", gettext_lazy("imported")
        UNKNOWN = "unknown", gettext_lazy("not a file that can be read")
        SKIPPED = "skipped", gettext_lazy("skipped")

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
