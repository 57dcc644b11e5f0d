"""The session of a browser, with the account in its row, so that an account can list and end its own."""

from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.translation import gettext_lazy as _


class Session(AbstractBaseSession):
    """A browser that has logged in; the store that reads and writes it is `tournaments.sessions`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("account"), null=True, related_name="+"
    )
    started = models.DateTimeField(_("logged in"), null=True, help_text=_("Null: before it was recorded."))
    seen = models.DateTimeField(_("last seen"), help_text=_("Within some minutes."))
    place = models.CharField(_("from"), max_length=45, help_text=_("The beginning of the address."))
    browser = models.CharField(_("browser"), max_length=255, help_text=_("As it calls itself."))

    @classmethod
    def get_session_store_class(cls) -> Any:
        """Return the store."""
        from tournaments.sessions import SessionStore  # noqa: PLC0415 - the store needs the models

        return SessionStore
