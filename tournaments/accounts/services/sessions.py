"""Sessions in the database, with user, origin and browser: store them, name them and end them.

SESSION_ENGINE names this module, and requires the class name `SessionStore`.
"""

import re
from datetime import datetime, timedelta
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from config.trace.addresses import client_address
from tournaments.accounts.models import MAX_BROWSER_LENGTH, ApiToken, Session

LOGIN = "login"
"""Session key for the time, origin and browser of the login."""

SEEN_EVERY = timedelta(minutes=5)
"""Precision of "last seen", because otherwise every request at the desk would be a write."""

BROWSERS = (
    ("Edge", r"Edg(e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|CriOS/|Chromium/"),
    ("Safari", r"Safari/"),
)
"""Browsers with a pattern of their User-Agent. The order matters: a browser may imitate a later one."""

SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("ChromeOS", "CrOS"),
    ("macOS", "Macintosh|Mac OS X"),
    ("Linux", "Linux|X11"),
)


class SessionStore(DatabaseStore):
    """Uses our own session model."""

    seen: datetime | None = None
    """"Last seen" when the row was loaded."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def _get_session_from_db(self) -> Any:
        row = super()._get_session_from_db()  # type: ignore[misc]  # the stubs leave it out
        self.seen = row.seen if row else None
        return row

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast("Session", super().create_model_instance(data))
        login = data.get(LOGIN, {})
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.started = datetime.fromisoformat(login["at"]) if login else None
        row.place, row.browser = login.get("place", ""), login.get("browser", "")
        row.seen = timezone.now()
        return row


@receiver(user_logged_in, dispatch_uid="tournaments.accounts.sessions")
def store_origin(request: HttpRequest, **_: Any) -> None:
    request.session[LOGIN] = {
        "at": timezone.now().isoformat(),
        "place": shorten_address(client_address(request)),
        "browser": request.headers.get("User-Agent", "")[:MAX_BROWSER_LENGTH],
    }


def update_last_seen(session: Any) -> None:
    """Update "last seen" unless it was updated in the last minutes; at most one query."""
    now = timezone.now()
    seen = getattr(session, "seen", None)
    if seen is not None and abs(now - seen) > SEEN_EVERY:
        Session.objects.filter(session_key=session.session_key).update(seen=now)


def end_sessions(user: User, *, but: str = "") -> int:
    """Delete the user's sessions, except the one with the key `but`. Return their number."""
    return Session.objects.filter(user=user).exclude(session_key=but).delete()[0]


def end_access(user: User) -> None:
    end_sessions(user)
    ApiToken.objects.filter(user=user, revoked=None).update(revoked=timezone.now())


def form_value(session: Session) -> str:
    """Return an identifier of the session for forms. The session key itself is secret."""
    return salted_hmac("tournaments.session-mark", session.session_key, algorithm="sha1").hexdigest()[:20]


def device_name(agent: str) -> str:
    """Return a readable name of a User-Agent: `Firefox, Windows`."""
    found = [
        next((name for name, pattern in patterns if re.search(pattern, agent)), "")
        for patterns in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, found)) or _("a program")


def shorten_address(address: str | None) -> str:
    """Return the first half of an IP address, which shows the network but does not identify a household."""
    if not address:
        return ""
    separator = ":" if ":" in address else "."
    return separator.join(address.split(separator)[:2]) + f"{separator}…"
