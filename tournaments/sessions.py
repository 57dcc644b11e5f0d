"""The store of sessions: Django's own in the database, which also writes whose session it is and from where.

It is the setting SESSION_ENGINE, and has that setting's name for its class.
"""

from datetime import datetime, timedelta
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.utils import timezone

from tournaments.models import Session

LOGIN = "login"
"""The key under which a session says when, from where and in which browser it began."""

SEEN_EVERY = timedelta(minutes=5)
"""How exact "last seen" is: every answer of the desk would be a write otherwise."""


class SessionStore(DatabaseStore):
    """Reads and writes rows of our own table."""

    seen: datetime | None = None
    """When the row said it was last seen, once it was read."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Return the table of sessions."""
        return Session

    def _get_session_from_db(self) -> Any:
        row = super()._get_session_from_db()  # type: ignore[misc]  # the stubs leave it out
        self.seen = row.seen if row else None
        return row

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Return the row, with what it says beside its data."""
        row = cast("Session", super().create_model_instance(data))
        login = data.get(LOGIN, {})
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.started = datetime.fromisoformat(login["at"]) if login else None
        row.place, row.browser = login.get("place", ""), login.get("browser", "")
        row.seen = timezone.now()
        return row


def touch(session: Any) -> None:
    """Note that the session was seen, where that is not known for the last minutes; one query, or none."""
    now = timezone.now()
    seen = getattr(session, "seen", None)
    if seen is not None and abs(now - seen) > SEEN_EVERY:
        Session.objects.filter(session_key=session.session_key).update(seen=now)
