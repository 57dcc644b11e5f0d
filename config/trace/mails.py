"""Mails to the admins about errors: at most one a minute for each kind, sent in a background thread."""

import logging
from contextlib import suppress
from hashlib import blake2b
from queue import Full, Queue
from threading import Thread
from time import monotonic
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.core.mail import mail_admins

from config.trace.redaction import message_of, place_of

PAUSE = 60
"""Seconds between two mails about the same kind of error."""

SLACK = 5
"""Extra seconds for the process that mailed last, because the cache's timeout begins at the sending."""

MOST_WAITING = 50
"""Maximum queue length; further errors are only logged."""

MOST_KINDS = 1_000
"""Maximum number of kinds. If it is exceeded, all are dropped, at the cost of one more mail for each."""

log = logging.getLogger("crosstable.mails")


class Mail(NamedTuple):
    subject: str
    body: str


class Told(NamedTuple):
    """When a kind of error was last mailed (`monotonic`), and how often it has occurred since."""

    at: float
    since: int


def kind_of(record: logging.LogRecord) -> str:
    """Return the exception and its place, which errors of the same cause share."""
    error = record.exc_info[1] if record.exc_info else None
    return f"{type(error).__name__} at {place_of(error)}" if error else f"{record.name}: {record.msg}"


class ErrorMails(logging.Handler):
    """Mails records to the admins, if ADMINS is set.

    Processes that share a cache send one mail a minute together; otherwise every process sends one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[str, Told] = {}
        self.waiting: Queue[Mail | None] = Queue(MOST_WAITING)
        self.sender: Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a mail unless one of its kind was queued within the last minute. `handle` holds the lock."""
        if not settings.ADMINS:
            return
        kind, now = kind_of(record), monotonic()
        before = self.told.get(kind)
        if before and now - before.at < PAUSE + SLACK:
            self.told[kind] = before._replace(since=before.since + 1)
            return
        if len(self.told) >= MOST_KINDS:
            self.told.clear()
        self.told[kind] = Told(now, 0)
        with suppress(Full):
            self.waiting.put_nowait(Mail(kind, self._body(record, before.since if before else 0)))
        if self.sender is None:
            self.sender = Thread(target=self._send_all, name="error-mails", daemon=True)
            self.sender.start()

    def close(self) -> None:
        """Wait for queued mails, at most for the timeout of the mail server."""
        if self.sender and self.sender.is_alive():
            with suppress(Full):
                self.waiting.put_nowait(None)
            self.sender.join(settings.MAIL_TIMEOUT)
        super().close()

    def _body(self, record: logging.LogRecord, since: int) -> str:
        more = f"{since} more of this kind came since the last mail about it.\n\n" if since else ""
        return f"{more}{self.format(record)}\n"

    def _send_all(self) -> None:
        while mail := self.waiting.get():
            _send(mail)


def _send(mail: Mail) -> None:
    """Send a mail unless another process has just sent one of its kind. Failures are only logged."""
    try:
        if cache.add(f"mailed-{blake2b(mail.subject.encode(), digest_size=12).hexdigest()}", True, PAUSE):
            mail_admins(mail.subject, mail.body)
    except Exception as error:  # noqa: BLE001 - a mail server, or a cache, that fails in whichever way
        log.warning("The admins were not mailed: %s", message_of(error))
