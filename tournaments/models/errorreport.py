"""Error reports of readers for the desk of an event.

They are correspondence and not part of the event: event files, clones and backups do not contain them, and
they do not raise the revision.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event
from tournaments.models.hall import LONGEST_NETWORK

LONGEST_PAGE, LONGEST_REPORT, LONGEST_ADDRESS = 300, 2_000, 254


class ErrorReport(models.Model):
    """A reader's report of an error, with the page and its revision.

    `address`: mail address for the answer. Housekeeping clears it and `network`.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ANSWERED = "answered", _("answered")
        DONE = "done", _("done")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="error_reports")
    page = models.CharField(max_length=LONGEST_PAGE, help_text="The address on this site.")
    revision = models.PositiveBigIntegerField(help_text="That the page showed; 0 where it is not known.")
    text = models.TextField(max_length=LONGEST_REPORT)
    address = models.EmailField(max_length=LONGEST_ADDRESS, blank=True)
    network = models.CharField(
        max_length=LONGEST_NETWORK, blank=True, help_text="The beginning of the address it was sent from."
    )
    at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    answer = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    changed = models.DateTimeField(null=True, help_text="When its state was changed last.")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["network", "at"], name="error_report_from"),
            models.Index(fields=["event", "state"], name="error_report_state"),
        ]

    def __str__(self) -> str:
        return f"{self.page} of {self.event}: {self.get_state_display()}"
