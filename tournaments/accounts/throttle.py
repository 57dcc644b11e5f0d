"""Attempts to log in are delayed, never locked out: by address, by name, and by what one browser did itself.

Each attempt is counted as a failure before the password is hashed, so that sixteen at once are sixteen, and
is taken back when it was right. Who tries too early is told how long to wait; nothing sleeps. A browser or an
address from which the name has logged in before waits for its own failures only (ADR 0026).
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
from tournaments.models.login import FORGOTTEN_AFTER, LONGEST_BROWSER, LONGEST_NAME, Login, LoginWait

Step = Login.Step

KNOWN_FOR = timedelta(days=90)
"""How long a browser or an address is known after a login: as long as logins are kept."""

COOKIE = "known-"
"""How the cookie of a known browser begins; a digest of the name follows, as colleagues share laptops."""

SALT = "tournaments.known-browser"
PURGED_EVERY = 100


@dataclass(frozen=True)
class Pace:
    """So many failures without a wait, then one of 1, 2, 4, … seconds, `most` of them at most."""

    free: int
    most: int

    def seconds(self, failures: int) -> int:
        """Return the wait after so many failures, in seconds."""
        beyond = failures - self.free
        return 0 if beyond < 0 else min(2 ** min(beyond, 10), self.most)


PACES = {
    "browser": Pace(5, 30),
    "pair": Pace(5, 60),
    "network": Pace(20, 60),  # a hall of arbiters who all mistype twice
    "nowhere": Pace(20, 5),  # whoever comes without an address, all of them together
    "codes": Pace(5, 60),  # he who guesses codes has the password already
    "name": Pace(20, 10),
    "site": Pace(200, 10),
}
"""What each kind of key allows. The last two delay nobody's next attempt: they say how long each newcomer
waits before his first, so that the owner of an attacked name waits seconds, however many attack it."""


HASHING = ThreadPoolExecutor(2, "hashing")
"""The threads that hash passwords: libc keeps the 19 MiB that each has once used, and there are many more."""


class LeanArgon2PasswordHasher(Argon2PasswordHasher):
    """Argon2 with the least that OWASP advises: 19 MiB and 24 ms each, where Django takes 100 MiB and 130 ms.

    Passwords hashed with more are hashed anew at their next login.
    """

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Return the hash of a new password."""
        return str(HASHING.submit(super().encode, password, salt).result())

    def verify(self, password: str, encoded: str) -> bool:
        """Say whether a password is the one that was hashed."""
        return bool(HASHING.submit(super().verify, password, encoded).result())


SLOTS = {True: BoundedSemaphore(1), False: BoundedSemaphore(1)}
"""Hashes at once in this process: one for who is known, one for all others. Each takes 19 MiB."""


HASHED = (Step.PASSWORD, Step.OLD_PASSWORD)
"""The steps for which a password is hashed; the others take no slot."""


class TooSoonError(ValidationError):
    """An attempt that is not looked at yet, with the seconds to wait and the status of the answer."""

    def __init__(self, seconds: int, status: int = 429) -> None:
        self.seconds = seconds
        self.status = status
        reason = _("Too many attempts.") if status == 429 else _("Others are logging in at this moment.")
        # static/js/wait.js counts down in these words.
        wait = format_html(
            '<span data-wait="{}" data-one="{}" data-more="{}" data-now="{}" aria-live="off">{}</span>',
            seconds,
            wait_in_words(1),
            wait_in_words(2),
            _("You can try again now."),
            wait_in_words(seconds),
        )
        message = format_html("{} {} {}", reason, wait, _("What you typed was not looked at."))
        super().__init__(message, code="too-soon")


def wait_in_words(seconds: int) -> str:
    """Return a sentence that says how long to wait."""
    return ngettext(
        "You can try again in %(seconds)d second.", "You can try again in %(seconds)d seconds.", seconds
    ) % {"seconds": seconds}


@dataclass
class _Claim:
    """The keys of an attempt: that of whoever tries, all that it has to pass, and those of the crowd."""

    own: str
    gates: list[str]
    crowd: list[str] = field(default_factory=list)
    is_known: bool = False


@dataclass
class Attempt:
    """One attempt that is being looked at; what it comes to is told by `succeeded`."""

    request: HttpRequest
    name: str
    step: Step
    claim: _Claim
    outcome: Login.Outcome = Login.Outcome.WRONG

    def succeeded(self, outcome: Login.Outcome = Login.Outcome.IN) -> None:
        """Take the failure back that was counted beforehand; who is in is known here from now on."""
        self.outcome = outcome
        waits = LoginWait.objects.filter(key__in=[*self.claim.gates, *self.claim.crowd])
        waits.update(failures=Greatest(F("failures") - 1, Value(0)), free_at=timezone.now())
        if outcome == Login.Outcome.IN:
            # Not after the password alone: it would give new guesses of the code.
            waits.filter(key__in=[self.claim.own, f"codes:{one_spelling(self.name)}"]).delete()
            self.request.known_browser = _browser_of(self.request, self.name) or secrets.token_hex(12)  # type: ignore[attr-defined]  # `finish` sets it
            self.request.known_name = self.name  # type: ignore[attr-defined]  # the same


@contextmanager
def attempt(request: HttpRequest, name: str, step: Step) -> Iterator[Attempt]:
    """Look at one attempt, which fails unless `succeeded` is called; raise `TooSoonError` if it must wait.

    One that must wait costs two queries and writes nothing.
    """
    claim = _claim(request, name, step)
    slot = SLOTS[claim.is_known] if step in HASHED else BoundedSemaphore(1)
    try:
        # Before the slot, so that nobody who must wait is in the way of one who need not; without a lock, as
        # a flood of refused attempts would keep writers out.
        _refuse_early(LoginWait.objects.filter(key__in=claim.gates, free_at__gt=timezone.now()))
        # Who is known waits for the other one's hash; a crowd must not fill the threads that readers need.
        if not slot.acquire(blocking=claim.is_known, timeout=0.5 if claim.is_known else None):
            raise TooSoonError(1, status=503)  # noqa: TRY301 - answered as those that it raises from further down
    except TooSoonError as early:
        raise _noted(request, early) from None
    try:
        tried = _admit(request, name, step, claim)
        try:
            yield tried
        finally:
            _record(tried)
    finally:
        slot.release()


def _noted(request: HttpRequest, early: TooSoonError) -> TooSoonError:
    request.too_soon = early  # type: ignore[attr-defined]  # `finish` answers with it
    return early


def finish(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Give the answer the status of an attempt that came too soon, and the browser what it is known by."""
    early: TooSoonError | None = getattr(request, "too_soon", None)
    if early and response.status_code == 200:
        response.status_code = early.status
        response["Retry-After"] = str(early.seconds)
    if browser := getattr(request, "known_browser", ""):
        response.set_signed_cookie(
            _cookie_of(request.known_name),  # type: ignore[attr-defined]  # set with the browser
            browser,
            salt=SALT,
            max_age=KNOWN_FOR,
            path="/admin/",
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


# --- who it is --------------------------------------------------------------------------------------------


def one_spelling(name: str) -> str:
    """Return a name as it is counted: an attacker must not get new attempts by another spelling."""
    return unicodedata.normalize("NFKC", name).replace("\0", "").strip().casefold()[:LONGEST_NAME]


def _claim(request: HttpRequest, name: str, step: Step) -> _Claim:
    """Return what the attempt has to pass: one's own failures where one is known, else those of all."""
    spelt, network = one_spelling(name), network_of(client_address(request))
    # Asking for a new password shows nothing, so it must neither delay a login nor be exempt.
    if step == Step.RESET:
        return _Claim(f"pair:reset {spelt}", [f"network:reset {network}", f"pair:reset {spelt}"])
    if browser := _browser_of(request, name):
        return _Claim(f"browser:{browser}", [f"browser:{browser}"], is_known=True)
    pair = f"pair:{spelt} {network}"
    if network and spelt and _has_logged_in(spelt, network):
        return _Claim(pair, [pair], is_known=True)
    gates = [f"network:{network}" if network else "nowhere:", pair]
    if step == Step.CODE:
        gates.append(f"codes:{spelt}")
    return _Claim(pair, gates, [f"name:{spelt}", "site:"])


def _has_logged_in(spelt: str, network: str) -> bool:
    since = timezone.now() - KNOWN_FOR
    logins = Login.objects.filter(name=spelt, network=network, outcome=Login.Outcome.IN, at__gte=since)
    return logins.exists()


def _cookie_of(name: str) -> str:
    return COOKIE + hashlib.sha256(one_spelling(name).encode()).hexdigest()[:16]


def _browser_of(request: HttpRequest, name: str) -> str:
    """Return the mark that an earlier login of this name left in the browser, or an empty string."""
    mark = request.get_signed_cookie(_cookie_of(name), default="", salt=SALT, max_age=KNOWN_FOR)
    return str(mark)


# --- how long ---------------------------------------------------------------------------------------------


def _admit(request: HttpRequest, name: str, step: Step, claim: _Claim) -> Attempt:
    """Count the attempt as a failure and return it. Raise `TooSoonError` where another was there first."""
    now = timezone.now()
    keys = sorted([*claim.gates, *claim.crowd])
    try:
        with transaction.atomic():
            LoginWait.objects.bulk_create(
                [LoginWait(key=key, last=now) for key in keys], ignore_conflicts=True
            )
            locked = LoginWait.objects.select_for_update().filter(key__in=keys).order_by("key")
            rows = {row.key: row for row in locked}
            _refuse_early(rows[key] for key in claim.gates)
            entry = _count(claim, rows, now)
            LoginWait.objects.bulk_update(rows.values(), ["failures", "last", "free_at"])
        if entry:
            raise TooSoonError(entry)  # noqa: TRY301 - after the commit, so that the wait is kept
    except TooSoonError as early:
        raise _noted(request, early) from None
    if "site:" in rows and rows["site:"].failures % PURGED_EVERY == 0:
        LoginWait.objects.filter(last__lt=now - FORGOTTEN_AFTER).delete()
    return Attempt(request, name, step, claim)


def _count(claim: _Claim, rows: dict[str, LoginWait], now: datetime) -> int:
    """Count the failure in each row; return the seconds that a newcomer has to wait first, if any."""
    for row in rows.values():
        if row.last < now - FORGOTTEN_AFTER:
            row.failures, row.free_at = 0, None
        row.last = now
    own = rows[claim.own]
    crowded = max((_pace(key).seconds(rows[key].failures) for key in claim.crowd), default=0)
    is_put_off = crowded > 0 and own.free_at is None
    # One that is put off has not failed, but its address has made an attempt.
    failing = [key for key in claim.gates if key != claim.own] if is_put_off else list(rows)
    for key in failing:
        rows[key].failures += 1
    for key in claim.gates:
        seconds = _pace(key).seconds(rows[key].failures)
        rows[key].free_at = now + timedelta(seconds=max(seconds, crowded if key == claim.own else 0))
    return crowded if is_put_off else 0


def _pace(key: str) -> Pace:
    return PACES[key.partition(":")[0]]


def _refuse_early(rows: Iterable[LoginWait]) -> None:
    """Raise `TooSoonError` where one of these waits has not passed."""
    now = timezone.now()
    left = [(row.free_at - now, timedelta(seconds=_pace(row.key).most)) for row in rows if row.free_at]
    # A longer wait was stored while the clock was ahead.
    longest = max((wait for wait, most in left if wait <= most), default=timedelta())
    if longest > timedelta():
        raise TooSoonError(-(-longest // timedelta(seconds=1)))


def _record(tried: Attempt) -> None:
    """Keep how the attempt ended; never what was typed."""
    address = client_address(tried.request)
    Login.objects.create(
        name=one_spelling(tried.name),
        address=address,
        network=network_of(address),
        browser=tried.request.headers.get("User-Agent", "")[:LONGEST_BROWSER],
        step=tried.step,
        outcome=tried.outcome,
    )
