"""Original values of rows that were changed to hide a person (ADR 0041)."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models.functions import Now

from tournaments.models.event import Event


class WithheldRow(models.Model):
    """The values of a row before and after, by field. Internal to the desk: no page or file shows it."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    table = models.CharField(max_length=40, help_text="The model of the row.")
    key = models.PositiveBigIntegerField(help_text="The primary key of the row.")
    before = models.JSONField(encoder=DjangoJSONEncoder)
    after = models.JSONField(encoder=DjangoJSONEncoder)
    at = models.DateTimeField(editable=False, db_default=Now())

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table} {self.key}"
