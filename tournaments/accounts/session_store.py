"""Session store in the database, which also stores user and origin of each session.

SESSION_ENGINE names this module, and requires the class name.
"""

from datetime import datetime, timedelta
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.utils import timezone

from tournaments.models import Session

LOGIN = "login"
"""Session key for the time, origin and browser of the login."""

SEEN_EVERY = timedelta(minutes=5)
"""Precision of "last seen", because otherwise every request at the desk would be a write."""


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
        """Add the columns of our model to the row."""
        row = cast("Session", super().create_model_instance(data))
        login = data.get(LOGIN, {})
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.started = datetime.fromisoformat(login["at"]) if login else None
        row.place, row.browser = login.get("place", ""), login.get("browser", "")
        row.seen = timezone.now()
        return row


def touch(session: Any) -> None:
    """Update "last seen" unless it was updated in the last minutes; at most one query."""
    now = timezone.now()
    seen = getattr(session, "seen", None)
    if seen is not None and abs(now - seen) > SEEN_EVERY:
        Session.objects.filter(session_key=session.session_key).update(seen=now)
