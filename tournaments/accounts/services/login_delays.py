"""Delay login attempts by address, name and browser, without ever locking an account.

Each attempt counts as a failure before the password is hashed, so that 16 concurrent attempts count as 16; a
success is subtracted again. An attempt that comes too early gets the waiting time; the server never sleeps. A
browser or address from which the name has logged in before waits only for its own failures (ADR 0026).
"""

import hashlib
import secrets
import unicodedata
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import BoundedSemaphore

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Greatest
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.trace.addresses import client_address, network_of
from tournaments.accounts import models

Step = models.Login.Step

KNOWN_FOR = timedelta(days=90)
"""How long a browser or address is known after a login: as long as logins are stored."""

COOKIE = "known-"
"""The prefix of the cookie of a known browser. A digest of the name follows, since laptops are shared."""

SALT = "tournaments.known-browser"
PURGE_INTERVAL = 100


@dataclass(frozen=True)
class DelayRule:
    """`free` failures without a wait, then waits of 1, 2, 4, … seconds, at most `max_wait`."""

    free: int
    max_wait: int

    def seconds(self, failures: int) -> int:
        beyond = failures - self.free
        return 0 if beyond < 0 else min(2 ** min(beyond, 10), self.max_wait)


DELAY_RULES = {
    "browser": DelayRule(5, 30),
    "pair": DelayRule(5, 60),
    "network": DelayRule(20, 60),  # for example, arbiters in a hall who all mistype twice
    "nowhere": DelayRule(20, 5),  # all clients without an address together
    "codes": DelayRule(5, 60),  # attackers who guess codes have the password already
    "name": DelayRule(20, 10),
    "site": DelayRule(200, 10),
}
"""The rule for each kind of key. The last two do not delay the next attempt: they are the wait of unknown
clients before their first attempt. So the owner of an attacked name waits seconds, no matter how many
clients attack.
"""

HASHING = ThreadPoolExecutor(2, "hashing")
"""Threads that hash passwords. Only two, since libc never releases the 19 MiB that a thread has used."""


class LeanArgon2PasswordHasher(Argon2PasswordHasher):
    """Argon2 with OWASP's minimum: 19 MiB and 24 ms per hash. Django's default is 100 MiB and 130 ms.

    Passwords with the default parameters are rehashed at the next login.
    """

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return str(HASHING.submit(super().encode, password, salt).result())

    def verify(self, password: str, encoded: str) -> bool:
        return bool(HASHING.submit(super().verify, password, encoded).result())


HASHING_SLOTS = {True: BoundedSemaphore(1), False: BoundedSemaphore(1)}
"""Concurrent hashes in this process: one for known clients, one for all others. Each takes 19 MiB."""

HASHING_STEPS = (Step.PASSWORD, Step.OLD_PASSWORD)
"""The steps that hash a password and need a slot."""


class TooSoonError(ValidationError):
    """The attempt was not checked. `finish_attempt` sets the status and header of the response."""

    def __init__(self, request: HttpRequest, seconds: int, status: int = 429) -> None:
        request.too_soon = self  # type: ignore[attr-defined]  # our attribute
        self.seconds = seconds
        self.status = status
        reason = _("Too many attempts.") if status == 429 else _("Others are logging in at this moment.")
        # static/js/wait.js shows these texts in its countdown.
        wait = format_html(
            '<span data-wait="{}" data-one="{}" data-more="{}" data-now="{}" aria-live="off">{}</span>',
            seconds,
            wait_text(1),
            wait_text(2),
            _("You can try again now."),
            wait_text(seconds),
        )
        message = format_html("{} {} {}", reason, wait, _("Your entry was not checked."))
        super().__init__(message, code="too-soon")


def wait_text(seconds: int) -> str:
    return ngettext(
        "You can try again in %(seconds)d second.", "You can try again in %(seconds)d seconds.", seconds
    ) % {"seconds": seconds}


@dataclass
class _Keys:
    """The keys of an attempt.

    `own`: the key of the client. `gates`: keys with a wait that must be over. `crowd`: keys of all clients
    together: their failures delay unknown clients.
    """

    own: str
    gates: list[str]
    crowd: list[str] = field(default_factory=list)
    is_known: bool = False

    @property
    def all(self) -> list[str]:
        return [*self.gates, *self.crowd]


@dataclass
class Attempt:
    """An attempt in progress. It counts as failed unless `succeeded` is called."""

    request: HttpRequest
    name: str
    keys: _Keys
    outcome: models.Login.Outcome = models.Login.Outcome.WRONG

    def succeeded(self, outcome: models.Login.Outcome = models.Login.Outcome.IN) -> None:
        """Subtract the failure that was counted in advance. After a complete login, the browser is known."""
        self.outcome = outcome
        waits = models.LoginWait.objects.filter(key__in=self.keys.all)
        waits.update(failures=Greatest(F("failures") - 1, Value(0)), free_at=timezone.now())
        if outcome == models.Login.Outcome.IN:
            # Not after the password only: that would allow further guesses of the code.
            waits.filter(key__in=[self.keys.own, f"codes:{normalise_name(self.name)}"]).delete()
            self.request.known_browser = _known_browser(self.request, self.name) or secrets.token_hex(12)  # type: ignore[attr-defined]  # `finish_attempt` sets the cookie
            self.request.known_name = self.name  # type: ignore[attr-defined]  # the same


@contextmanager
def login_attempt(request: HttpRequest, name: str, step: Step) -> Iterator[Attempt]:
    """Check an attempt, which fails unless `succeeded` is called. Raise TooSoonError if it must wait.

    An attempt that must wait costs two queries and no writes.
    """
    keys = _find_keys(request, name, step)
    slot = HASHING_SLOTS[keys.is_known] if step in HASHING_STEPS else BoundedSemaphore(1)
    # Before the slot is taken, so that clients who must wait do not block others. Without a lock, since many
    # rejected attempts would block writers.
    _check_waits(request, models.LoginWait.objects.filter(key__in=keys.gates, free_at__gt=timezone.now()))
    # A known client waits for the slot. Others do not: they could occupy all threads of the site.
    if not slot.acquire(blocking=keys.is_known, timeout=0.5 if keys.is_known else None):
        raise TooSoonError(request, 1, status=503)
    try:
        _count_attempt(request, keys)
        attempt = Attempt(request, name, keys)
        try:
            yield attempt
        finally:
            address = client_address(request)
            models.Login.objects.create(
                name=normalise_name(name),
                address=address,
                network=network_of(address),
                browser=request.headers.get("User-Agent", "")[: models.MAX_BROWSER_LENGTH],
                step=step,
                outcome=attempt.outcome,
            )
    finally:
        slot.release()


def finish_attempt(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Set the status of an attempt that came too early, and the cookie of a known browser."""
    too_soon: TooSoonError | None = getattr(request, "too_soon", None)
    if too_soon and response.status_code == 200:
        response.status_code = too_soon.status
        response["Retry-After"] = str(too_soon.seconds)
    if browser := getattr(request, "known_browser", ""):
        response.set_signed_cookie(
            _cookie_name(request.known_name),  # type: ignore[attr-defined]  # set with the browser
            browser,
            salt=SALT,
            max_age=KNOWN_FOR,
            path="/admin/",
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


# --- clients ----------------------------------------------------------------------------------------------


def normalise_name(name: str) -> str:
    """Return the normalised name, so that other spellings of a name do not allow more attempts."""
    return unicodedata.normalize("NFKC", name).replace("\0", "").strip().casefold()[: models.MAX_NAME_LENGTH]


def _find_keys(request: HttpRequest, name: str, step: Step) -> _Keys:
    """Return the keys of the attempt: those of a known client, or those shared with all others."""
    normalised, network = normalise_name(name), network_of(client_address(request))
    # A request for a new password proves nothing, so it neither delays logins nor exempts from waits.
    if step == Step.RESET:
        return _Keys(f"pair:reset {normalised}", [f"network:reset {network}", f"pair:reset {normalised}"])
    if browser := _known_browser(request, name):
        return _Keys(f"browser:{browser}", [f"browser:{browser}"], is_known=True)
    pair = f"pair:{normalised} {network}"
    logins = models.Login.objects.filter(name=normalised, network=network, outcome=models.Login.Outcome.IN)
    if network and normalised and logins.filter(at__gte=timezone.now() - KNOWN_FOR).exists():
        return _Keys(pair, [pair], is_known=True)
    gates = [f"network:{network}" if network else "nowhere:", pair]
    if step == Step.CODE:
        gates.append(f"codes:{normalised}")
    return _Keys(pair, gates, [f"name:{normalised}", "site:"])


def _cookie_name(name: str) -> str:
    return COOKIE + hashlib.sha256(normalise_name(name).encode()).hexdigest()[:16]


def _known_browser(request: HttpRequest, name: str) -> str:
    browser = request.get_signed_cookie(_cookie_name(name), default="", salt=SALT, max_age=KNOWN_FOR)
    return str(browser)


# --- waits ------------------------------------------------------------------------------------------------


def _count_attempt(request: HttpRequest, keys: _Keys) -> None:
    """Count the attempt as a failure. Raise TooSoonError if a concurrent attempt came first."""
    now = timezone.now()
    with transaction.atomic():
        models.LoginWait.objects.bulk_create(
            [models.LoginWait(key=key, last=now) for key in sorted(keys.all)], ignore_conflicts=True
        )
        locked = models.LoginWait.objects.select_for_update().filter(key__in=keys.all).order_by("key")
        rows = {row.key: row for row in locked}
        _check_waits(request, (rows[key] for key in keys.gates))
        wait = _count_failure(keys, rows, now)
        models.LoginWait.objects.bulk_update(rows.values(), ["failures", "last", "free_at"])
    if wait:  # raised after the commit, so that the wait is stored
        raise TooSoonError(request, wait)
    if "site:" in rows and rows["site:"].failures % PURGE_INTERVAL == 0:
        models.LoginWait.objects.filter(last__lt=now - models.FORGOTTEN_AFTER).delete()


def _count_failure(keys: _Keys, rows: dict[str, models.LoginWait], now: datetime) -> int:
    """Count the failure in each row. Return the seconds that an unknown client has to wait first, or 0."""
    for row in rows.values():
        if row.last < now - models.FORGOTTEN_AFTER:
            row.failures, row.free_at = 0, None
        row.last = now
    crowd_wait = max((_rule(key).seconds(rows[key].failures) for key in keys.crowd), default=0)
    is_delayed = crowd_wait > 0 and rows[keys.own].free_at is None
    # A delayed attempt did not fail, but its address has made an attempt.
    failing = [key for key in keys.gates if key != keys.own] if is_delayed else list(rows)
    for key in failing:
        rows[key].failures += 1
    for key in keys.gates:
        seconds = _rule(key).seconds(rows[key].failures)
        rows[key].free_at = now + timedelta(seconds=max(seconds, crowd_wait if key == keys.own else 0))
    return crowd_wait if is_delayed else 0


def _rule(key: str) -> DelayRule:
    return DELAY_RULES[key.partition(":")[0]]


def _check_waits(request: HttpRequest, rows: Iterable[models.LoginWait]) -> None:
    now = timezone.now()
    waits = [(row.free_at - now, timedelta(seconds=_rule(row.key).max_wait)) for row in rows if row.free_at]
    # Ignore a wait longer than possible: it was stored while the clock was ahead.
    remaining = max((wait for wait, longest in waits if wait <= longest), default=timedelta())
    if remaining > timedelta():
        raise TooSoonError(request, -(-remaining // timedelta(seconds=1)))
