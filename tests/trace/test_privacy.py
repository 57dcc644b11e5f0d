"""User input is in no log, mail or Sentry event."""

import json

import pytest
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

from config.trace.redaction import message_of, place_of, traceback_of
from config.trace.sentry import without_personal_data
from tests.trace.conftest import FAILING, TYPED, Heard

pytestmark = [pytest.mark.urls("tests.trace.conftest"), pytest.mark.django_db]


def fail_with_everything(reader: Client) -> None:
    """Send user input to every failing view, by every method."""
    reader.cookies["seen"] = TYPED["name"]
    for address in FAILING:
        answer = reader.post(
            address, TYPED, query_params=TYPED, headers={"Referer": f"http://x/{TYPED['code']}"}
        )
        if answer.streaming:
            with pytest.raises(Exception, match=r"^$"):
                b"".join(answer.streaming_content)  # type: ignore[attr-defined]  # the client types it apart
        else:
            assert answer.status_code == 500
    for address in ("reset", "invited", "nothing"):
        reader.get(f"/{address}/{TYPED['code']}/")


def leaked(text: str) -> list[str]:
    """Return the user input found in a text."""
    words = {part for typed in TYPED.values() for part in typed.split()}
    return sorted(word for word in words if word in text)


def test_log_and_mails_have_no_user_input(reader: Client, heard: Heard) -> None:
    fail_with_everything(reader)
    heard.mails.close()
    mails = "\n".join(f"{each.subject}\n{each.body}" for each in mail.outbox)

    assert heard.lines.count("Traceback") >= len(FAILING)
    assert heard.json.count("Traceback") >= len(FAILING)
    assert mails.count("Traceback") >= 3  # one of each kind
    assert "/reset/<str:token>/" in heard.lines
    assert [leaked(each) for each in (heard.lines, heard.json, mails)] == [[], [], []]


@pytest.mark.parametrize("form", ["line", "json"])
def test_access_log_has_no_user_input(
    reader: Client, settings: Settings, capfd: pytest.CaptureFixture[str], form: str
) -> None:
    settings.ACCESS_LOG, settings.LOG_FORMAT = True, form
    fail_with_everything(reader)
    written = capfd.readouterr().err

    assert "/reset/<str:token>/" in written
    assert "/invited/<slug:token>/" in written
    assert "(no page)" in written
    assert leaked(written) == []


def test_sentry_gets_no_user_input(reader: Client, heard: Heard) -> None:
    fail_with_everything(reader)
    told = [
        without_personal_data(
            {
                "logger": record.name,
                "request": {"data": TYPED},
                "user": {"username": TYPED["username"]},
                "logentry": {"message": TYPED["name"]},
                "exception": {"values": [{"type": "ValueError", "value": TYPED["password"]}]},
            },
            {"log_record": record},
        )
        for record in heard.records
    ]

    assert len(told) >= len(FAILING)
    assert leaked(json.dumps(told)) == []
    first = next(each for each in told if each)
    assert first["exception"]["values"][0]["value"] == "ValueError: (message withheld)"


class TestMessages:
    def test_messages_about_code_are_logged(self) -> None:
        assert (
            message_of(AttributeError("'Event' has no attribute 'x'"))
            == "AttributeError: 'Event' has no attribute 'x'"
        )

    def test_file_errors_are_logged_without_the_name(self) -> None:
        assert message_of(FileNotFoundError(2, "No such file or directory", "jan.trf")) == (
            "FileNotFoundError: No such file or directory"
        )

    def test_exception_with_a_broken_str_is_logged(self) -> None:
        class MuteError(TypeError):
            def __str__(self) -> str:
                raise RuntimeError

        assert message_of(MuteError()) == "MuteError: (message withheld)"

    def test_place_is_the_innermost_frame_of_the_project(self) -> None:
        with pytest.raises(ValueError, match="double quotes") as found:
            json.loads("{")

        assert place_of(found.value).startswith("tests/trace/test_privacy.py:")
        assert traceback_of(found.value).endswith("JSONDecodeError: (message withheld)")
