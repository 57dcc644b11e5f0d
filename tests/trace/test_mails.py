"""Error mails to admins: limited in number, and sent in the background."""

import logging
from threading import Event as Signal
from unittest.mock import patch

import pytest
from django.core import mail
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client
from pytest_django.fixtures import Settings

from config.mailing import admins
from config.trace import mails
from config.trace.mails import ErrorMails
from tests.trace.conftest import FAILING, Heard

pytestmark = [pytest.mark.urls("tests.trace.conftest"), pytest.mark.django_db]


def test_many_errors_cause_one_mail_per_kind(reader: Client, heard: Heard) -> None:
    for _ in range(20):
        for address in FAILING[:5]:
            reader.post(address, {"name": "x"})
    heard.mails.close()

    subjects = [each.subject for each in mail.outbox]
    assert len(subjects) == len(set(subjects)) == 3
    assert sorted(subjects)[1].startswith("[Crosstable] MultiValueDictKeyError at tests/trace/conftest.py:")


def test_second_mail_has_the_number_of_suppressed_errors(settings: Settings) -> None:
    settings.ADMINS = admins(["admin@crosstable.example"])
    handler = ErrorMails()
    record = logging.LogRecord("crosstable.failed", logging.ERROR, "x.py", 1, "No answer", None, None)
    with patch.object(mails, "monotonic", side_effect=[0, 1, 64, 66]), patch.object(LocMemCache, "add"):
        for _ in range(4):
            handler.handle(record)
        handler.close()

    assert len(mail.outbox) == 2
    assert "2 more of this kind" in mail.outbox[1].body


def test_no_request_waits_for_the_mail_server(reader: Client, heard: Heard, settings: Settings) -> None:
    settings.MAIL_TIMEOUT = 0.1
    released, sent = Signal(), list[str]()

    def hang(subject: str, _body: str) -> None:
        assert released.wait(60), "the test did not end within a minute"
        sent.append(subject)

    with patch.object(mails, "mail_admins", side_effect=hang):
        for address in FAILING[:3]:
            reader.get(address)
        heard.mails.close()  # waits for MAIL_TIMEOUT at most
        still_hangs = not sent
        released.set()
        assert heard.mails.sender
        heard.mails.sender.join()

    assert still_hangs
    assert len(sent) == 1


def test_failure_of_the_mail_server_is_logged(reader: Client, heard: Heard) -> None:
    with patch.object(mails, "mail_admins", side_effect=ConnectionRefusedError(111, "Connection refused")):
        reader.get("/raising/")
        heard.mails.close()

    assert "The admins were not mailed: ConnectionRefusedError: Connection refused" in heard.lines


def test_no_mail_is_sent_without_admins(reader: Client, heard: Heard, settings: Settings) -> None:
    settings.ADMINS = []
    reader.get("/raising/")
    heard.mails.close()

    assert mail.outbox == []
