"""Logins, waits after failed logins, sessions, passkeys and API tokens. Accounts are users of Django."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _
from django_otp.models import Device

MAX_NAME_LENGTH = 150
"""In characters. No account has a longer name."""

FORGOTTEN_AFTER = timedelta(minutes=15)
"""Failures are forgotten after this time without another failure."""

MAX_BROWSER_LENGTH = 255
"""Of a user agent, in characters."""


class Login(models.Model):
    """A login attempt that was checked: step, origin and outcome."""

    class Step(models.TextChoices):
        PASSWORD = "password", _("password")
        CODE = "code", _("code")
        OLD_PASSWORD = "old-password", _("old password, to change it")
        PASSKEY = "passkey", _("passkey")
        RESET = "reset", _("asked for a new password")

    class Outcome(models.TextChoices):
        IN = "in", _("logged in")
        RIGHT = "right", _("right, a step is left")
        WRONG = "wrong", _("wrong")

    at = models.DateTimeField(_("at"), default=timezone.now, db_index=True)
    name = models.CharField(
        _("name"), max_length=MAX_NAME_LENGTH, help_text=_("As it was typed, in small letters.")
    )
    address = models.GenericIPAddressField(_("address"), null=True)
    network = models.CharField(_("network"), max_length=45, help_text=_("The address, or the /64 of IPv6."))
    browser = models.CharField(_("browser"), max_length=MAX_BROWSER_LENGTH)
    step = models.CharField(_("step"), max_length=12, choices=Step)
    outcome = models.CharField(_("outcome"), max_length=5, choices=Outcome)

    class Meta:
        verbose_name = _("login")
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["name", "network", "outcome", "at"], name="login_known")]

    def __str__(self) -> str:
        return f"{self.name}, {self.get_step_display()}: {self.get_outcome_display()}"


class LoginWait(models.Model):
    """The failures of a name, address, pair of both, or browser, and the time of the next attempt."""

    key = models.CharField(_("of"), max_length=220, primary_key=True)
    failures = models.PositiveIntegerField(_("failures"), default=0)
    last = models.DateTimeField(_("the last one"), db_index=True)
    free_at = models.DateTimeField(_("next attempt at"), null=True, help_text=_("Null: never asked to wait."))

    class Meta:
        verbose_name = _("wait of logins")
        verbose_name_plural = _("waits of logins")
        ordering = ["-last"]

    def __str__(self) -> str:
        return self.key


class Session(AbstractBaseSession):
    """A logged-in browser. The session store is in `tournaments.accounts.services.sessions`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("account"), null=True, related_name="+"
    )
    started = models.DateTimeField(_("logged in"), null=True, help_text=_("Null: before it was recorded."))
    seen = models.DateTimeField(_("last seen"), help_text=_("Within some minutes."))
    place = models.CharField(_("from"), max_length=45, help_text=_("The beginning of the address."))
    browser = models.CharField(
        _("browser"), max_length=MAX_BROWSER_LENGTH, help_text=_("As it calls itself.")
    )

    @classmethod
    def get_session_store_class(cls) -> Any:
        # A normal import would be a cycle.
        return import_string(f"{settings.SESSION_ENGINE}.SessionStore")


class Passkey(Device):  # type: ignore[misc]  # published without types
    """A second factor by which a browser signs. The user chooses its `name`."""

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


class ApiToken(models.Model):
    """A token of the write API. Only its hash is stored. It permits no more than its account may do."""

    class Action(models.TextChoices):
        FILES = "files", _("read files into events")
        CREATE = "create", _("create events from files")
        RESULTS = "results", _("enter results of rounds")
        BOARDS = "boards", _("send moves and results of running games")
        HOME = "home", _("borrow events, to change them elsewhere")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("account"), related_name="api_tokens"
    )
    name = models.CharField(_("name"), max_length=80, help_text=_("The program or computer that uses it."))
    digest = models.CharField(_("SHA-256"), max_length=64, unique=True, editable=False)
    actions = models.JSONField(_("actions"), default=list)
    # Not an empty list: a token must not reach all events when the last event of its list is deleted.
    all_events = models.BooleanField(_("all events of the account"), default=False)
    events = models.ManyToManyField(
        "tournaments.Event", verbose_name=_("or only these"), blank=True, related_name="+"
    )
    created = models.DateTimeField(_("created"), default=timezone.now)
    ends = models.DateField(_("last day"), null=True, blank=True, help_text=_("In UTC. Blank: no end."))
    last_used = models.DateTimeField(_("last used"), null=True, help_text=_("Within a minute."))
    revoked = models.DateTimeField(_("revoked"), null=True)

    class Meta:
        verbose_name = _("API token")
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_valid(self) -> bool:
        has_ended = self.ends is not None and self.ends < datetime.now(UTC).date()
        return self.revoked is None and not has_ended
