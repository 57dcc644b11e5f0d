"""Passkeys: second factors that a browser signs with, each for the host that it was made at."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django_otp.models import Device


class Passkey(Device):  # type: ignore[misc]  # published without types
    """One passkey of an account, a device of django-otp's: its owner's name for it is `name`."""

    host = models.CharField(_("host"), max_length=255, help_text=_("The domain it is of; browsers show it."))
    credential = models.BinaryField(_("credential"), help_text=_("Identity and public key."))
    counter = models.PositiveBigIntegerField(
        _("counter"), default=0, help_text=_("How often it has signed; 0 of those that do not count.")
    )
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True)

    class Meta:
        verbose_name = _("passkey")
        ordering = ["created_at"]

    def __str__(self) -> str:
        return str(self.name)
