"""Passkeys and sessions of accounts. Users can end their sessions."""

from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _
from django_otp.models import Device


class Session(AbstractBaseSession):
    """A logged-in browser. `tournaments.accounts.session_store` is the session store."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("account"), null=True, related_name="+"
    )
    started = models.DateTimeField(_("logged in"), null=True, help_text=_("Null: before it was recorded."))
    seen = models.DateTimeField(_("last seen"), help_text=_("Within some minutes."))
    place = models.CharField(_("from"), max_length=45, help_text=_("The beginning of the address."))
    browser = models.CharField(_("browser"), max_length=255, help_text=_("As it calls itself."))

    @classmethod
    def get_session_store_class(cls) -> Any:
        """Return the session store of the settings. A normal import would be a cycle."""
        return import_string(f"{settings.SESSION_ENGINE}.SessionStore")


class Passkey(Device):  # type: ignore[misc]  # published without types
    """A second factor by which a browser signs. `name`: chosen by its owner."""

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
